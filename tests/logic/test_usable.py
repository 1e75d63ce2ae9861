"""Rules that a proof shows as reachable can be applied, with the amounts that there are."""

from __future__ import annotations

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.logic import Proof, prove
from mars_logic.world import names
from tests.logic.fuzz_brackets import small
from tests.logic.mutants import changed, mutant

DEFAULT = load_world("default")
DEEDS = {"place": "place", "make": "make", "kill": "creature", "defeat": "creature"}


def two_trees() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Grass with two trees (which leave grass), and some stone."""
    area = np.full((64, 64), names.MATERIALS.index("grass"), np.uint8)
    area[[10, 12], 10] = names.MATERIALS.index("tree")
    area[40:45, 40:45] = names.MATERIALS.index("stone")
    return area


def agrees(proof: Proof) -> None:
    """What unlocks an achievement has its verdict; what a witness applies is reachable."""
    for name, verdict in proof.achievements.items():
        verb, _, subject = name.partition("_")
        rule = "sleep" if name == "wake_up" else f"{DEEDS.get(verb, 'creature')}.{subject}"
        if verb != "collect":
            assert proof.rules[rule] == verdict.verdict
        assert {proof.rules[step.rule] for step in verdict.witness} <= {"reachable"}


def test_what_takes_more_than_there_is_is_not_reachable() -> None:
    proof = prove(DEFAULT, area=two_trees(), creatures=[])
    agrees(proof)
    assert proof.rules["collect.tree"] == proof.rules["place.table"] == "reachable"
    assert proof.rules["make.wood_pickaxe"] == "unreachable"
    assert proof.rules["collect.stone"] == "unknown"


@pytest.mark.parametrize(("wood", "found"), ((2, "reachable"), (3, "unknown")))
def test_what_has_to_be_held_counts(wood: int, found: str) -> None:
    world = changed(DEFAULT, "collect.stone", requires={"wood": wood})
    assert prove(world, area=two_trees(), creatures=[]).rules["collect.stone"] == found


def test_what_nobody_comes_across_is_unreachable() -> None:
    rules = prove(DEFAULT, area=two_trees(), creatures=[]).rules
    assert rules["collect.diamond"] == rules["collect.water"] == "unreachable"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_rules_agree_with_verdicts(seed: int) -> None:
    agrees(prove(mutant(seed)))
    world, area = small(seed)
    agrees(prove(world, area=area, creatures=[]))


def test_rules_that_give_nothing_new_are_looked_at_too() -> None:
    """No witness collects from iron here, but it can be done, and from diamond it cannot."""
    proof = prove(changed(DEFAULT, "collect.iron", yields={"coal": 1}))
    applied = {step.rule for v in proof.achievements.values() for step in v.witness}
    assert not applied & {"collect.iron", "collect.diamond"}
    assert proof.rules["collect.iron"] == "reachable"
    assert proof.rules["collect.diamond"] == "unreachable"
