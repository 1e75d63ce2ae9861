"""Hypotheses in sentences: read in part, put together, each judged by what it says itself."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mars_logic import bundled_worlds, load_world
from mars_logic.errors import InputError
from mars_logic.theory.rulesets import Rules, Statement, Unreadable, check_rules, read_rules
from mars_logic.world import names
from mars_logic.world.rules import Walk
from mars_logic.world.words import WHOLE_RULES, ParseError, manual, parse, parse_part
from tests.theory.play import play

TRUTH = load_world("terr_surv")
PLAY = play(TRUTH, range(6))


def checked(tmp_path: Path, text: str, name: str = "rules.txt") -> Rules:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return check_rules(read_rules([tmp_path / name]), PLAY)


def sentences(tmp_path: Path, text: str, name: str = "rules.txt") -> tuple[Statement, ...]:
    (tmp_path / name).write_text(text, encoding="utf-8")
    (found,) = read_rules([tmp_path / name])
    assert isinstance(found, tuple)
    return found


@pytest.mark.parametrize("name", bundled_worlds())
def test_a_manual_tells_whole_rules(tmp_path: Path, name: str) -> None:
    world = load_world(name)
    for each in sentences(tmp_path, manual(world), "manual.md"):
        assert each.rule == world[each.rule.id]


def test_any_file_may_say_that_it_tells_whole_rules(tmp_path: Path) -> None:
    (alone,) = sentences(tmp_path, "Water can be walked on")
    assert set(alone.rule.uncertain_fields) == {"health", "deadly"}
    for said in (WHOLE_RULES, "- each sentence tells its WHOLE rule", f"**{WHOLE_RULES}**"):
        (whole,) = sentences(tmp_path, f"1. Water can be walked on\n{said}\n")
        assert whole.rule == Walk(subject="water", walkable=True)
        (listed,) = sentences(tmp_path, f"{said}\n\n* Water can be walked on\n", "rules.md")
        assert listed.rule == whole.rule and listed.text == "Water can be walked on"
    (comment,) = sentences(tmp_path, f"# {WHOLE_RULES}\nWater can be walked on")
    assert comment.rule == alone.rule


def test_a_sentence_of_a_manual_that_tells_too_little_is_unreadable(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(
        f"{WHOLE_RULES}\nPlacing a table uses 2 wood\n", encoding="utf-8"
    )
    (found,) = read_rules([tmp_path / "a.txt"])
    assert isinstance(found, Unreadable) and found.line == 2
    assert "says nothing of where" in found.problem


@pytest.mark.parametrize(
    "line",
    ["- {}", "* {}", "+ {}", "7. {}.", "12) {}", "\u2022 {}", "  {}!", "**{}**", "{}".upper()],
)
def test_lists_and_emphasis_do_not_matter(tmp_path: Path, line: str) -> None:
    (found,) = sentences(tmp_path, line.format("Zombies can be eaten"))
    assert found.rule.id == "creature.zombie" and dict(found.rule)["eatable"] is True


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


@pytest.mark.slow
def test_the_players_manual_is_a_file_of_rules(tmp_path: Path) -> None:
    found = checked(tmp_path, manual(TRUTH), "manual.md")
    assert not found.contradicted and len(found.rules) == 42
    start, *others = found.rules
    assert (start.id, start.verdict) == ("neighbour.player", "untested"), "or grass is renamed"
    assert {"supported", "untested"} <= {rule.verdict for rule in others}
    assert all(bool(rule.decide) == (rule.verdict != "supported") for rule in others)
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


@pytest.mark.slow
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
    (tmp_path / "b.txt").write_text("Sand can be walked on.", encoding="utf-8")
    (tmp_path / "ignored.csv").write_text("x", encoding="utf-8")
    folder = check_rules(read_rules([tmp_path]), PLAY)
    assert [rule.id for rule in folder.rules] == ["walk.sand", *(rule.id for rule in found.rules)]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
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


def test_what_cannot_be_read_does_not_hide_the_rest(tmp_path: Path) -> None:
    found = checked(
        tmp_path,
        "Collecting from a tree yields 1 wood\nGrass is green\n"
        "Collecting from a tree laeves grass\n- Collecting from a tree leaves grass\n",
    )
    assert [rule.verdict for rule in found.rules] == ["undecided", "contradicted"]
    green, typing = found.unreadable
    assert (Path(green.file).name, green.line, green.text) == ("rules.txt", 2, "Grass is green")
    assert parse(green.nearest).subject == "grass"
    assert typing.line == 3 and 'did you mean "leaves"?' in typing.problem
    assert str(typing).startswith(f"{typing.file}:3: sentence: cannot read")
    assert typing.nearest in str(typing)
    assert set(typing.to_json()) == {
        "file",
        "line",
        "text",
        "problem",
        "nearest",
        "what",
        "proposals",
    }


def test_silence_denies_nothing(tmp_path: Path) -> None:
    """Moves on water give health in this world."""
    silent, whole = (
        checked(tmp_path, text).rules[0]
        for text in ("Water can be walked on", f"{WHOLE_RULES}\nWater can be walked on")
    )
    assert (silent.verdict, whole.verdict) == ("supported", "contradicted")
    assert set(silent.fields) == {"walkable"} and set(whole.fields) == {
        "walkable",
        "health",
        "deadly",
    }


def test_missing_files_and_empty_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_rules([tmp_path / "none.txt"])
    with pytest.raises(InputError, match="there are no rules"):
        read_rules([tmp_path])


MIXED = """# Rules
- Collecting from a tree yields 1 wood
- Grass is green

