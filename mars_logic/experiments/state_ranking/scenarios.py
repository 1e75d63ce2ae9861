"""Scenarios of single mechanics, as data, and transitions played in them by a world's rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, Final, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from mars_logic.experiments.state_ranking.documents import (
    SIDE,
    WAYS,
    StateDocument,
    faced,
    state_document,
)
from mars_logic.sim import Scene, Simulator, Snapshot
from mars_logic.system import resources
from mars_logic.world.cell_rules import Beside, Push, Timer
from mars_logic.world.dialect import DAY
from mars_logic.world.names import VITALS
from mars_logic.world.rules import Collect, Make, Place, Rule
from mars_logic.world.source import parse
from mars_logic.world.theory import World

CORNER: Final = (24, 24)
"""The first cell of the area on the map: that of a chunk, so that all of the area is in one."""
_MIDDLE: Final = (CORNER[0] + SIDE // 2, CORNER[1] + SIDE // 2)
_CORNERS: Final = ((-1, -1), (1, -1), (-1, 1), (1, 1))
"""Where stations stand: beside the player, and never before it."""
_MOVES: Final[Mapping[tuple[int, int], str]] = {
    (-1, 0): "move_left",
    (1, 0): "move_right",
    (0, -1): "move_up",
    (0, 1): "move_down",
}
_COUNTERS: Final = {"hunger": 25, "thirst": 20, "fatigue": 30, "recover": 25}
"""Limits of the counters at the start of a run; drawn below them."""
_LEAST_VITAL: Final = 4


class ScenarioObject(BaseModel):
    """The object that stands on the faced cell; ``ripe`` is of plants."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["cow", "zombie", "skeleton", "plant"]
    ripe: bool = False


