"""Hypotheses in sentences: read in part, put together, each judged by what it says itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from mars_logic import bundled_worlds, load_world
from mars_logic.errors import InputError
from mars_logic.hypotheses import Findings, check_rules, read_rules
from mars_logic.world import names
from mars_logic.world.uncertain import UNKNOWN
from mars_logic.world.words import ParseError, manual, parse, parse_part, tell
from tests.theory.play import play

TRUTH = load_world("terr_surv")
PLAY = play(TRUTH, range(6))


def checked(tmp_path: Path, text: str, name: str = "rules.txt") -> Findings:
    (tmp_path / name).write_text(text)
    return check_rules(read_rules([tmp_path / name]), PLAY)


@pytest.mark.parametrize("name", bundled_worlds())
def test_a_whole_sentence_leaves_nothing_open(name: str) -> None:
    for rule in load_world(name).rules():
        assert parse_part(tell(rule)) == rule


@pytest.mark.parametrize(
    ("sentence", "rule", "unsaid"),
    [
        ("Mining stone yields 1 stone", "collect.stone", {"requires", "leaves", "spawns"}),
        (
            "Collecting from stone with a wood pickaxe leaves a path",
            "collect.stone",
            {"yields", "spawns"},
        ),
        ("Placing a table uses 2 wood", "place.table", {"where"}),
        ("Making a wood pickaxe needs a table nearby", "make.wood_pickaxe", {"uses"}),
        ("A cow can be eaten, which gives 6 food; it wanders about", "creature.cow", set()),
    ],
)
def test_what_a_sentence_does_not_say_is_unknown(
    sentence: str, rule: str, unsaid: set[str]
) -> None:
    found = parse_part(sentence)
    assert found.id == rule and set(found.uncertain_fields) == unsaid
    assert all(getattr(found, name) is UNKNOWN for name in unsaid)


def test_a_tool_may_be_told_with_the_material() -> None:
    said = "Collecting from stone with a wood pickaxe yields 1 stone and leaves path"
    assert parse(said) == load_world("default")["collect.stone"]


def test_nonsense_is_refused() -> None:
    with pytest.raises(ParseError):
        parse_part("Placing a table is fun")


def test_each_sentence_is_judged_by_what_it_says(tmp_path: Path) -> None:
    found = checked(
        tmp_path,
        "# guesses\n\nCollecting from a tree yields 1 wood\n"
        "collecting from tree leaves grass\n- Collecting from a tree leaves a path.\n"
        "Water cannot be walked on\n",
    )
    wood, grass, path, water = found.rules
    assert [each.id for each in found.rules] == ["collect.tree"] * 3 + ["walk.water"]
    assert (wood.verdict, grass.verdict, path.verdict) == ("undecided", "contradicted", "supported")
    assert "1 wood with 90%" in wood.left["yields"], "too few tries to tell"
    assert grass.source.endswith("rules.txt:4") and set(grass.fields) == {"collectable", "leaves"}
    assert grass.applicable == grass.contradicted == wood.applicable
    example = grass.counterexamples[0]
    assert example.predicted == "leaves: grass" and example.action == "do"
    assert example.before is not None and example.before.faces == "tree"
    assert example.after is not None and example.after.holds["wood"] > 0
    assert water.verdict == "contradicted" and found.contradicted


def test_moves_are_told_with_what_they_lead_to(tmp_path: Path) -> None:
    (water,) = checked(tmp_path, "Water cannot be walked on").rules
    example = water.counterexamples[0]
    assert example.action and example.action.startswith("move")
    assert example.before is not None and example.before.faces == "water"


def test_the_players_manual_is_a_file_of_rules(tmp_path: Path) -> None:
    found = checked(tmp_path, manual(TRUTH), "manual.md")
    assert not found.contradicted and len(found.rules) == 42
    start, *others = found.rules
    assert (start.id, start.verdict) == ("neighbour.player", "undecided"), "or grass is renamed"
    assert {rule.verdict for rule in others} == {"supported", "untested"}
    assert all(bool(rule.decide) == (rule.verdict == "untested") for rule in others)
    assert any(rule.guessed for rule in others)
    whole = check_rules(read_rules(["terr_surv"]), PLAY)
    verdicts = {rule.id: rule.verdict for rule in whole.rules}
    assert all(rule.verdict == verdicts[rule.id] for rule in others), "as the world itself"


def test_joint_blame_is_undecided_and_says_what_would_tell(tmp_path: Path) -> None:
    found = checked(
        tmp_path,
        "The player starts in an area of grass.\n"
        + "\n".join(f"Where the map would have {m}, it has {m}." for m in names.NATURAL),
    )
    start, _, grass, *others = found.rules
    assert (start.id, grass.id) == ("neighbour.player", "rename.grass")
    for rule, other in ((start, grass), (grass, start)):
        assert rule.verdict == "undecided" and other.id in rule.decide
    assert {rule.verdict for rule in others} == {"untested"}
    assert found.contradicted


def test_all_forms_in_one_file_and_in_a_folder(tmp_path: Path) -> None:
    text = """# Notes
Anything may be said here.

1. Collecting from a tree
   yields 1 wood.
* Water cannot be walked on.

```lp
violated("trees give no wood") :- did(T, do), faces(T, tree), gained(T, wood, N).
```
```python
nothing = "read"
```
```yaml
base: unknown
dynamics: mars
collect: {tree: {leaves: grass}}
```
"""
    found = checked(tmp_path, text, "notes.md")
    assert [(rule.id, rule.verdict) for rule in found.rules] == [
        ("collect.tree", "undecided"),
        ("walk.water", "contradicted"),
        ("trees give no wood", "contradicted"),
        ("collect.tree", "contradicted"),
    ]
    assert found.rules[2].source.endswith("notes.md:9")
    (tmp_path / "b.txt").write_text("Sand can be walked on.")
    (tmp_path / "ignored.csv").write_text("x")
    folder = check_rules(read_rules([tmp_path]), PLAY)
    assert [rule.id for rule in folder.rules] == ["walk.sand", *(rule.id for rule in found.rules)]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.txt", "Grass is green\nWater is wet\n", "a.txt:2: sentence"),
        ("a.txt", "# nothing\n", "there is no sentence"),
        ("a.md", "# nothing\n", "there are no rules"),
        ("a.md", "```yaml\nbase: unknown\n```\n", "a.md:2: dynamics"),
        ("a.md", "text\n```lp\np(\n```\n", "a.md:4: program"),
        ("a.json", "{}", "this is no file of rules"),
        ("a.txt", b"\xff\xfe", "this is not text"),
    ],
)
def test_bad_files_are_refused(tmp_path: Path, name: str, text: str | bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError, match=message):
        read_rules([path])


def test_missing_files_and_empty_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_rules([tmp_path / "none.txt"])
    with pytest.raises(InputError, match="there are no rules"):
        read_rules([tmp_path])
