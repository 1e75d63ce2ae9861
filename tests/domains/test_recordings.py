"""Recordings of SmartPlay's games are replayed without a difference, and any change is noticed."""

from __future__ import annotations

import json

import pytest

from mars_logic.domains.recordings import conform_recording
from mars_logic.errors import InputError
from tests.paths import DATA, SHARED

SELECTION = sorted((DATA / "smartplay").glob("*.jsonl"))
"""An episode of each setting and of each way to choose actions."""
FOLDER = SHARED / "reference" / "systems" / "golden" / "smartplay"
ALL = [path for path in (FOLDER / file.name for file in SELECTION) if path.exists()]


@pytest.mark.parametrize("path", SELECTION, ids=lambda path: path.stem)
def test_the_selection(path):
    found = conform_recording(path)
    assert found.difference is None and found.agrees
    lines = path.read_text(encoding="utf-8").splitlines()
    steps = [step for line in lines for step in json.loads(line)["steps"]]
    assert found.episodes == len(lines) == sum(found.settings.values())
    assert found.steps == sum("error" not in step for step in steps)
    assert any("error" in step for step in steps)


@pytest.mark.slow
@pytest.mark.skipif(not ALL, reason="the recordings are not at hand")
def test_all_recordings():
    found = [conform_recording(path) for path in ALL]
    assert all(each.agrees for each in found)
    assert sum(each.episodes for each in found) == 796
    assert sum(each.steps for each in found) == 24_398


def episodes(name):
    path = DATA / "smartplay" / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def conformed(tmp_path, *found):
    path = tmp_path / "recording.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in found), encoding="utf-8")
    return conform_recording(path)


def other(value):
    """Something else than a value, of its kind."""
    if isinstance(value, bool):
        return not value
    if value is None:
        return 0
    if isinstance(value, list):
        return [other(value[0]), *value[1:]]
    return value + "?" if isinstance(value, str) else value + 1


STATE = {
    "bandits": ("r", "done", "score"),
    "rps": ("r", "done", "score", "result"),
    "hanoi": ("r", "done", "score", "completed", "pegs", "legal"),
    "messenger_l2": ("r", "done", "score", "completed", "has_message", "at", "options"),
}
CHANGES = [(name, field) for name, fields in STATE.items() for field in fields]


@pytest.mark.parametrize(("name", "field"), CHANGES)
def test_a_changed_field_is_named(tmp_path, name, field):
    first, second = episodes(name)[:2]
    step = next(i for i in range(5, len(second["steps"])) if "error" not in second["steps"][i])
    recorded = second["steps"][step][field]
    second["steps"][step][field] = other(recorded)
    found = conformed(tmp_path, first, second).difference
    assert (found.line, found.episode, found.step) == (2, second["episode"], step)
    assert found.field == field
    assert found.simulated == str(recorded) and found.recorded == str(other(recorded))
    assert str(found).startswith(f"{tmp_path / 'recording.jsonl'}:2: episode ")
    assert f"step {step}: {field}: recorded" in str(found)


@pytest.mark.parametrize(
    ("name", "field"),
    [
        *(("bandits", each) for each in ("p", "pay", "best")),
        *(("rps", each) for each in ("p", "win_score", "best")),
        *(("hanoi", each) for each in ("disks", "start", "goal")),
        *(("messenger_l3", each) for each in ("enemy", "motion", "at", "agent", "seen")),
    ],
)
def test_a_changed_setup_is_named(tmp_path, name, field):
    episode = episodes(name)[0]
    episode["setup"][field] = other(episode["setup"][field])
    found = conformed(tmp_path, episode).difference
    assert found.step is None and found.field in (field, "setup")
    assert ", setup: " in str(found)


def test_what_else_is_noticed(tmp_path):
    episode = episodes("bandits")[0]
    missing = json.loads(json.dumps(episode))
    del missing["steps"][3]["score"]
    assert conformed(tmp_path, missing).difference.recorded == "nothing"
    more = json.loads(json.dumps(episode))
    more["steps"][3]["colour"] = "red"
    assert conformed(tmp_path, more).difference.simulated == "nothing"
    lucky = next(e for e in episodes("bandits") if 0 not in e["setup"]["p"])
    step = next(s for s in lucky["steps"] if s.get("r") == -1)
    step["u"] = 0.0
    assert conformed(tmp_path, lucky).difference.field == "r"
    attempt = json.loads(json.dumps(episode))
    attempt["steps"][2] = {"a": 0, "error": "not an action"}
    assert conformed(tmp_path, attempt).difference.simulated == "an action"
    unheard = json.loads(json.dumps(episode))
    unheard["steps"][2]["a"] = 2
    assert conformed(tmp_path, unheard).difference.field == "a"
    answer = json.loads(json.dumps(episodes("rps")[0]))
    answer["steps"][2]["opponent"] = (answer["steps"][2]["opponent"] + 1) % 3
    assert conformed(tmp_path, answer).difference.field == "result"


BAD = [
    ("", "1: file: the file is empty"),
    ("{", "1: file: no JSON"),
    ("[]", "1: file: a list is not a mapping"),
    ('{"episode": 0}', "1: setting: this field is missing"),
    (
        '{"episode": 0, "setting": "Chess", "setup": {}, "steps": []}',
        "1: setting: there is no game 'Chess'",
    ),
    (
        '{"episode": 0, "setting": "Hanoi3Disk", "setup": {}, "steps": [{"b": 1}]}',
        "1: steps[0].a: this field is missing",
    ),
    (
        '{"episode": 0, "setting": "Hanoi3Disk", "setup": {}, "steps": [{"a": "x"}]}',
        "1: steps[0].a: 'x' is not a whole number",
    ),
]


@pytest.mark.parametrize(("text", "message"), BAD, ids=[message for _, message in BAD])
def test_what_is_no_recording(tmp_path, text, message):
    path = tmp_path / "bad.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        conform_recording(path)
    assert str(caught.value).startswith(f"{path}:{message}")
    assert "; allowed: " in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("draw", [None, "x", 7])
def test_a_draw_that_cannot_be(tmp_path, draw):
    episode = episodes("bandits")[0]
    episode["steps"][1]["u"] = draw
    with pytest.raises(InputError, match=r"recording.jsonl:1: steps\[1\].u: .*from 0 to below 1"):
        conformed(tmp_path, episode)


def test_no_such_file(tmp_path):
    with pytest.raises(InputError, match="there is no such file"):
        conform_recording(tmp_path / "none.jsonl")
