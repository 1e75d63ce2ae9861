"""The command ``read``, and what other commands do with Messenger."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import typer

from mars_logic.domains import load_game_theory
from tests.cli.conftest import Run

MANUAL = """\
# a comment
the hound that runs from you is the vital target.
a sorcerer comes closer, and it is deadly.
the secret papers are with the ferry that does not move.
"""


@pytest.fixture
def manual(tmp_path: Path) -> Path:
    path = tmp_path / "manual.txt"
    path.write_text(MANUAL, encoding="utf-8")
    return path


def test_a_manual_becomes_a_theory(run: Run, manual: Path, tmp_path: Path) -> None:
    theory = tmp_path / "theory.yaml"
    found = run("messenger", "read", manual, "--names", "mage,dog,ship", "-o", theory)
    assert found.status == 0
    assert "‘hound’ → dog, ‘vital target’ → goal, ‘runs from you’ → fleeing" in found.out
    assert "comment" not in found.out
    game = load_game_theory(theory)
    assert "goal" in game.uncertain
    likeliest = {role: getattr(game, role).values[0] for role in ("enemy", "message", "goal")}
    assert likeliest == {"enemy": "mage", "message": "ship", "goal": "dog"}
    assert getattr(game, "goal_motion").values[0] == "fleeing"  # noqa: B009 (mypy knows Game)
    assert run("validate", theory).status == 0 and "mage (99%)" in run("show", theory).out
    assert run("messenger", "read", manual, "-o", theory).status == 2  # it is there


def test_names_are_inferred_and_told_to_programs(run: Run, manual: Path) -> None:
    document = run("messenger", "read", manual, "--json").json
    assert document["schema"] == "mars-logic reading 1"
    assert document["names"] == ["mage", "dog", "ship"]
    assert document["likeliest"]["roles"] == {"enemy": "mage", "message": "ship", "goal": "dog"}
    assert sum(document["roles"]["dog"].values()) == pytest.approx(1)
    assert document["unreadable"] == []


def test_sentences_that_are_not_read_whole_count_for_nothing(
    run: Run, manual: Path, tmp_path: Path
) -> None:
    before = run("messenger", "read", manual, "--names", "mage,dog,ship", "--json").json
    manual.write_text(f"{MANUAL}the hound is not the enemy, zanily.\n", encoding="utf-8")
    found = run("messenger", "read", manual, "--names", "mage,dog,ship", "--level", "2", "--json")
    assert found.status == 2
    (unread,) = found.json["unreadable"]
    assert unread["line"] == 5 and unread["problem"].startswith('cannot read "not, zanily" in')
    assert found.json["roles"] == before["roles"]
    told = run("messenger", "read", manual, "--names", "mage,dog,ship")
    assert told.status == 2 and f'{manual}:5: sentence: cannot read "not, zanily"' in told.err
    assert 'do you mean: "the dog is the enemy" or ' in told.err
    refused = run("messenger", "read", manual, "--confirm")
    assert refused.status == 2 and "--confirm: there is no terminal to ask on" in refused.err
    manual.write_text("who knows?\n", encoding="utf-8")
    theory = tmp_path / "none.yaml"
    assert run("messenger", "read", manual, "-o", theory).status == 2 and not theory.exists()


def test_an_unread_sentence_is_what_a_person_confirms(
    run: Run, manual: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manual.write_text(MANUAL.replace("is deadly", "is rather deadly"), encoding="utf-8")
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(typer, "prompt", lambda *_, **__: 1)
    found = run("messenger", "read", manual, "--names", "mage,dog,ship", "--confirm", "--json")
    assert found.status == 0 and found.json["unreadable"] == []
    assert "the mage that comes closer is the enemy" in [
        each["sentence"] for each in found.json["sentences"]
    ]


def test_what_is_wrong(run: Run, manual: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text("# nothing\n", encoding="utf-8")
    for arguments, message in (
        ((), "MANUAL: this is missing"),
        ((manual, "--names", "dog,mage,shp"), "there is no name 'shp', did you mean 'ship'?"),
        ((manual, "--names", "dog,dog,ship"), "these are not three names"),
        ((empty,), f"{empty}:1: file: it has 0 sentences"),
        (("--learn", manual), "--out: it is missing with --learn"),
        (
            (manual, "--learn", manual, "-o", tmp_path / "n"),
            "MANUAL, --learn: they exclude each other",
        ),
    ):
        found = run("messenger", "read", *arguments)
        assert found.status == 2 and message in found.err and "; allowed: " in found.err


def test_options_of_messenger(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "kept"
    options = ("--episodes", "2", "--assignments", "all", "--observation", "text")
    found = run("run", "reader", "messenger_l1", *options, "--option", "rollouts=9", "--out", out)
    assert found.status == 0 and "100%" in found.out
    kept = sorted(out.glob("*.json"))
    assert len(kept) == 2 and "rollouts_9" in kept[0].name
    assert run("verify", *kept).status == 0
    for more, message in (
        (("--option", "speed=9"), "the player 'reader' has no option 'speed'"),
        (("--assignments", "some"), "there is no 'some'"),
        (("--option", "rollouts=0"), "rollouts: 0 is out of range"),
    ):
        found = run("run", "reader", "messenger_l1", "--episodes", "1", *more)
        assert found.status == 2 and message in found.err
    found = run("run", "random", "Hanoi3Disk", "--sentences", kept[0])
    assert found.status == 2 and "has no manual of this kind" in found.err


def test_proofs_of_starts(run: Run) -> None:
    found = run("prove", "messenger_l1", "--map", "0", "--json")
    assert found.status == 0 and found.json["starts"][0]["plan"] == ["north", "north"]
    found = run("prove", "messenger_l3", "--map", "0")
    assert found.status == 1 and "not proved: the " in found.out
    found = run("prove", "Hanoi3Disk")
    assert found.status == 2 and "not hanoi; allowed: " in found.err
