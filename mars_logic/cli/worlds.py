"""Commands that look at worlds: ``worlds``, ``show``, ``diff``, ``validate``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from mars_logic.cli.output import Json, console, print_json, require_free, say
from mars_logic.errors import InputError
from mars_logic.files import write_atomically
from mars_logic.world.fields import nearest
from mars_logic.world.load import bundled_worlds, load_theory, load_world
from mars_logic.world.problems import WorldError
from mars_logic.world.theory import Theory
from mars_logic.world.world import World

WorldName = Annotated[
    str,
    typer.Argument(
        help="A bundled world or a world file.",
        metavar="WORLD",
        autocompletion=lambda: list(bundled_worlds()),
    ),
]


class Form(StrEnum):
    """What ``show`` can print a world as."""

    words = "words"
    yaml = "yaml"
    facts = "facts"
    tree = "tree"


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command("worlds")(list_worlds)
    app.command("show")(show)
    app.command("diff")(diff)
    app.command("validate")(validate)


def list_worlds(as_json: Json = False) -> None:
    """List the bundled worlds.

    Example: mars-logic worlds
    """
    found = [load_world(name) for name in bundled_worlds()]
    if as_json:
        rows = [_about(world) for world in found]
        print_json({"schema": "mars-logic worlds 1", "worlds": rows})
        return
    from rich.table import Table

    table = Table("world", "dynamics", "base", "differs in", "what it is", box=None)
    for world in found:
        base, differs = "", ""
        if world.base:
            base, differs = world.base.name, f"{_about(world)['differs']} rules"
        table.add_row(world.name, world.dynamics, base, differs, world.title)
    console().print(table)


def _about(world: Theory) -> dict[str, object]:
    from mars_logic.world.diff import diff as differences

    return {
        "name": world.name,
        "title": world.title,
        "dynamics": world.dynamics,
        "base": world.base.name if world.base else None,
        "differs": len(differences(world.base, world)) if world.base else None,
        "digest": world.digest,
    }


def show(
    world: WorldName,
    form: Annotated[Form, typer.Option("--as", help="The form to print it in.")] = Form.words,
    out: Annotated[
        Path | None,
        typer.Option("-o", help="Write it to this file; a tree is drawn if that is an .svg."),
    ] = None,
    goal: Annotated[
        str | None,
        typer.Option(help="The achievement whose witness a drawn tree shows; by default, all."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file.")] = False,
    as_json: Json = False,
) -> None:
    """Print a world as a player's manual, as YAML, as facts for clingo or as its tech tree.

    Example: mars-logic show all_three --as tree -o all_three.svg
    """
    loaded = load_theory(world)
    drawn = form is Form.tree and out is not None and out.suffix == ".svg"
    if goal is not None and not drawn:
        raise InputError("--goal: only a drawing has one; allowed: with --as tree -o FILE.svg")
    if form is Form.tree and out is not None and out.suffix in _OTHER_PICTURES:
        raise InputError(f"-o: a tree is not drawn as {out.suffix}; allowed: an .svg, or text")
    require_free(out, force)
    text = _drawing(loaded.most_likely(), goal) if drawn else _FORMS[form](loaded)
    if out:
        write_atomically(out, text)
        say(f"wrote {out}")
    if as_json:
        document = {"schema": "mars-logic show 1", **_about(loaded), "as": form.value, "text": text}
        print_json(document)
    elif not out:
        print(text, end="" if text.endswith("\n") else "\n")


def _words(world: Theory) -> str:
    from mars_logic.world.words import manual

    return manual(world)


def _yaml(world: Theory) -> str:
    from mars_logic.world.dump import to_yaml

    return to_yaml(world)


def _facts(world: Theory) -> str:
    from mars_logic.logic.choices import theory_facts

    return theory_facts(world)


def _tree(world: Theory) -> str:
    from mars_logic.world.tree import tech_tree

    return tech_tree(world.most_likely())


def _drawing(world: World, goal: str | None) -> str:
    from mars_logic.logic import prove
    from mars_logic.report.tech_tree import tech_tree
    from mars_logic.report.tech_tree_svg import draw

    if goal is not None and goal not in world.achievements:
        hint, allowed = nearest(goal, world.achievements), ", ".join(world.achievements)
        raise InputError(f"--goal: there is no achievement '{goal}'{hint}; allowed: {allowed}")
    return draw(tech_tree(world, prove(world), goal))


_OTHER_PICTURES = (".png", ".pdf", ".jpg", ".jpeg", ".gif", ".dot")

_FORMS = {Form.words: _words, Form.yaml: _yaml, Form.facts: _facts, Form.tree: _tree}


def diff(first: WorldName, second: WorldName, as_json: Json = False) -> None:
    """Print the rules in which two worlds differ.

    Example: mars-logic diff default all_three
    """
    from mars_logic.world.diff import diff as differences
    from mars_logic.world.words import tell

    before, after = load_theory(first), load_theory(second)
    found = differences(before, after)
    if as_json:
        rows = [
            {
                "rule": change.id,
                "fields": {name: list(values) for name, values in change.fields.items()},
                "words": [tell(change.before), tell(change.after)],
            }
            for change in found
        ]
        dynamics = [before.dynamics, after.dynamics]
        worlds = [first, second]
        print_json(
            {"schema": "mars-logic diff 1", "worlds": worlds, "dynamics": dynamics, "rules": rows}
        )
        return
    if before.dynamics != after.dynamics:
        print(f"dynamics\n  - {before.dynamics}\n  + {after.dynamics}")
    for change in found:
        print(f"{change.id}\n  - {tell(change.before)}\n  + {tell(change.after)}")
    same = before.digest == after.digest
    say(f"{len(found)} of 52 rules differ" + (", none with any effect" if found and same else ""))


def validate(
    files: Annotated[
        list[str] | None, typer.Argument(help="World files, or names of bundled worlds.")
    ] = None,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON schema of world files, for editors.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Check world files; each mistake is one line, and any mistake gives exit status 2.

    Example: mars-logic validate my/world.yaml
    """
    if schema:
        from mars_logic.world.schema import json_schema

        print_json(json_schema())
        return
    if not files:
        raise typer.BadParameter("name at least one world file, or ask for --schema")
    results = [_validated(file) for file in files]
    if as_json:
        print_json({"schema": "mars-logic validate 1", "files": results})
    if not all(result["valid"] for result in results):
        raise typer.Exit(2)


def _validated(file: str) -> dict[str, object]:
    try:
        world = load_theory(file)
    except WorldError as error:
        say(str(error))
        problems = [vars(problem) for problem in error.problems]
        return {"file": file, "valid": False, "problems": problems}
    what = f"a theory, {len(world.uncertain)} fields open" if world.uncertain else "a world"
    say(f"{file}: valid: {what}, {world.name}, {world.dynamics}, digest {world.digest[:12]}")
    return {
        "file": file,
        "valid": True,
        "name": world.name,
        "digest": world.digest,
        "uncertain": [f"{rule}.{field}" for rule, field in world.uncertain],
    }