```yaml
base: terr_surv
collect: {tree: {yelds: {}}}
```

```lp

violated(x) :- didd(T, do).
```

```lp
violated(y, 99999) :- did(T, do).
```

```yaml
base: crafter
```

```lp
violated(z, T) :- did(T, do), faces(T, tree).
```
"""


@pytest.mark.slow
def test_wrong_theories_and_programs_among_others_are_told_and_the_rest_is_judged(
    tmp_path: Path,
) -> None:
    found = checked(tmp_path, MIXED, "rules.md")
    assert [rule.id for rule in found.rules] == ["collect.tree", "z"]
    assert found.rules[1].contradicted
    told = [(each.line, each.what) for each in found.unreadable]
    assert told == [
        *((3, "sentence"), (7, "collect.tree.yelds"), (12, "program")),
        *((1, "program"), (1, "dynamics")),
    ]
    assert "did you mean 'did'" in found.unreadable[2].problem
    assert "no transition 99999" in found.unreadable[3].problem
    assert all(str(each).startswith(str(tmp_path / "rules.md")) for each in found.unreadable)


def test_a_wrong_file_of_a_folder_is_told_and_the_rest_is_judged(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "loop.yaml").symlink_to("loop.yaml")
    (tmp_path / "wrong.lp").write_text("violated(x :-", encoding="utf-8")
    (tmp_path / "right.txt").write_text("Collecting from a tree yields 1 wood\n", encoding="utf-8")
    found = check_rules(read_rules([tmp_path]), PLAY)
    assert [rule.id for rule in found.rules] == ["collect.tree"]
    assert [Path(each.file).name for each in found.unreadable] == [
        *("loop.yaml", "pipe.txt", "wrong.lp")
    ]


def test_the_nearest_form_is_sought_for_the_first_lines_alone(tmp_path: Path) -> None:
    found = checked(tmp_path, "".join(f"Grass is green {n}\n" for n in range(40)))
    hints = [bool(each.nearest) for each in found.unreadable]
    assert hints == [True] * 10 + [False] * 30
    assert "the nearest form" not in str(found.unreadable[-1])


def test_files_of_sentences_are_bounded(tmp_path: Path) -> None:
    path = tmp_path / "rules.txt"
    path.write_text("xq zt\n" * 150_000, encoding="utf-8")
    with pytest.raises(InputError, match="there are 150,000 sentences; allowed: at most 1,000"):
        read_rules([path])
    path.write_text("Collecting from stone needs " + "1 wood and " * 80_000, encoding="utf-8")
    (long,) = read_rules([path])
    assert isinstance(long, Unreadable) and "it is too long" in long.problem
    assert len(str(long)) < 300


def test_many_sentences_that_exclude_each_other_are_judged_in_seconds(tmp_path: Path) -> None:
    told = "".join(
        f"Collecting from stone needs {n} {item} and yields {k} {item}.\n"
        for item in ("wood", "stone", "coal", "iron")
        for n in range(1, 6)
        for k in range(1, 6)
    )
    assert len(checked(tmp_path, told).rules) == 100


def test_a_true_sentence_is_not_refuted_for_what_it_leaves_out(tmp_path: Path) -> None:
    """Each of these is true of terr_surv or of what all worlds share, and says little."""
    grounds = ", ".join(TRUTH.place["table"].where[:1])
    lines = [
        f"A table can be placed on {grounds}.",
        "Placing a table requires wood.",
        "Making an iron sword needs coal.",
        "Trees yield wood.",
        "Collecting from a tree doesn't need a wood pickaxe.",
        "Drinking water costs you health.",
        "Moving on water gives health.",
    ]
    found = checked(tmp_path, "\n".join(lines))
    assert not found.unreadable
    assert [rule.text for rule in found.rules if rule.verdict == "contradicted"] == []
    assert {rule.verdict for rule in found.rules} >= {"supported"}


def test_a_false_part_is_refuted(tmp_path: Path) -> None:
    lines = ("Trees yield coal.", "Moving on water costs health.", "Trees yield 2 wood.")
    found = checked(tmp_path, "\n".join(lines))
    assert [rule.verdict for rule in found.rules] == ["contradicted"] * 3
    assert found.rules[1].counterexamples[0].predicted == "health: < 0"
