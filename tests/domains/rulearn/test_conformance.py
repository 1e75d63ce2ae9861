"""Recordings of the reference's puzzles are replayed without a difference; a change is noticed."""

from __future__ import annotations

import copy
import json

import pytest

from mars_logic.domains.recordings import conform_recording
from mars_logic.errors import InputError
from tests.paths import DATA, SHARED

SELECTION = sorted((DATA / "rulearn").glob("*.jsonl"))
FOLDER = SHARED / "reference" / "systems" / "golden" / "rulearn"
ALL = [path for path in (FOLDER / file.name for file in SELECTION) if path.exists()]


def episodes(family):
    path = DATA / "rulearn" / f"{family}.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def conformed(tmp_path, *found):
    path = tmp_path / "recording.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in found), encoding="utf-8")
    return conform_recording(path)


@pytest.mark.parametrize("path", SELECTION, ids=lambda path: path.stem)
def test_the_selection(path):
    found = conform_recording(path)
    assert found.difference is None and found.agrees
    recorded = episodes(path.stem)
    assert found.episodes == len(recorded) == 4
    assert found.steps == sum(len(each["steps"]) for each in recorded) > 20


@pytest.mark.skipif(not ALL, reason="the recordings are not at hand")
def test_all_recordings():
    found = [conform_recording(path) for path in ALL]
    assert [each.difference for each in found] == [None] * 3
    assert sum(each.episodes for each in found) == 360
    assert sum(each.steps for each in found) == 3_998


def leaves(value, path=()):
    """All paths to plain values."""
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, each in pairs:
            yield from leaves(each, (*path, key))
    else:
        yield path


def changed(value):
    if value is None or isinstance(value, bool):
        return not value
    return value + "?" if isinstance(value, str) else value + 1


@pytest.mark.parametrize("family", [path.stem for path in SELECTION])
def test_each_changed_outcome_is_noticed(tmp_path, family):
    episode = episodes(family)[0]
    parts = ["start", "end", *(["steps", at, "outcome"] for at in range(len(episode["steps"])))]
    tried = 0
    for part in parts:
        keys = [part] if isinstance(part, str) else part
        inner = episode
        for key in keys:
            inner = inner[key]
        for path in leaves(inner):
            other = copy.deepcopy(episode)
            target = other
            for key in (*keys, *path[:-1]):
                target = target[key]
            target[path[-1]] = changed(target[path[-1]])
            found = conformed(tmp_path, other).difference
            assert found is not None and found.episode == episode["id"]
            if len(keys) == 1:
                assert (found.part, found.step, found.field) == (keys[0], None, path[0])
            else:
                where = ("step", keys[1], f"outcome.{path[0]}")
                assert (found.part, found.step, found.field) == where
            tried += 1
    assert tried > 50


def drawing(family):
    """An episode and the number of a step in it that drew something."""
    for episode in episodes(family):
        for at, step in enumerate(episode["steps"]):
            if step["draws"]:
                return episode, at
    raise AssertionError("nothing is drawn")


@pytest.mark.parametrize("family", ["function_operator", "reactor"])
def test_draws_that_are_missing_left_over_or_impossible(tmp_path, family):
    episode, at = drawing(family)
    draws = episode["steps"][at]["draws"]
    kept = copy.deepcopy(draws)
    for wrong, told in (
        ([], "missing or impossible; allowed:"),
        ([*kept, {"draw": "randint", "value": 1}], "1 of the outcomes are left over"),
        ([kept[0] | {"value": [10]}, *kept[1:]], "missing or impossible; allowed:"),
        ([kept[0] | {"value": 99}, *kept[1:]], "missing or impossible; allowed:"),
    ):
        episode["steps"][at]["draws"] = wrong
        with pytest.raises(InputError, match=rf":1: steps\[{at}\]\.draws: ") as error:
            conformed(tmp_path, episode)
        assert told in str(error.value) and "\n" not in str(error.value)


def test_an_action_that_is_not_on_offer(tmp_path):
    episode = episodes("reactor")[0]
    episode["steps"][0]["action"] = {"do": "submit"}
    found = conformed(tmp_path, episode).difference
    assert (
        found and (found.step, found.field) == (0, "action") and "not on offer" in found.simulated
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", ":1: file: the file is empty"),
        ("[", ":1: file: no JSON"),
        ("[1]", "is not a mapping"),
        ('{"id": "x"}', ":1: family: this field is missing"),
    ],
)
def test_what_is_no_recording(tmp_path, text, told):
    path = tmp_path / "recording.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        conform_recording(path)
    assert told in str(error.value) and "\n" not in str(error.value)


def test_an_unknown_puzzle(tmp_path):
    episode = episodes("reactor")[0]
    episode["puzzle"]["id"] = "re_r9_01"
    with pytest.raises(InputError, match=r"puzzle\.id: unknown puzzle 'rulearn/re_r9_01', did you"):
        conformed(tmp_path, episode)
