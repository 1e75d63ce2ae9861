"""The benchmark that verifies checking: it finds what is wrong, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mars_logic import Theory, load_world
from mars_logic.benchmarks.exercised import exercises
from mars_logic.benchmarks.verification import VerificationJob, _by_rule, verified
from mars_logic.benchmarks.verification_page import page
from mars_logic.data.recorder import Recorder
from mars_logic.play.attempted_play import _Watcher
from mars_logic.play.episodes import play as play_episode
from mars_logic.sim import Simulator
from mars_logic.theory import Evidence, check
from mars_logic.world import names
from mars_logic.world.theory import World
from tests.theory.play import Busy, evidence
from tests.theory.worlds import with_field, wrong_values


@pytest.mark.long
def test_a_small_verification(tmp_path: Path) -> None:
    job = VerificationJob("default", "default", 3000, 0, tmp_path / "default.json")
    result = verified(job)
    assert result.false == [] and sum(result.transitions.values()) >= 3000
    exercised, detected = (sum(each.values()) for each in (result.exercised, result.detected))
    assert exercised > 120 and exercised * 0.8 < detected <= exercised
    assert len(result.missed) == exercised - detected
    assert result.unseen > 0 and result.equal > 0
    alone = result.alone
    assert alone["disagree"] == alone["false_supported"] == []
    assert alone["false"]["contradicted"] > 100 and "supported" not in alone["false"]
    assert alone["true"]["supported"] > 20 and "contradicted" not in alone["true"]
    assert verified(job) == result, "what was kept is not done again"
    document = {"results": [vars(result)], "level": 1e-6, "machine": {"cores": "2"}}
    assert "| default | 3," in page(document) and "| example |" in page(document)


def test_what_speaks_of_a_rule_is_all_that_speaks_of_it() -> None:
    """Wrong values are judged by a part of the record; the whole of it says the same."""
    world, seen = load_world("default"), evidence("default", 60)
    parts = _by_rule(seen)
    for rule, name in (
        ("creature.cow", "approaches"),
        ("creature.skeleton", "shoots"),
        ("walk.sand", "health"),
        ("collect.tree", "leaves"),
        ("neighbour.player", "material"),
    ):
        for value in wrong_values(world, (rule, name)):
            wrong = with_field(Theory.from_world(world), (rule, name), value)
            whole = {conflict.fields for conflict in check(wrong, seen).conflicts}
            assert {conflict.fields for conflict in check(wrong, parts[rule]).conflicts} == whole
            assert whole, (rule, value)


@pytest.mark.parametrize(
    ("rule", "name", "value", "whether"),
    [
        ("collect.tree", "leaves", "path", True),
        ("collect.grass", "yields", {"sapling": {"amount": 1, "probability": 0.11}}, True),
        ("collect.tree", "requires", {"iron_pickaxe": 1}, True),
        ("collect.sand", "collectable", False, False),  # nothing comes of it either way
        ("creature.cow", "attack_health_factor", -1, False),  # it does not attack
        ("creature.cow", "attacks", True, False),  # which takes nothing
        ("creature.cow", "walks", False, True),
        ("creature.cow", "eaten_food_factor", -1, True),
        ("make.iron_pickaxe", "nearby", ["table"], False),  # it was never near enough to one
        ("drink.water", "food", 1, True),
        ("walk.sand", "health", -1, True),
        ("walk.lava", "health", -1, False),  # who treads on it is dead
    ],
)
def test_what_is_exercised(rule: str, name: str, value: object, whether: bool) -> None:
    truth = Theory.from_world(load_world("default"))
    wrong = with_field(truth, (rule, name), value)[rule]
    assert exercises(evidence("default", 60), truth, wrong, name) is whether


def test_a_wrong_rule_that_is_not_exercised_changes_nothing_in_the_game() -> None:
    """The game goes on from every state that was met, by the true rules and by the wrong one."""
    world = load_world("default")
    theory, simulator = Theory.from_world(world), Simulator(world)
    goals = names.achievements(world.dynamics)
    watcher, recorder = _Watcher(simulator), Recorder(world, 3, agent="busy")
    play_episode(Busy(), simulator, 3, goals, observer=_Both((watcher, recorder)), limit=250)
    seen, met = Evidence.of([recorder.trajectory()]), watcher.snapshot()
    actions = np.resize(recorder.trajectory().action, len(met)).astype(np.int64)

    def after(rules: Theory) -> list[NDArray[Any]]:
        trial = Simulator(World.from_rules(world.dynamics, rules.rules(), name="trial"), len(met))
        trial.restore(met)
        trial.step(actions)
        return [np.array(getattr(trial.observe(), name)) for name in ("materials", "inventory")]

    true = after(theory)
    changed = same = 0
    for rule in world.rules():
        # Others differ by chance as soon as one more random number is drawn.
        for name in rule.field_names() if rule.family in ("walk", "drink", "make", "place") else ():
            for value in wrong_values(world, (rule.id, name)):
                wrong = with_field(theory, (rule.id, name), value)
                differs = any((a != b).any() for a, b in zip(true, after(wrong), strict=True))
                exercised = exercises(seen, theory, wrong[rule.id], name)
                assert exercised or not differs, (rule.id, name, value)
                changed, same = changed + differs, same + (not exercised)
    assert changed > 20 and same > 50


class _Both:
    """Two observers of an episode."""

    def __init__(self, observers: tuple[Any, ...]) -> None:
        self._observers = observers

    def begin(self, observation: Any) -> None:
        for each in self._observers:
            each.begin(observation)

    def note(self, *told: Any) -> None:
        for each in self._observers:
            each.note(*told)
