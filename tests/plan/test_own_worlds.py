"""Plans and play in worlds that add materials and items."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from mars_logic import World
from mars_logic.agents.informed import InformedAgent
from mars_logic.agents.oracle import OracleAgent
from mars_logic.experiments.proving import execute as play_all
from mars_logic.experiments.proving import prove
from mars_logic.logic import Step
from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.itinerary import Itinerary, ProblemColumns, make_itinerary
from mars_logic.plan.observed_map import ObservedMap, Status
from mars_logic.plan.skills import tasks_for
from mars_logic.plan.sources import sources
from mars_logic.plan.task_plan import Task, TaskPlan, make_plan
from mars_logic.plan.task_queue import is_affordable, is_done, together, unlocking
from mars_logic.plan.tour_search import SIZES
from mars_logic.plan.world_model import CODE, WorldModel
from mars_logic.play.certificate import certify, load, save, verify
from mars_logic.play.episodes import Played, play
from mars_logic.play.ordered_queue import OrderedQueue
from mars_logic.play.plan_execution import carry_out
from mars_logic.sim import Simulator
from tests.logic.own_worlds import FOUND, own
from tests.plan.scenes import works

OWN = FOUND.achievements[22:]
_MANY = "".join(f"  i{n}: {{uses: {{wood: 1}}, nearby: [m{n % 4}]}}\n" for n in range(8))
MANY = own(
    f"base: default\nadds: {{materials: {[f'm{n}' for n in range(4)]}, "
    f"items: {[f'i{n}' for n in range(8)]}}}\n"
    "place:\n"
    + "".join(f"  m{n}: {{uses: {{wood: 1}}, where: [grass, sand]}}\n" for n in range(4))
    + f"make:\n{_MANY}"
)
"""More items and stations than any world without added names has."""


def begun(world: World, seed: int = 1, **held: int) -> BeliefState:
    """The situation at the beginning of an episode, with some items and vitals."""
    simulator = Simulator(world)
    simulator.reset(seed)
    state, words = simulator.state(), world.vocabulary
    status = Status.from_state(state, words.achievements, words.items)
    amounts = dict(zip(words.items, status.inventory, strict=True)) | held
    status = replace(status, inventory=tuple(amounts.values()))
    return BeliefState(WorldModel(world), ObservedMap.from_state(state, world.dynamics), status)


def planned(world: World, seed: int = 1) -> tuple[BeliefState, TaskPlan, Itinerary]:
    here = begun(world, seed)
    plan = make_plan(world, here.seen, {})
    apart = together(here.model, plan.targets, ordered=plan.ordered)
    return here, plan, make_itinerary(here, plan, {}, apart, None)


def played(world: World, agent: OracleAgent | InformedAgent, seed: int, limit: int) -> Played:
    return play(agent, Simulator(world), seed, world.achievements, limit=limit)


def test_a_plan_and_its_itinerary_are_about_all_that_there_is() -> None:
    here, plan, found = planned(FOUND)
    rules = {target.rule for target in plan.targets}
    assert {"place.kiln", "make.copper_pickaxe", "make.pie", "eat.pie", "collect.copper"} <= rules
    assert set(plan.goals) == set(FOUND.achievements) and works(plan, FOUND, {})
    assert found.whole
    wanted: Counter[Task] = Counter()
    for target in plan.targets:
        wanted[Task(target.rule, 1, target.gain)] += target.times
    assert Counter(stop.target for stop in found.stops) == wanted
    assert works(TaskPlan(tuple(stop.target for stop in found.stops)), here.model.world, {})


@pytest.mark.slow
def test_an_itinerary_has_room_for_more_items_and_stations() -> None:
    here, plan, found = planned(MANY)
    columns = ProblemColumns.of(here, plan.targets)
    assert len(columns.items) > SIZES[0][0] and len(columns.stations) > SIZES[0][1]
    assert columns.size == SIZES[1]
    assert found.whole and set(plan.goals) == set(MANY.achievements)


def test_columns_are_those_that_targets_are_about() -> None:
    here = begun(FOUND)
    columns = ProblemColumns.of(here, [Task("make.brick"), Task("eat.pie")])
    assert columns.items == ("stone", "brick", "pie") and columns.stations == ("", "kiln")
    assert columns.size == SIZES[0] and columns.station("kiln") == 1
    assert columns.station("stone") == columns.station("table") == 0


def test_what_is_held_is_eaten() -> None:
    here = begun(FOUND, pie=1, food=2)
    (task,) = tasks_for(here, Task("eat.pie"), {})
    assert task.action == FOUND.vocabulary.actions.index("eat_pie")
    assert task.price(here) == (0, task.action)
    meals = {skill.name: effect.food for effect, skill in sources(here)}
    assert meals["eat.pie"] == 6
    hungry = begun(FOUND, food=2)
    assert tasks_for(hungry, Task("eat.pie"), {}) == []
    assert "eat.pie" not in {skill.name for _, skill in sources(hungry)}
    assert is_done(here.model, Task("eat.pie"), {}, {"pie"}, frozenset())
    assert unlocking(here.model, "eat_pie") == {"eat.pie"}


TOOLS = """
base: default
adds:
  items: [biscuit, pelt]
  creatures: {boar: {health: 1}}
