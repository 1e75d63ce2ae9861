from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mars_logic import load_world
from mars_logic.agents.random import RandomAgent
from mars_logic.errors import InputError
from mars_logic.play.certificate import Certificate, certify, load, save, verify
from mars_logic.play.episodes import play
from mars_logic.sim import Simulator
from mars_logic.system.files import write_atomically

WORLD = load_world("surv_task")


@pytest.fixture(scope="module")
def good() -> Certificate:
    simulator = Simulator(WORLD)
    played = [play(RandomAgent(), simulator, seed, WORLD.achievements) for seed in range(5)]
    best = max(played, key=lambda episode: len(episode.unlocked))
    assert len(best.unlocked) >= 2, "the tests below tamper with two achievements"
    return certify(best, WORLD, "surv_task", "random")


def test_what_was_played_is_valid(good: Certificate) -> None:
    found = verify(good, WORLD)
    assert found.valid and not found.problems
    assert found.unlocked == good.unlocked and found.reward == good.reward


def test_written_and_read_again(good: Certificate, tmp_path: Path) -> None:
    path = tmp_path / "episode.json"
    save(good, path)
    assert load(path) == good
    document = json.loads(path.read_text(encoding="utf-8"))
    assert document["schema"] == "mars-logic certificate 1"
    assert document["world"] == {"name": "surv_task", "digest": WORLD.digest}
    assert document["lower_bound"] is None
    assert {"mars-logic", "numba", "numpy"} == set(document["versions"])


def tampered(good: Certificate, **changes: Any) -> Certificate:
    return Certificate.model_validate(good.model_dump(by_alias=True) | changes)


def test_an_achievement_claimed_too_early(good: Certificate) -> None:
    name, step = next(iter(good.unlocked.items()))
    found = verify(tampered(good, unlocked=good.unlocked | {name: max(1, step - 1)}), WORLD)
    assert found.valid == (step == 1)
    name, step = list(good.unlocked.items())[-1]
    found = verify(tampered(good, unlocked=good.unlocked | {name: step + 1}), WORLD)
    assert found.problems == (
        f"{name} is claimed at step {step + 1} and was unlocked at step {step}",
    )


def test_an_achievement_that_was_not_unlocked(good: Certificate) -> None:
    found = verify(tampered(good, unlocked=good.unlocked | {"collect_iron": 3}), WORLD)
    assert found.problems == ("collect_iron is claimed at step 3 and was unlocked never",)


def test_an_achievement_concealed(good: Certificate) -> None:
    name, step = next(iter(good.unlocked.items()))
    rest = {other: at for other, at in good.unlocked.items() if other != name}
    found = verify(tampered(good, unlocked=rest), WORLD)
    assert found.problems == (f"{name} is claimed never and was unlocked at step {step}",)


def test_another_world(good: Certificate) -> None:
    assert not verify(good, load_world("default")).valid
    reference = good.world.model_copy(update={"digest": "0" * 64})
    found = verify(good.model_copy(update={"world": reference}), WORLD)
    assert found.problems == (f"its world has the digest {'0' * 12}, not {WORLD.digest[:12]}",)


def test_other_dynamics(good: Certificate) -> None:
    assert verify(tampered(good, dynamics="crafter"), WORLD).problems == (
        "its dynamics are crafter, not mars",
    )


def test_another_seed_or_episode(good: Certificate) -> None:
    assert not verify(tampered(good, seed=good.seed + 1000), WORLD).valid
    assert not verify(tampered(good, episode=2), WORLD).valid


def test_changed_actions(good: Certificate) -> None:
    """Leaving out everything but noops loses the achievements."""
    noops = (0,) * len(good.actions)
    assert not verify(tampered(good, actions=noops), WORLD).valid


def test_one_changed_action(good: Certificate) -> None:
    """Whoever leaves out what unlocked an achievement has not unlocked it then.

    Waking up is no action: a sleeper sleeps on, whatever it chooses.
    """
    for step in {name: at for name, at in good.unlocked.items() if name != "wake_up"}.values():
        actions = (*good.actions[: step - 1], 0, *good.actions[step:])
        assert not verify(tampered(good, actions=actions), WORLD).valid


def test_actions_after_the_end(good: Certificate) -> None:
    longer = (*good.actions, 0, 0)
    found = verify(tampered(good, actions=longer, steps=len(longer)), WORLD)
    assert found.problems == (f"the episode is over after step {len(good.actions)}",)


def test_another_number_of_steps_or_reward(good: Certificate) -> None:
    assert not verify(tampered(good, steps=good.steps - 1), WORLD).valid
    assert not verify(tampered(good, reward=good.reward + 1.0), WORLD).valid


def test_a_lower_bound_above_what_was_needed(good: Certificate) -> None:
    last = max(good.unlocked.values())
    bound = {"steps": last + 1, "method": "wishful thinking"}
    (problem,) = verify(tampered(good, lower_bound=bound), WORLD).problems
    assert problem == f"its lower bound of {last + 1} steps is above the {last} that it took"
    bound["steps"] = last
    assert verify(tampered(good, lower_bound=bound), WORLD).valid


BROKEN = {
    "not JSON": "hello",
    "another document": '{"schema": "mars-logic run 1"}',
    "a list": "[]",
    "empty": "",
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_no_certificate_is_said_in_one_line(case: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text(BROKEN[case], encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load(path)
    message = str(caught.value)
    assert message.startswith(f"{path}:1: ") and "; allowed: " in message and "\n" not in message


@pytest.mark.parametrize(
    ("field", "value"),
    [("actions", [17]), ("actions", "do"), ("seed", 2**61), ("episode", 0), ("steps", "many")],
)
def test_a_wrong_field_is_named(
    good: Certificate, field: str, value: object, tmp_path: Path
) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(
        json.dumps(json.loads(good.model_dump_json(by_alias=True)) | {field: value}),
        encoding="utf-8",
    )
    with pytest.raises(InputError, match=f":1: {field}"):
        load(path)


def test_missing_and_oversized_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        load(tmp_path / "nowhere.json")
    with pytest.raises(InputError, match="this is a folder"):
        load(tmp_path)
    (tmp_path / "huge.json").write_text(" " * 6_000_000, encoding="utf-8")
    with pytest.raises(InputError, match="too large"):
        load(tmp_path / "huge.json")


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "missing" / "file.txt", tmp_path / "folder"):
        (tmp_path / "folder").mkdir(exist_ok=True)
        with pytest.raises(OSError) as found:
            write_atomically(path, "new")
        assert found.value.filename == str(path)
    assert [*tmp_path.iterdir()] == [tmp_path / "folder"]


def test_writing_is_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file.txt"
    write_atomically(path, "old")

    def fail(*_: object) -> None:
        raise OSError("the disk is gone")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="the disk is gone"):
        write_atomically(path, "new")
    assert path.read_text(encoding="utf-8") == "old" and [*tmp_path.iterdir()] == [path]