class Scenario(BaseModel):
    """One mechanic of the game, as ``scenarios.yaml`` describes it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ground: str = "grass"
    front: str | None = None
    rule: str | None = None
    needs: Literal["met", "missing"] = "met"
    creature: ScenarioObject | None = None
    inventory: dict[str, int] = Field(default_factory=dict)
    player: dict[str, float] = Field(default_factory=dict)
    act: str
    age: int = Field(default=0, ge=0)
    """Of the faced cell, in worlds with timers."""
    steps: int = Field(default=1, ge=1)
    until: Literal["steps", "gone", "awake"] = "steps"


class RuleNeeds(NamedTuple):
    """What a rule of a world needs: items, stations near the player, and ground to place on."""

    items: dict[str, int]
    stations: tuple[str, ...] = ()
    grounds: tuple[str, ...] = ()


@dataclass(frozen=True)
class StateTransition:
    """A step of the true game.

    Attributes:
        before: The state, of one environment.
        action: The action's code.
        last: The state's document.
        after: The document of the next state.
    """

    before: Snapshot
    action: int
    last: StateDocument
    after: StateDocument


@cache
def scenarios() -> Mapping[str, Scenario]:
    """The scenarios by name."""
    found = parse(resources.text(__name__, "scenarios.yaml"), "scenarios.yaml").data
    return {name: Scenario.model_validate(each) for name, each in found.items()}


def scenarios_of(world: World) -> Mapping[str, Scenario]:
    """Those of all worlds, and one for each rule about cells that are pushed or change."""
    return {
        **scenarios(),
        **{f"{r.family}_{r.subject}": each for r in world.rules() if (each := _own(r))},
    }


def _own(rule: Rule) -> Scenario | None:
    """A cell that a rule is about is pushed, is beside what changes it, or is due to change."""
    if isinstance(rule, Push) and rule.onto:
        return Scenario(ground=rule.onto[0], front=rule.subject, act="push")
    if isinstance(rule, Beside):
        return Scenario(ground=next(iter(rule.becomes)), front=rule.subject, act="noop")
    if isinstance(rule, Timer):
        ground = next(iter(rule.near), "grass")
        return Scenario(ground=ground, front=rule.subject, act="noop", age=rule.after - 1)
    return None


def needs_of(world: World, rule_id: str) -> RuleNeeds:
    """What a rule needs in a world."""
    rule = world.rule(rule_id)
    if isinstance(rule, Collect):
        return RuleNeeds(dict(rule.requires))
    if isinstance(rule, Place):
        return RuleNeeds(dict(rule.uses), grounds=tuple(rule.where))
    assert isinstance(rule, Make)
    return RuleNeeds(dict(rule.uses), tuple(rule.nearby))


def applies(scenario: Scenario, world: World) -> bool:
    """Whether a world has the mechanic: what has to be missing exists, and the rule is alive."""
    if scenario.rule is None:
        return True
    rule, needs = world.rule(scenario.rule), needs_of(world, scenario.rule)
    if isinstance(rule, Collect) and not rule.collectable:
        return False
    if isinstance(rule, Place) and not needs.grounds:
        return False
    return scenario.needs == "met" or bool(needs.items or needs.stations)


def transitions(world: World, name: str, number: int, seed: int) -> list[StateTransition]:
    """Play a scenario by a world's rules, again and again, until there are enough transitions.

    Each run begins with another random stream, direction, time of day, and state of the needs.

    Args:
        world: The true world.
        name: The scenario's.
        number: How many transitions.
        seed: Of all that is drawn.
    """
    simulator, scenario = Simulator(world), scenarios_of(world)[name]
    found: list[StateTransition] = []
    run = 0
    while len(found) < number:
        random = Random(f"{seed} {name} {run}")
        simulator.reset(seed=random.randrange(1 << 30))
        simulator.restore(_first_state(simulator, scenario, random))
        found += _played(simulator, scenario, random)
        run += 1
    return found[:number]


def _first_state(simulator: Simulator, scenario: Scenario, random: Random) -> Snapshot:
    world, words = simulator.world, simulator.world.vocabulary
    way = random.choice(WAYS)
    front = _MIDDLE[0] + way[0], _MIDDLE[1] + way[1]
    scene = (
        Scene(simulator.snapshot(), words=words)
        .clear("none")
        .fill(scenario.ground, *CORNER, SIDE, SIDE)
    )
    held = {vital: random.randint(_LEAST_VITAL, 9) for vital in VITALS}
    material = scenario.front
    if scenario.rule:
        items, stations, grounds = needs_of(world, scenario.rule)
        if scenario.needs == "missing":
            items, stations = _without_one(items, stations, random)
        held |= items
        if grounds:
            material = scenario.ground if scenario.ground in grounds else grounds[0]
        for corner, station in zip(_CORNERS, stations, strict=False):
            scene.fill(station, _MIDDLE[0] + corner[0], _MIDDLE[1] + corner[1])
    if material:
        scene.fill(material, *front).age(scenario.age, *front)
    counters = {name: float(random.randrange(limit)) for name, limit in _COUNTERS.items()}
    scene.player(
        _MIDDLE, way, held | scenario.inventory, sleeping=False, **counters | scenario.player
    )
    if scenario.creature:
        kind = scenario.creature.kind
        grown = words.ripe_age + 1 if scenario.creature.ripe else 0
        scene.put(kind, *front, health=words.health_at_first[kind], grown=grown)
    return scene.at_step(random.randrange(DAY)).snapshot()


def _without_one(
    items: dict[str, int], stations: tuple[str, ...], random: Random
) -> tuple[dict[str, int], tuple[str, ...]]:
    """The needs of a rule, with one item too few, or where it needs none a station too few."""
    if not items:
        gone = random.choice(stations)
        return items, tuple(each for each in stations if each != gone)
    item = random.choice(sorted(items))
    return items | {item: items[item] - 1}, stations


def _played(simulator: Simulator, scenario: Scenario, random: Random) -> Iterator[StateTransition]:
    words = simulator.world.vocabulary
    last = state_document(simulator.state(), words, CORNER)
    for _ in range(scenario.steps):
        before = simulator.snapshot()
        action = words.actions.index(_action(scenario, last, random))
        simulator.step([action])
        after = state_document(simulator.state(), words, CORNER)
        yield StateTransition(before, action, last, after)
        last = after
        if after["done"] or _is_over(scenario, after):
            return


def _is_over(scenario: Scenario, state: StateDocument) -> bool:
    if scenario.until == "gone":
        assert scenario.creature is not None
        return all(each["kind"] != scenario.creature.kind for each in state["objects"])
    return scenario.until == "awake" and not state["player"]["sleeping"]


def _action(scenario: Scenario, state: StateDocument, random: Random) -> str:
    if scenario.act == "move":
        return random.choice([*_MOVES.values()])
    if scenario.act == "push":
        return _MOVES[state["player"]["facing_x"], state["player"]["facing_y"]]
    if scenario.act != "hunt":
        return scenario.act
    assert scenario.creature is not None
    player: dict[str, Any] = state["player"]
    target = next(each for each in state["objects"] if each["kind"] == scenario.creature.kind)
    if (target["x"], target["y"]) == faced(state):
        return "do"
    right, down = target["x"] - player["x"], target["y"] - player["y"]
    if abs(right) >= abs(down):
        return _MOVES[1 if right > 0 else -1, 0]
    return _MOVES[0, 1 if down > 0 else -1]