map:
  drawn: |
    #####
    #@.B#
    #####
  legend: {"#": stone, B: {material: grass, creature: boar}}
collect:
  stone: {requires: {biscuit: 1}, leaves: path}
make: {biscuit: {uses: {wood: 1}, nearby: []}, wood_sword: {uses: {biscuit: 1}, nearby: []}}
eat: {biscuit: {food: 4}}
hunt: {boar: {requires: {biscuit: 1}, yields: {pelt: 1}}}
"""
"""The only way out of the room is to dig with what can be eaten."""


def test_the_last_of_a_tool_is_eaten_only_when_starving() -> None:
    world = own(TOOLS)

    def meals(held: int, food: int, walls: str = "grass") -> bool:
        here = begun(world, biscuit=held, food=food)
        materials = here.seen.materials.copy()
        materials[materials == CODE["stone"]] = CODE[walls]
        seen = replace(here.seen, materials=materials)
        here = BeliefState(here.model, seen, here.status)
        return "eat.biscuit" in {skill.name for _, skill in sources(here)}

    assert meals(2, food=3)
    assert not meals(1, food=3)
    assert meals(1, food=0)
    assert not meals(1, food=0, walls="stone")  # it is what the player digs itself out with
    assert meals(2, food=0, walls="stone")


def test_tools_of_a_plan_are_kept() -> None:
    world = own(TOOLS)
    model = WorldModel(world)
    queue = OrderedQueue(world, model, [Task("collect.stone"), Task("make.wood_sword")])
    assert dict(queue.reserved) == {"biscuit": 2}  # one is used up, and one has to be left before
    hunts = OrderedQueue(world, model, [Task("creature.boar")])
    assert dict(hunts.reserved) == {"biscuit": 1}
    sword, boar = Task("make.wood_sword"), Task("creature.boar")
    assert not is_affordable(model, {"biscuit": 1}, (boar,), sword)
    assert is_affordable(model, {"biscuit": 2}, (boar,), sword)


def test_loot_is_taken_as_often_as_a_plan_says_and_tools_stay() -> None:
    """The second boar comes out of the tree; killing the first unlocks all that killing does."""
    text = TOOLS.replace("#@.B#", "#@TB#").replace("{requires: {biscuit: 1}, l", "{l")
    text = text.replace("collect:", "collect:\n  tree: {spawns: {boar: 1.0}}")
    world = own(text)
    rules = ["collect.tree", "make.biscuit", "creature.boar", "creature.boar"]
    done = carry_out(world, 0, [Step(rule, 1) for rule in rules])
    assert done.reason is None and done.done == 4
    assert {*done.unlocked} >= {"collect_pelt", "kill_boar"}


def test_what_would_kill_is_not_eaten() -> None:
    poisoned = FOUND.with_rules(FOUND.eat["pie"].with_fields({"health": -9}, FOUND.vocabulary))
    assert tasks_for(begun(poisoned, pie=1), Task("eat.pie"), {}) == []


@pytest.mark.slow
def test_the_oracle_reaches_everything_and_has_a_certificate(tmp_path: Path) -> None:
    episode = played(FOUND, OracleAgent(), 0, 2000)
    assert set(episode.unlocked) == set(FOUND.achievements)
    certificate = certify(episode, FOUND, "found", "oracle")
    assert certificate.adds is not None and "eat_pie" in certificate.adds.actions
    save(certificate, tmp_path / "found.json")
    again = load(tmp_path / "found.json")
    assert again == certificate and verify(again, FOUND).valid
    usual = FOUND.base
    assert isinstance(usual, World)
    problems = verify(again, usual).problems
    assert "the names that its world adds are others" in problems


def test_certificates_of_other_worlds_say_nothing_of_added_names() -> None:
    usual = FOUND.base
    assert isinstance(usual, World)
    episode = played(usual, OracleAgent(), 0, 20)
    certificate = certify(episode, usual, "default", "oracle")
    assert certificate.adds is None and '"adds"' not in certificate.model_dump_json(by_alias=True)


@pytest.mark.slow
def test_an_agent_that_knows_the_rules_alone_makes_what_it_finds() -> None:
    episode = played(FOUND, InformedAgent(), 0, 300)
    assert {"place_kiln", "make_brick"} <= set(episode.unlocked)


@pytest.mark.slow
def test_witnesses_are_played_on_their_map() -> None:
    proof = prove(FOUND, 3)
    found = play_all(FOUND, proof, achievements=OWN)
    assert {name for name, each in found.items() if each.certificate} == set(OWN)
