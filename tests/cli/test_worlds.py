from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import jsonschema
import pytest
import yaml

from mars_logic import load_world, parse
from mars_logic.world.load import all_bundled_worlds, bundled_worlds
from tests.cli.conftest import Run
from tests.paths import DATA

COMMANDS = (
    "worlds",
    "show",
    "diff",
    "validate",
    "prove",
    "explain",
    "ask",
    "value",
    "sample",
    "export",
    "plan",
    "run",
    "experiment",
    "summarise",
    "play",
    "verify",
    "render",
    "report",
    "check",
    "learn",
    "score",
    "revise",
    "import",
    "conform",
    "bench",
)


def test_version(run: Run) -> None:
    found = run("--version")
    assert (found.status, found.out) == (0, f"mars-logic {version('mars-logic')}\n")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(run: Run, command: str) -> None:
    found = run(command, "--help")
    assert found.status == 0
    assert f"Example: mars-logic {command}" in " ".join(found.out.split())


def test_help_names_every_command(run: Run) -> None:
    found = run("--help")
    assert found.status == 0 and all(f" {command} " in found.out for command in COMMANDS)


def test_worlds(run: Run) -> None:
    found = run("worlds")
    assert found.status == 0 and all(name in found.out for name in bundled_worlds())
    rows = run("worlds", "--json").json
    assert rows["schema"] == "mars-logic worlds 1"
    assert [row["name"] for row in rows["worlds"]] == list(all_bundled_worlds())
    assert rows["worlds"][1]["base"] == "crafter" and rows["worlds"][1]["differs"] == 4
    assert rows["worlds"][0]["digest"] == load_world("crafter").digest


def test_show_words_is_the_default(run: Run) -> None:
    found = run("show", "all_three")
    assert found.status == 0
    assert "- Collecting from iron needs nothing, yields 1 iron and leaves a tree." in found.out
    assert found.out == run("show", "all_three", "--as", "words").out


def test_show_yaml_can_be_loaded(run: Run, tmp_path: Path) -> None:
    (tmp_path / "again.yaml").write_text(
        run("show", "terr_task", "--as", "yaml").out, encoding="utf-8"
    )
    assert load_world(tmp_path / "again.yaml") == load_world("terr_task")


def test_show_facts_and_tree(run: Run) -> None:
    facts = run("show", "default", "--as", "facts").out
    assert all(line.endswith(".") for line in facts.splitlines() if not line.startswith("%"))
    assert "level 1" in run("show", "default", "--as", "tree").out


def test_show_json(run: Run) -> None:
    found = run("show", "default", "--as", "yaml", "--json").json
    assert found["as"] == "yaml" and yaml.safe_load(found["text"])["name"] == "default"


def test_show_as_something_else(run: Run) -> None:
    found = run("show", "default", "--as", "song")
    assert found.status == 2 and "allowed: words, yaml, facts, tree" in found.err


def test_diff(run: Run) -> None:
    found = run("diff", "crafter", "default")
    assert found.status == 0
    assert found.out.startswith("dynamics\n  - crafter\n  + mars\n")
    assert "collect.grass\n  - Collecting from grass" in found.out
    assert "4 of 52 rules differ" in found.err
    assert run("diff", "default", "default").out == ""


def test_diff_of_rules_about_changing_cells(run: Run, tmp_path: Path) -> None:
    world = tmp_path / "dry.yaml"
    world.write_text("base: default\ntimer: {water: {becomes: sand}}\n", encoding="utf-8")
    told = run("diff", "default", world).out
    assert told.startswith("timer.water\n  - (not in default)\n  + Water turns by itself into sand")


def test_diff_that_has_no_effect(run: Run, tmp_path: Path) -> None:
    (tmp_path / "same.yaml").write_text(
        "base: default\nwalk: {tree: {health: 1}}\n", encoding="utf-8"
    )
    assert (
        "1 of 52 rules differ, none with any effect"
        in run("diff", "default", tmp_path / "same.yaml").err
    )


def test_diff_json(run: Run) -> None:
    found = run("diff", "default", "task_dep", "--json").json
    changed = {row["rule"]: row for row in found["rules"]}
    assert changed["place.table"]["fields"] == {"uses": [{"wood": 2}, {"diamond": 2}]}
    after = parse(changed["place.table"]["words"][1])
    assert after == load_world("task_dep")["place.table"]


