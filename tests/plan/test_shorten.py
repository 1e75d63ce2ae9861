from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from mars_logic.plan.abstract import AbstractPlan, Target
from mars_logic.plan.agenda import Agenda
from mars_logic.plan.errand import make_errand
from mars_logic.plan.ground import Situation
from mars_logic.plan.itinerary import make_itinerary
from mars_logic.plan.itinerary_state import NOWHERE, Errand
from mars_logic.plan.progress import together, usable
from mars_logic.plan.shorten import shorten
from mars_logic.plan.sites import Sites
from mars_logic.plan.stations import once_more, placed_again
from tests.plan.scenes import at, situation
from tests.plan.test_itinerary import planned


def errand_for(here: Situation, *targets: Target) -> tuple[Errand, Sites]:
    """What is to be done, each target as often as it says."""
    once = [Target(target.rule, 1, target.gain) for target in targets]
    counts = [target.times for target in targets]
    sites = Sites(here, once, counts)
    errand = make_errand(here, list(zip(once, counts, strict=True)), sites, {}, {}, None)
    return errand, sites


def test_it_puts_stops_in_an_order_with_less_walking() -> None:
    here = situation("TT@.......TT")
    errand, sites = errand_for(here, Target("collect.tree", 4))
    far, near = sites.cells.index(at(10, 0)), sites.cells.index(at(1, 0))
    behind, beyond = sites.cells.index(at(0, 0)), sites.cells.index(at(11, 0))
    there_and_back = np.array([[0, near], [0, far], [0, behind], [0, beyond]], np.int64)
    stops, end = shorten(errand, there_and_back)
    assert stops[:, 1].tolist() == [near, behind, far, beyond]
    assert end < errand.now + 4 * 20  # twenty steps


def test_what_cannot_be_carried_out_stays_as_it_is() -> None:
    errand, _ = errand_for(situation("@..t"), Target("make.wood_pickaxe"))
    stops, end = shorten(errand, np.array([[0, 0]], np.int64))
    assert end >= NOWHERE and stops.tolist() == [[0, 0]]


@pytest.mark.parametrize(("name", "seed"), [("default", 3), ("survival", 4)])
def test_what_is_followed_is_kept_and_gets_no_longer(name: str, seed: int) -> None:
    here, plan, found = planned(name, seed)
    near = together(here.lore, plan.targets)
    again = make_itinerary(here, plan, {}, near, None, found)
    assert again.whole and again.end <= found.end
    assert Counter(s.target for s in again.stops) == Counter(s.target for s in found.stops)
    assert AbstractPlan(tuple(s.target for s in again.stops)).works(here.lore.world, {})


def test_what_does_not_fit_any_more_is_not_followed() -> None:
    here = situation("T..@..T", ground=".")
    plan = AbstractPlan((Target("collect.tree", 2),))
    found = make_itinerary(here, plan, {}, {}, None)
    gone = situation("...@..T")
    later = make_itinerary(gone, AbstractPlan((Target("collect.tree"),)), {}, {}, None, found)
    assert [stop.cell for stop in later.stops] == [at(6, 0)]


def test_a_creature_that_comes_is_met_besides() -> None:
    plan = AbstractPlan((Target("collect.tree"), Target("creature.cow")))
    found = make_itinerary(situation("@..T..."), plan, {}, {}, None)
    assert found.absent == {"creature.cow"} and not found.missing and not found.whole
    later = make_itinerary(situation("@..T..C"), plan, {}, {}, None, found)
    assert later.whole and len(later.stops) == 2


def test_more_stations_take_what_they_use() -> None:
    here = situation("@..T")
    plan = AbstractPlan((Target("collect.tree", 2), Target("make.wood_pickaxe")))
    more = once_more(here.lore.world, plan, {"table"}, {})
    assert more is not None
    assert sum(t.times for t in more.targets if t.rule == "collect.tree") == 3
    assert more.works(here.lore.world, {})
    rich = once_more(here.lore.world, plan, {"table"}, {"wood": 9})
    assert rich is not None and rich.interactions == plan.interactions + 1
    assert once_more(here.lore.world, plan, {"furnace"}, {}) is None  # no pickaxe


FAR_TABLE = "t" + "." * 30 + "@T.."


def making(here: Situation, *targets: Target) -> Agenda:
    """An agenda that follows a plan."""
    agenda = Agenda(here.lore.world, here.lore, None)
    agenda.follow(AbstractPlan(targets))
    agenda.update(here)
    return agenda


def test_a_second_table_is_placed_where_the_first_is_far() -> None:
    here = situation(FAR_TABLE, wood=4, unlocked=("place_table",))
    agenda = making(here, Target("make.wood_pickaxe"), Target("make.wood_sword"))
    assert next(target.rule for target in agenda.targets) == "place.table"
    near = situation("t...@T..", wood=4, unlocked=("place_table",))
    agenda = making(near, Target("make.wood_pickaxe"), Target("make.wood_sword"))
    assert "place.table" not in {target.rule for target in agenda.targets}


def test_a_second_table_that_saves_nothing_is_not_placed() -> None:
    here = situation("t.@T..", wood=6, unlocked=("place_table",))
    plan = AbstractPlan((Target("place.table"), Target("make.wood_pickaxe")))
    assert placed_again(here, plan, here.seen) == {"place.table"}
    new = situation("..@T..", wood=6)
    assert placed_again(new, plan, new.seen) == set()
    agenda = making(here, *plan.targets)
    assert [target.rule for target in agenda.targets] == ["make.wood_pickaxe"]


def test_a_second_table_is_placed_where_the_first_is_of_no_use() -> None:
    here = situation("t~.@T..", wood=6)
    plan = AbstractPlan((Target("place.table"), Target("make.wood_pickaxe")))
    assert placed_again(here, plan, usable(here, frozenset({"table"}))) == set()


@pytest.mark.parametrize(("drawing", "called"), [("~@..Z", False), ("~@...", True)])
def test_nobody_calls_a_creature_that_is_there(drawing: str, called: bool) -> None:
    here = situation(drawing, "surv_task", sapling=2)
    lucky = Target("collect.lava", 1, "zombie")
    agenda = making(here, lucky, Target("creature.zombie"))
    assert (lucky in agenda.targets) is called


def test_what_is_held_for_the_next_things_is_earmarked_until_more_of_it_is_collected() -> None:
    here = situation("t@T..#", wood=1, stone=2, wood_pickaxe=1)
    agenda = making(
        here,
        Target("make.stone_pickaxe"),
        Target("collect.tree"),
        Target("collect.stone", 2),
        Target("place.stone", 3),
    )
    earmarked = dict(agenda.earmarked)
    assert earmarked["wood"] == 1 and 1 <= earmarked["stone"] <= 4
