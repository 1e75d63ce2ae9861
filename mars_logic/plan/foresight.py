"""Foresight: rollouts of the believed world that compare the intended action with others.

The believed world is compiled to a simulator like any other. Each candidate action is followed into
the same few random futures; after it, the player only defends itself. All futures of all actions
are one compiled call. Nothing of the real game's random stream is known here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.compiled.kernel import kernel
from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.observed_map import UNSEEN, Cell, Entity
from mars_logic.plan.risk import DEATH, WEAK, is_wasting, sleep_duration
from mars_logic.plan.routes import ARROW, DIRECTIONS, PLANT, POINTS, RIPE, STEP
from mars_logic.plan.skills import affords
from mars_logic.plan.world_model import DO, NOOP, SLEEP, WorldModel
from mars_logic.sim.board import is_free, kind_at, material_at
from mars_logic.sim.codes import HEALTH, PLAYER
from mars_logic.sim.daylight import daylight_table
from mars_logic.sim.imagined_state import Imagined, stream_table
from mars_logic.sim.layout import FULL_CAPACITY, Env
from mars_logic.sim.rules_record import Rules
from mars_logic.sim.snapshot import with_capacity
from mars_logic.sim.step import has_room, step_env
from mars_logic.sim.tables import compile_rules
from mars_logic.world import names
from mars_logic.world.dialect import LONGEST_EPISODE, MAXIMUM
from mars_logic.world.names import ACTIONS
from mars_logic.world.theory import World

STREAMS: Final = 256
"""Number of different random streams."""
_STRIDE: Final = 7
"""Distance of the streams of successive futures: successive steps share few futures."""
_NOOP: Final = ACTIONS.index("noop")


class RolloutBatch:
    """Plays futures of a believed world."""

    def __init__(self, world: World) -> None:
        """Compile the world's rules; episodes do not end by their length.

        Args:
            world: The believed world.
        """
        self._rules = compile_rules(world, LONGEST_EPISODE)
        self._daylight = daylight_table()

    def health(
        self,
        start: NDArray[np.void],
        actions: Sequence[int],
        steps: int,
        *,
        futures: int,
        flees: bool = False,
        idle: int = _NOOP,
    ) -> NDArray[np.int64]:
        """int64[actions, futures]: health that is left; the same column is the same random stream.

        Args:
            start: The state to begin in, of ``Imagined.record``; its step selects the streams.
            actions: Codes of the alternatives for the first step.
            steps: Length of each future, at least 1. After the first step the player only defends
                itself (:func:`mars_logic.plan.foresight.defensive_action`).
            futures: Number of futures of each action.
            flees: Whether the player then moves away from attackers rather than strike back.
            idle: Its action while nothing attacks.
        """
        numbers = stream_numbers(int(start["step"][0]), futures)
        chosen = np.array(actions, np.int64)
        left = np.empty((len(chosen), futures), np.int64)
        rest = (steps, flees, idle, left)
        about = (stream_table(STREAMS), numbers, self._rules, self._daylight, chosen)
        if not _roll_out(start, *about, *rest):  # more things than usual: rarely
            _roll_out(with_capacity(start, FULL_CAPACITY), *about, *rest)
        return left


def stream_numbers(step: int, futures: int) -> NDArray[np.int64]:
    """int64[futures]: the random stream of each future of a decision at some step."""
    numbers: NDArray[np.int64] = (step + _STRIDE * np.arange(futures, dtype=np.int64)) % STREAMS
    return numbers


@kernel
def _roll_out(
    start: Any,
    streams: Any,
    numbers: Any,
    rules: Any,
    daylight: Any,
    actions: Any,
    steps: int,
    flees: bool,
    idle: int,
    left: Any,
) -> bool:
    """Fill ``left``; return whether the record had room for all things, else it is invalid.

    Args:
        start: One record of ``layout.env_dtype``.
        streams: Records of ``layout.STREAM_DTYPE``.
        numbers: int64[futures]: the stream of each future.
        rules: One record of ``tables.RULES_DTYPE``.
        daylight: float64[10001]: daylight by step.
        actions: int64[n]: the first action.
        steps: Steps in all.
        flees: Whether the player flees.
        idle: Its action while nothing attacks.
        left: int64[n, futures]: health after the last step.
    """
    scratch = start.copy()
    env = scratch[0]
    for i in range(len(actions)):
        for future in range(len(numbers)):
            scratch[0] = start[0]
            env.stream = streams[numbers[future]]
            action = actions[i]
            for _ in range(steps):
                if env.done:
                    break
                if not has_room(env, rules[0]):
                    return False
                step_env(env, rules[0], daylight[env.step + 1], action)
                action = defensive_action(env, rules[0], flees)
                if action == _NOOP:
                    action = idle
            left[i, future] = env.player.inventory[HEALTH]
    return True


@kernel
def defensive_action(env: Env, rules: Rules, flees: bool) -> int:
    """The code of the action that strikes back or moves away; 0 (noop) if nothing attacks.

    Args:
        env: The environment; it is not changed.
        rules: The rules that it obeys.
        flees: Whether the player moves away, where it can, rather than strike back.
    """
    player = env.player
    if env.done or player.sleeping or player.inventory[HEALTH] <= 0:
        return 0
    action = _flight(env, rules) if flees else 0
    return action if action != 0 else _counterattack(env, rules)


@kernel
def _counterattack(env: Env, rules: Rules) -> int:
    """Turn to a creature that does harm and stands beside the player, and hit it."""
    player = env.player
    action = 0
    for side in range(4):
        dx = (side == 1) - (side == 0)
        dy = (side == 3) - (side == 2)
        kind = kind_at(env, player.x + dx, player.y + dy)
        harm = _strikes(rules, kind) or rules.shoots[kind]
        if kind > 1 and harm and player.inventory[HEALTH] + rules.eaten_health[kind] > 0:
            if player.facing_x == dx and player.facing_y == dy:
                return 5
            action = 1 + side
    return action


@kernel
def _strikes(rules: Rules, kind: int) -> bool:
    return bool(rules.attacks[kind] and rules.attack_awake[kind] < 0)


@kernel
def _flight(env: Env, rules: Rules) -> int:
    """The step that leads farthest from attackers, onto harmless ground."""
    player = env.player
    action, least = 0, _nearness(env, rules, player.x, player.y)
    for side in range(4):
        x = player.x + (side == 1) - (side == 0)
        y = player.y + (side == 3) - (side == 2)
        if not is_free(env, x, y, rules.walkable[PLAYER]):
            continue
        ground = material_at(env, x, y)
        if rules.deadly[ground] or rules.walk_health[ground] < 0:
            continue
        near = _nearness(env, rules, x, y)
        if near < least:
            action, least = 1 + side, near
    return action


@kernel
def _nearness(env: Env, rules: Rules, x: int, y: int) -> int:
    """How near what strikes is to a cell, all taken together."""
    total = 0
    for i in range(env.num_things):
        if _strikes(rules, env.things[i].kind):
            away = abs(env.thing_x[i] - x) + abs(env.thing_y[i] - y)
            total += 720 // (away * away) if away > 0 else 0
    return total


_FUTURES, _MANY = 12, 48
"""Number of simulated futures; more near attackers, for a better estimate of the risk of death."""
_HORIZON, _FARTHER = 5, 8
"""Steps that are looked ahead, and where something strikes, between whose blows are five."""
_CLOSE, _NEAR, _HEARING = 2, 6, 10
"""Distances at which attackers and arrows matter to a player awake, and both to a sleeper."""
_AROUND = 3
"""Distance within which a pursuer may attack before the current attacker is dead."""
_EARSHOT, _NAP = 24, STEP
"""How far off what comes may end a nap; what a nap may cost in health."""
_PRICES = {NOOP: 1, DO: 1}
"""Steps that are lost by doing something else than what is meant to be done; two for the rest."""

_STONE = names.ACTIONS.index("place_stone")


@dataclass(frozen=True, slots=True)
class Option:
    """An action that was compared by rollouts.

    Attributes:
        action: The code of the action.
        alive: The share of its futures in which the player lives at their end.
        health: The mean health at their end.
        delay: Steps that it costs more than what is meant.
    """

    action: int
    alive: float
    health: float
    delay: int


class Foresight:
    """Looks ahead in one believed world; remembers how often it has held the player up.

    Attributes:
        options: The actions compared in the last step, the intended one first; empty if none were.
        horizon: The steps of those rollouts.
    """

    def __init__(self, model: WorldModel) -> None:
        """Prepare; the believed world is compiled when rollouts are first needed."""
        self._model = model
        self._rollouts: RolloutBatch | None = None
        self._held_up = 0.0
        self.options: tuple[Option, ...] = ()
        self.horizon = 0

    def better(self, here: BeliefState, action: int, *, hunts: bool = False) -> int | None:
        """An action that costs less than the intended one; None if none does.

        Args:
            here: The situation.
            action: What is meant to be done.
            hunts: Whether the intended action is an attack on a creature.
        """
        self._held_up *= 0.92
        self.options = ()
        attacker_near = self._attack_near(here, hunts=hunts)
        if here.status.sleeping or not (attacker_near or self._danger(here, action)):
            return None
        actions = self._choices(here, action)
        steps = _FARTHER if attacker_near else _HORIZON
        futures = _MANY if attacker_near else _FUTURES
        start = imagined(here).record()
        left = self._left(start, actions, steps, futures=futures)
        costs = _costs(start, left)
        if attacker_near:
            fleeing = self._left(start, actions, steps, futures=futures, flees=True)
            flight = _costs(start, fleeing)
            better = flight.mean(axis=1) < costs.mean(axis=1)
            costs = np.where(better[:, None], flight, costs)
            left = np.where(better[:, None], fleeing, left)
        self.horizon, self.options = steps, _compared(actions, left)
        patience = STEP * (1 + self._held_up**2)
        wasting = here.point / here.model.wasting if is_wasting(here) else 0
        lost = np.array([_PRICES.get(one, 2) * (patience + wasting) for one in actions])
        spared = costs[0] - costs
        doubt = spared.std(axis=1) / math.sqrt(futures)
        gain = spared.mean(axis=1) - doubt - lost
        best = int(np.argmax(gain))
        if gain[best] <= 0:
            return None
        self._held_up += 1
        return actions[best]

    def sleeps_well(self, here: BeliefState) -> bool:
        """Whether sleep until all energy is back is likely to cost next to no health."""
        start = imagined(here, _EARSHOT).record()
        left = self._left(start, [SLEEP], sleep_duration(here) + 1, idle=SLEEP)
        return bool(_costs(start, left).mean() <= _NAP)

    def _danger(self, here: BeliefState, action: int) -> bool:
        things = [thing for thing in here.seen.things if thing.ago == 0]
        if any(thing.kind == ARROW and here.distance(thing) <= _NEAR for thing in things):
            return True
        return action == SLEEP and any(
            here.distance(thing) <= _HEARING for thing in things if thing.kind in self._hostile
        )

    def _attack_near(self, here: BeliefState, *, hunts: bool) -> bool:
        """Whether to go off from what strikes and is near may be worth while.

        It is if that comes after nobody, unless it is what the player is after; and if what comes
        after the player would leave it weak, should each of them strike once.
        """
        near = [
            (here.distance(thing) <= _CLOSE, self._model.approaches(thing.kind), blow)
            for thing in here.creatures_within(_AROUND)
            if thing.ago == 0 and (blow := self._model.blow(thing.kind))
        ]
        coming = sum(blow for _, comes, blow in near if comes)
        menaced = here.status.amount("health") - coming < WEAK
        return any(close and (menaced if comes else not hunts) for close, comes, _ in near)

    @property
    def _hostile(self) -> frozenset[int]:
        kinds = range(len(self._model.kinds))
        return frozenset(k for k in kinds if self._model.blow(k) or self._model.shot(k))

    def _choices(self, here: BeliefState, action: int) -> list[int]:
        """The candidate actions, the intended one first; never a step onto deadly ground."""
        choices = [action, NOOP, DO]
        for code, (dx, dy) in enumerate(DIRECTIONS):
            cell = here.seen.position[0] + dx, here.seen.position[1] + dy
            known = here.seen.material_at(cell) not in (0, UNSEEN)
            if known and (here.routes.terrain.turns[cell] or self._lives(here, cell)):
                choices.append(1 + code)
        place = self._model.world.place["stone"]
        ahead = here.seen.material_at(here.seen.ahead)
        fits = ahead in [here.code[material] for material in place.where]
        if fits and affords(here, place.uses):
            choices.append(_STONE)
        return list(dict.fromkeys(choices))

    def _lives(self, here: BeliefState, cell: Cell) -> bool:
        """Whether a step is survived without other events; futures estimate its value."""
        code = here.seen.material_at(cell)
        left = here.status.amount("health") + self._model.walk_health[code]
        return bool(self._model.walkable[code] and not self._model.deadly[code] and left > 0)

    def _left(
        self,
        start: NDArray[np.void],
        actions: list[int],
        steps: int,
        *,
        futures: int = _FUTURES,
        flees: bool = False,
        idle: int = NOOP,
    ) -> NDArray[np.int64]:
        """int64[actions, futures]: see :meth:`RolloutBatch.health`."""
        if self._rollouts is None:
            self._rollouts = RolloutBatch(self._model.playable)
        return self._rollouts.health(start, actions, steps, futures=futures, flees=flees, idle=idle)


def _costs(start: NDArray[np.void], left: NDArray[np.int64]) -> NDArray[np.float64]:
    """float64[actions, futures]: cost of each in health, in quarters of a step."""
    health = int(start["player"]["inventory"][0, HEALTH])
    each: NDArray[np.float64] = np.maximum(
        _worth(health) - _worth_of_each[np.clip(left, 0, MAXIMUM)], 0
    )
    return each


def _compared(actions: list[int], left: NDArray[np.int64]) -> tuple[Option, ...]:
    """What became of each action; the first one is meant."""
    return tuple(
        Option(
            action,
            float((health > 0).mean()),
            float(health.clip(0).mean()),
            _PRICES.get(action, 2) if number else 0,
        )
        for number, (action, health) in enumerate(zip(actions, left, strict=True))
    )


_worth_of_each = np.concatenate(([-DEATH], np.cumsum([0, *POINTS[1:]])))[: MAXIMUM + 1]


def _worth(health: int) -> float:
    return float(_worth_of_each[min(MAXIMUM, max(0, health))])


def imagined(here: BeliefState, reach: int = 2 * _HORIZON) -> Imagined:
    """The seen map as a state to simulate from; unseen cells cannot be entered.

    Args:
        here: The situation.
        reach: Things farther off are left out.
    """
    near = [
        thing
        for thing in here.seen.things
        if here.distance(thing) <= reach and (thing.x, thing.y) != here.seen.position
    ]
    return Imagined(
        here.known_codes,
        [_as_record(here.model, thing) for thing in near],
        here.seen.position,
        here.seen.facing,
        here.status.sleeping,
        here.status.inventory,
        here.status.step,
        here.model.words if here.model.words.wide else None,
    )


def _as_record(model: WorldModel, thing: Entity) -> dict[str, int]:
    plant = thing.kind in (PLANT, RIPE)
    whole = 1 if plant else model.health_at_first(thing.kind)
    ripe = model.world.vocabulary.ripening
    return {
        "kind": model.object_of(thing.kind),
        "x": thing.x,
        "y": thing.y,
        "health": whole if thing.health is None else thing.health,
        "cooldown": thing.cooldown,
        "reload": thing.reload,
        "facing_x": thing.facing[0],
        "facing_y": thing.facing[1],
        "arrow_factor": model.arrow_factor if thing.kind == ARROW else 0,
        "grown": ripe if thing.kind == RIPE else 0,
    }


@dataclass(frozen=True, slots=True)
class Comparison:
    """Actions compared by rollouts.

    Attributes:
        options: What became of each, the intended one first.
        horizon: The steps of the rollouts.
        ahead: The steps that the plan still takes, as far as that can be told.
    """

    options: tuple[Option, ...]
    horizon: int
    ahead: int
