"""The released task vandal, replayed from task and seed: the same actions and the same log."""

from __future__ import annotations

from pathlib import Path

import pytest

from mars_logic.domains.conan.vandal.programs import SubtaskKind, subtasks
from mars_logic.domains.conan.vandal.tasks import PRIOR, TASKS
from tests.domains.conan.recorded import Replay, programs, read, recordings
from tests.domains.conan.tables import RECIPES


@pytest.mark.parametrize(
    "path", recordings("task", "fail"), ids=lambda path: getattr(path, "stem", None)
)
def test_decisions_log_and_outcome_are_the_recorded_ones(path: Path) -> None:
    recording = read(path)
    replay = Replay(recording)  # asserts each action
    assert replay.step == recording.meta["steps"] == len(recording.arrays["action"])
    assert replay.outcome == recording.meta["outcome"]
    assert replay.events() == recording.meta["events"]


def test_costs_of_tasks_are_those_of_the_semantics() -> None:
    """Trees, tables, stone, coal, iron and furnaces if nothing goes wrong."""
    costs = {
        "get_stone": (3, 1, 1, 0, 0, 0),
        "make_wood_sword": (3, 1, 0, 0, 0, 0),
        "make_stone_pickaxe": (8, 3, 1, 0, 0, 0),
        "get_iron": (8, 3, 1, 0, 1, 0),
        "make_bed": (9, 3, 1, 0, 0, 0),
        "get_lava": (8, 3, 5, 0, 2, 1),
        "make_iron_sword": (9, 3, 13, 1, 1, 3),
        "place_furnace": (3, 1, 4, 0, 0, 1),
        "place_table": (2, 1, 0, 0, 0, 0),
        "make_steak": (3, 1, 4, 0, 0, 1),
    }
    for task, cost in costs.items():
        parts = subtasks(RECIPES, task)
        gathered = [sum(p == (SubtaskKind.DO, name) for p in parts) for name in ("tree", "stone")]
        rest = [sum(p == (SubtaskKind.DO, name) for p in parts) for name in ("coal", "iron")]
        placed = [
            sum(p == (SubtaskKind.PLACE, name) for p in parts) for name in ("table", "furnace")
        ]
        assert (gathered[0], placed[0], gathered[1], *rest, placed[1]) == cost, task


def test_prior_of_tasks() -> None:
    assert len(TASKS) == 25
    assert sum(PRIOR.values()) == pytest.approx(1)
    assert len(programs().plans) == 55
