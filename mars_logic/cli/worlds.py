"""Commands that look at worlds: ``worlds``, ``show``, ``diff``, ``validate``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mars_logic.cli import games
from mars_logic.cli.loading import Dialect, Hints, known_names, variant
from mars_logic.cli.output import (
    Force,
    Json,
    console,
    print_json,
    print_table,
    require_free,
    say,
    say_written,
    say_wrong,
)
from mars_logic.cli.rule_files import diff_rules, is_rule_file, load_rule_file
from mars_logic.domains import bundled_games, family_of, load_game, load_rules_theory
from mars_logic.domains.library import collected_games
from mars_logic.domains.together import load_two
from mars_logic.errors import InputError
from mars_logic.system.files import write_atomically
from mars_logic.world.fields import nearest
from mars_logic.world.load import all_bundled_worlds, load_world
from mars_logic.world.problems import WorldError
from mars_logic.world.theory import Theory

if TYPE_CHECKING:
    from mars_logic.world.diff import Difference

WorldName = Annotated[
    str,
    typer.Argument(
        help="A world or game: a bundled one, or a file.",
        metavar="WORLD",
        autocompletion=known_names,
    ),
]


class ShowForm(StrEnum):
    """The output forms of ``show``."""

    words = "words"
    yaml = "yaml"
    facts = "facts"
    tree = "tree"


def list_worlds(
    puzzles: Annotated[
        bool, typer.Option("--all", help="List every puzzle, not only the sets of puzzles.")
    ] = False,
    as_json: Json = False,
) -> None:
    """List the bundled worlds, games, and sets of puzzles.

    Example: mars-logic worlds
    """
    found = [load_world(name) for name in all_bundled_worlds()]
    names = (*bundled_games(), *(collected_games() if puzzles else ()))
    others = [load_game(name) for name in names]
    if as_json:
        rows = {"worlds": [family_of(each).about(each) for each in found]}
        rows["games"] = [family_of(each).about(each) for each in others]
        rows["sets"] = games.set_rows()
        print_json({"schema": "mars-logic worlds 1", **rows})
        return
    rows_of_worlds = []
    for world in found:
        base, differs = "", ""
        if world.base:
            base, differs = world.base.name, f"{family_of(world).about(world)['differs']} rules"
        rows_of_worlds.append((world.name, world.dynamics, base, differs, world.title))
    print_table(("world", "dynamics", "base", "differs in", "what it is"), rows_of_worlds)
    console().print()
    games.print_games(others)
    console().print()
    games.print_sets()


def show(
    world: WorldName,
    form: Annotated[
        ShowForm, typer.Option("--as", help="The form to print it in.")
    ] = ShowForm.words,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="Write it to this file; a tree is drawn if that is an .svg."
        ),
    ] = None,
    goal: Annotated[
        str | None,
        typer.Option(help="The achievement whose witness a drawn tree shows; by default, all."),
    ] = None,
    solution: Annotated[
        bool,
        typer.Option("--solution", help="Puzzles: also print the rule and what follows from it."),
    ] = False,
    whole: Annotated[
        bool, typer.Option("--all", help="With --as yaml: all rules and constants of a world.")
    ] = False,
    dialect: Dialect = None,
    hints: Hints = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Print a world or game: words, YAML, facts, or a tree.

    The words are a player's manual; the facts are for clingo. Of a puzzle all forms tell what a
    player is told, unless --solution is given.

    Example: mars-logic show all_three --as tree -o all_three.svg
    """
    loaded = load_rules_theory(variant(world, dialect, hints))
    family = family_of(loaded)
    if solution and not family.hides_rules:
        raise InputError("--solution: this is no puzzle; allowed: a puzzle")
    if whole and not (form is ShowForm.yaml and family.stands_on_base):
        raise InputError("--all: this prints all already; allowed: a world, with --as yaml")
    drawn = form is ShowForm.tree and out is not None and out.suffix == ".svg"
    if goal is not None and not drawn:
        raise InputError("--goal: only a drawing has one; allowed: with --as tree -o FILE.svg")
    if form is ShowForm.tree and out is not None and out.suffix in _OTHER_PICTURES:
        raise InputError(f"-o: a tree is not drawn as {out.suffix}; allowed: an .svg, or text")
    require_free(out, force)
    if drawn and form.value in family.forms:
        text = _drawing(loaded, goal)
    else:
        text = family.shown(loaded, form.value, solution=solution, whole=whole)
    if out:
        write_atomically(out, text)
    if as_json:
        about = {"schema": "mars-logic show 1", **family.about(loaded)}
        print_json(about | {"as": form.value, "text": text})
    elif out:
        say_written(out, f"{loaded.name} as {form.value}")
    else:
        print(text, end="" if text.endswith("\n") else "\n")


def _drawing(theory: Any, goal: str | None) -> str:
    from mars_logic.logic import prove
    from mars_logic.views.report.tech_tree import tech_tree
    from mars_logic.views.report.tech_tree_svg import draw

    world = theory.most_likely()
    if goal is not None and goal not in world.achievements:
        hint, allowed = nearest(goal, world.achievements), ", ".join(world.achievements)
        raise InputError(f"--goal: there is no achievement '{goal}'{hint}; allowed: {allowed}")
    return draw(tech_tree(world, prove(world), goal))


_OTHER_PICTURES = (".png", ".pdf", ".jpg", ".jpeg", ".gif", ".dot")