def test_validate(run: Run, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text("base: default\n", encoding="utf-8")
    bad.write_text("base: default\nwlak: {}\n", encoding="utf-8")
    found = run("validate", good)
    assert found.status == 0 and f"{good}: valid" in found.err
    found = run("validate", good, bad, "--json")
    assert found.status == 2
    assert [row["valid"] for row in found.json["files"]] == [True, False]
    (problem,) = found.json["files"][1]["problems"]
    assert (problem["line"], problem["field"]) == (2, "wlak")
    assert f"{bad}:2: wlak: unknown key 'wlak', did you mean 'walk'?; allowed: " in found.err


def test_validate_names_oddities_as_warnings(run: Run, tmp_path: Path) -> None:
    odd = tmp_path / "odd.yaml"
    text = (DATA / "released" / "tidy.yaml").read_text(encoding="utf-8")
    odd.write_text(
        text.replace("material: sand, object: null", "material: sand, object: None"),
        encoding="utf-8",
    )
    found = run("validate", odd)
    assert found.status == 0
    assert f"warning: {odd}:" in found.err and "the text 'None' is read as null" in found.err


def test_validate_needs_something(run: Run) -> None:
    assert run("validate").status == 2


def test_schema(run: Run) -> None:
    schema = run("validate", "--schema").json
    jsonschema.validate({"base": "default", "walk": {"sand": {"health": 1}}}, schema)


@pytest.mark.parametrize("command", ["show", "prove", "validate", "run random", "diff default"])
def test_bad_worlds_are_one_message_and_status_two(run: Run, command: str) -> None:
    found = run(*command.split(), "nowhere.yaml")
    assert found.status == 2 and found.out == ""
    assert found.err.startswith("nowhere.yaml:1: file: there is no such file; allowed: ")
    assert len(found.err.splitlines()) == 1


def test_debug_shows_the_traceback(run: Run) -> None:
    from mars_logic import WorldError

    with pytest.raises(WorldError):
        run("show", "nowhere", "--debug")


def test_interruption(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("mars_logic.cli.worlds.load_rules_theory", interrupt)
    found = run("show", "default")
    assert (found.status, found.err.strip()) == (130, "interrupted")


def test_theories_are_shown_and_validated(run: Run, tmp_path: Path) -> None:
    theory = tmp_path / "guess.yaml"
    theory.write_text("base: default\ncollect: {tree: {yields: unknown}}\n", encoding="utf-8")
    assert "as a guess: yields is unknown." in run("show", theory).out
    assert "tree: {yields: unknown}" in run("show", theory, "--as", "yaml").out
    assert "level 1" in run("show", theory, "--as", "tree").out
    assert "1 of 52 rules differ" in run("diff", "default", theory).err
    (row,) = run("validate", theory, "--json").json["files"]
    assert row["valid"] and row["uncertain"] == ["collect.tree.yields"]
    found = run("run", "random", theory)
    assert found.status == 2 and "a world must be fully known" in found.err


def test_show_draws_the_tree(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "tree.svg"
    assert run("show", "default", "--as", "tree", "-o", str(file)).status == 0
    assert file.read_text(encoding="utf-8").startswith("<svg ")
    again = run("show", "default", "--as", "tree", "-o", str(file))
    assert again.status == 2
    assert "--force" in again.err
    command = ("show", "default", "--as", "tree", "-o", str(file), "--force", "--goal")
    assert run(*command, "collect_coal").status == 0
    assert ">default: collect_coal<" in file.read_text(encoding="utf-8")
    wrong = run(*command, "collect_cola")
    assert wrong.status == 2
    assert "did you mean 'collect_coal'?" in wrong.err


def test_other_pictures_of_trees_are_refused(run: Run, tmp_path: Path) -> None:
    found = run("show", "default", "--as", "tree", "-o", tmp_path / "tree.png")
    assert found.status == 2 and "allowed: an .svg, or text" in found.err
    assert not list(tmp_path.iterdir())


def test_show_writes_other_forms_to_a_file_too(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "facts.lp"
    written = run("show", "default", "--as", "facts", "-o", str(file))
    assert (written.status, written.out) == (0, "")
    assert file.read_text(encoding="utf-8").rstrip("\n") == run(
        "show", "default", "--as", "facts"
    ).out.rstrip("\n")
    goal = run("show", "default", "--goal", "collect_coal")
    assert goal.status == 2
    assert "--goal" in goal.err
