from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mars_logic import World, load_world
from mars_logic.logic import prove
from mars_logic.logic.reachability_model import ReachabilityModel
from mars_logic.logic.sustainability import PERIOD, Sustainability, upkeep
from mars_logic.sim import Scene, Simulator
from mars_logic.world import names
from mars_logic.world.load import bundled_worlds

NOOP, SLEEP = (names.ACTIONS.index(name) for name in ("noop", "sleep"))


def upkeep_of(world: World) -> Sustainability:
    return upkeep(ReachabilityModel(world))


def changed(tmp_path: Path, rules: str, base: str = "default") -> World:
    path = tmp_path / "changed.yaml"
    path.write_text(f"name: changed\nbase: {base}\n{rules}", encoding="utf-8")
    return load_world(path)


@pytest.mark.parametrize("name", bundled_worlds())
def test_a_sustainable_balance_adds_up(name: str) -> None:
    found = prove(load_world(name)).upkeep
    if found.verdict == "sustainable":
        assert not found.lacking
        assert all(found.balance(vital) >= 0 for vital in names.VITALS)
    for vital in names.VITALS:
        assert (found.balance(vital) < 0) <= (vital in found.lacking)


def test_bundled_worlds_in_which_nobody_runs_dry() -> None:
    verdicts = {name: upkeep_of(load_world(name)).verdict for name in bundled_worlds()}
    assert {name for name, verdict in verdicts.items() if verdict != "sustainable"} == {
        "terr_surv",
        "terr_surv_paper",
    }


def test_needs_take_what_the_simulator_takes() -> None:
    """A player that stands and sleeps in turn, and whose vitals are put back after every step."""
    found = upkeep_of(load_world("default"))
    simulator = Simulator(load_world("default"))
    simulator.reset(0)
    start = {"health": 5, "food": 5, "drink": 5, "energy": 5}
    scene = Scene(simulator.snapshot()).clear("sand").player(inventory=start)
    lost = dict.fromkeys(names.VITALS, 0)
    for step in range(PERIOD):
        asleep = step % 100 >= 73
        scene.player(inventory=start, sleeping=asleep)
        simulator.restore(scene.at_step(1).snapshot())  # never at a balance of creatures
        simulator.step(SLEEP if asleep else NOOP)
        after = simulator.state().inventory
        for vital in names.VITALS:
            lost[vital] += start[vital] - int(after[names.ITEMS.index(vital)])
        scene = Scene(simulator.snapshot())
    assert found.needed["food"] - 1 <= lost["food"] <= found.needed["food"]
    assert found.needed["drink"] - 1 <= lost["drink"] <= found.needed["drink"]
    assert found.rest["health"] <= -lost["health"] <= found.rest["health"] + 1
    # Falling asleep and waking throw away what was counted; half a day at a time it adds up.
    assert abs(lost["energy"]) <= 10


def test_without_anything_to_drink_nobody_lives_on(tmp_path: Path) -> None:
    dry = "collect:\n  water: {collectable: false}\n  lava: {collectable: false}\n"
    found = upkeep_of(changed(tmp_path, dry))
    assert (found.verdict, found.for_an_episode, found.lacking) == (
        "unsustainable",
        False,
        ("drink",),
    )


def test_without_anything_to_eat_nobody_lives_on(tmp_path: Path) -> None:
    hungry = (
        "creature:\n  cow: {eatable: false}\n"
        "collect:\n  grass: {collectable: false}\n"  # no sapling, no plant
    )
    assert upkeep_of(changed(tmp_path, hungry)).lacking == ("food",)


def test_drinking_that_hurts_more_than_rest_heals(tmp_path: Path) -> None:
    bitter = "drink:\n  water: {drink: 1, health: -3}\n"
    assert len(upkeep_of(changed(tmp_path, bitter)).lacking) == 1  # thirst or health, as one likes


def test_what_is_used_up_may_last_for_an_episode(tmp_path: Path) -> None:
    """Two points of drink for each of some 500 cells of water, which then are gone."""
    found = upkeep_of(
        changed(tmp_path, "collect:\n  water: {leaves: sand}\n  lava: {collectable: false}\n")
    )
    assert (found.verdict, found.for_an_episode) == ("unsustainable", True)
    assert found.times["collect.water"] == 21


def test_harm_at_every_step_is_no_way_to_live(tmp_path: Path) -> None:
    thorns = "walk:\n" + "".join(
        f"  {material}: {{health: -1}}\n" for material in ("grass", "sand", "path")
    )
    assert "health" in upkeep_of(changed(tmp_path, thorns)).lacking


def test_a_given_map_decides() -> None:
    world = load_world("default")
    desert = np.full((64, 64), names.MATERIALS.index("sand"), np.uint8)
    found = prove(world, area=desert, creatures=()).upkeep
    assert found.verdict == "unsustainable"
    assert set(found.lacking) == {"food", "drink"}