def diff(first: WorldName, second: WorldName, as_json: Json = False) -> None:
    """Print the rules in which two worlds or games differ.

    Of two files of rules, as check writes them, it prints those whose words, verdict or counts
    differ.

    Example: mars-logic diff default all_three
    """
    from mars_logic.world.diff import beside_rules
    from mars_logic.world.diff import diff as differences

    if is_rule_file(first) and is_rule_file(second):
        diff_rules((first, second), as_json)
        return
    for one, other in ((first, second), (second, first)):
        if is_rule_file(one):
            message = f"WORLD: '{one}' is a file of rules, and '{other}' is none"
            raise InputError(f"{message}; allowed: two of them; `score` compares one with a world")
    worlds, others = load_two((first, second))
    if others:
        games.diff_games((first, second), *others, as_json)
        return
    assert worlds
    before, after = worlds
    found = differences(before, after)
    beside = beside_rules(before, after) if before.dynamics == after.dynamics else {}
    if as_json:
        rows = [
            {
                "rule": change.id,
                "fields": {name: list(values) for name, values in change.fields.items()},
                "words": [*_told(change, before, after)],
            }
            for change in found
        ]
        dynamics = [before.dynamics, after.dynamics]
        document: dict[str, object] = {
            "schema": "mars-logic diff 1",
            "worlds": [first, second],
            "dynamics": dynamics,
        }
        if before.adds or after.adds:
            document["adds"] = [before.adds.as_data(), after.adds.as_data()]
        print_json(document | {key: list(both) for key, both in beside.items()} | {"rules": rows})
        return
    if before.dynamics != after.dynamics:
        print(f"dynamics\n  - {before.dynamics}\n  + {after.dynamics}")
    if _added(before) != _added(after):
        print(f"adds\n  - {_added(before)}\n  + {_added(after)}")
    for key, both in beside.items():
        print(f"{key}\n  - {both[0]}\n  + {both[1]}")
    for change in found:
        old, new = _told(change, before, after)
        print(f"{change.id}\n  - {old}\n  + {new}")
    same = before.digest == after.digest
    rules = len({rule.id for world in (before, after) for rule in world.rules()})
    say(
        f"{len(found)} of {rules} rules differ"
        + (", none with any effect" if found and same else "")
    )


def _told(change: Difference, before: Theory, after: Theory) -> tuple[str, str]:
    """The two versions of a rule in words."""
    from mars_logic.world.words import tell_in

    lacking = (
        (world.name for world in (before, after))
        if before.dynamics == after.dynamics
        else (before.dynamics, after.dynamics)
    )
    old, new = (
        tell_in(rule, world.vocabulary) if rule else f"(not in {place})"
        for rule, world, place in zip(
            (change.before, change.after), (before, after), lacking, strict=True
        )
    )
    return old, new


def _added(world: Theory) -> str:
    kinds = {"materials": world.adds.material_names, "items": world.adds.items}
    kinds["creatures"] = world.adds.creature_names
    told = (f"{kind}: {', '.join(names)}" for kind, names in kinds.items() if names)
    return "; ".join(told) or "nothing"


def validate(
    files: Annotated[
        list[str] | None, typer.Argument(help="Files of worlds or games, or names of bundled ones.")
    ] = None,
    schema: Annotated[
        bool,
        typer.Option(
            "--schema",
            help="Print the JSON schema of world files, for editors; with FILE 'rules', that of "
            "the rules that check writes.",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Check files of worlds and games for mistakes.

    Each mistake is one line, and any mistake gives exit status 2.

    Example: mars-logic validate my/world.yaml
    """
    if schema:
        print_json(_schema(files or ["world"]))
        return
    if not files:
        raise InputError(
            "mars-logic validate: FILE is missing; allowed: files of worlds or games, --schema"
        )
    results = [_validated(file) for file in files]
    if as_json:
        print_json({"schema": "mars-logic validate 1", "files": results})
    if not all(result["valid"] for result in results):
        raise typer.Exit(2)


def _validated_rules(file: str) -> dict[str, object]:
    from mars_logic.theory.rulesets import read_rules

    try:
        rules = load_rule_file(file)
        if rules.puzzle is None:
            read_rules([file])
    except InputError as error:
        say_wrong(str(error))
        return {"file": file, "valid": False, "problems": [{"message": str(error)}]}
    say(f"{file}: valid: rules, {len(rules.rules)}")
    return {"file": file, "valid": True, "rules": len(rules.rules)}


def _schema(kinds: list[str]) -> dict[str, object]:
    if kinds == ["rules"]:
        from mars_logic.theory.rulesets import Rules

        return Rules.model_json_schema(mode="serialization")
    if kinds == ["world"]:
        from mars_logic.world.schema import json_schema

        return json_schema()
    raise InputError(f"--schema: there is none of '{' '.join(kinds)}'; allowed: world, rules")


def _validated(file: str) -> dict[str, object]:
    if is_rule_file(file):
        return _validated_rules(file)
    try:
        world = load_rules_theory(file)
    except WorldError as error:
        say_wrong(str(error))
        problems = [vars(problem) for problem in error.problems]
        return {"file": file, "valid": False, "problems": problems}
    family = family_of(world)
    uncertain, cautions = family.open_fields(world), family.cautions(world)
    kind, label = family.called, family.label(world)
    what = f"a theory, {len(uncertain)} fields open" if uncertain else kind
    for each in cautions:
        say_wrong(f"{file}: warning: {each}")
    say(f"{file}: valid: {what}, {world.name}, {label}, digest {world.digest[:12]}")
    return {
        "file": file,
        "valid": True,
        "name": world.name,
        "digest": world.digest,
        "uncertain": uncertain,
        "warnings": cautions,
    }
