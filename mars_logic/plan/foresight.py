"""Foresight: what a step is likely to cost in health, from futures that the belief makes possible.

The believed world is compiled to a simulator like any other. From what is seen, each action worth
considering is followed into the same few random futures; after it, the player only defends itself.
Nothing of the real game's random stream is known here.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.kernel import kernel
from mars_logic.plan.ground import Situation
from mars_logic.plan.lore import ACTION, CODE, DO, NOOP, SLEEP, Lore
from mars_logic.plan.outlook import WASTING, WEAK, asleep_for, lacks
from mars_logic.plan.route import DIRECTIONS, STEP
from mars_logic.plan.seen import RIPE_AGE, UNSEEN, Cell, Thing
from mars_logic.plan.tasks import affords
from mars_logic.plan.terrain import ARROW, PLANT, POINTS, RIPE
from mars_logic.sim import Simulator
from mars_logic.sim.board import is_free, kind_at, material_at
from mars_logic.sim.codes import HEALTH, MAXIMUM, PLAYER
from mars_logic.sim.codes import PLANT as PLANT_OBJECT
from mars_logic.sim.imagine import Imagined
from mars_logic.sim.tables import compile_rules

_FUTURES, _MANY = 12, 48
"""How many futures are looked at; more where something strikes, for less doubt of who would die."""
_HORIZON, _FARTHER = 5, 8
"""Steps that are looked ahead, and where something strikes, between whose blows are five."""
_CLOSE, _NEAR, _HEARING = 2, 6, 10
"""How far off what strikes and what flies matter to who is awake, and both to a sleeper."""
_AROUND = 3
"""What comes after the player and is no farther off may strike before the first of it is dead."""
_EARSHOT, _NAP = 24, STEP
"""How far off what comes may end a nap; what a nap may cost in health."""
_DEATH: Final = 1200 * STEP
_STREAMS: Final = 256
_PRICES = {NOOP: 1, DO: 1}
"""Steps that are lost by doing something else than what is meant to be done; two for the rest."""

_STONE = ACTION["place_stone"]


class Foresight:
    """Looks ahead in one believed world; remembers how often it has held the player up."""

    def __init__(self, lore: Lore) -> None:
        """Prepare; the simulator is made when it is first needed."""
        self._lore = lore
        self._rules = compile_rules(lore.playable)
        self._simulators: dict[int, Simulator] = {}
        self._held_up = 0.0

    def better(self, here: Situation, action: int, *, hunts: bool = False) -> int | None:
        """An action that costs less, all in all, than the one that is meant; None if none does.

        Args:
            here: The situation.
            action: What is meant to be done.
            hunts: Whether that is to get at a creature, whatever it does.
        """
        self._held_up *= 0.92
        beset = self._beset(here, hunts=hunts)
        if here.status.sleeping or not (beset or self._danger(here, action)):
            return None
        actions = self._choices(here, action)
        steps = _FARTHER if beset else _HORIZON
        futures = _MANY if beset else _FUTURES
        costs = self._costs(here, actions, steps, futures=futures)
        if beset:
            flight = self._costs(here, actions, steps, futures=futures, flees=True)
            better = flight.mean(axis=1) < costs.mean(axis=1)
            costs = np.where(better[:, None], flight, costs)
        patience = STEP * (1 + self._held_up**2)
        wasting = here.point / WASTING if lacks(here) else 0
        lost = np.array([_PRICES.get(one, 2) * (patience + wasting) for one in actions])
        spared = costs[0] - costs
        doubt = spared.std(axis=1) / math.sqrt(futures)
        gain = spared.mean(axis=1) - doubt - lost
        best = int(np.argmax(gain))
        if gain[best] <= 0:
            return None
        self._held_up += 1
        return actions[best]

    def sleeps_well(self, here: Situation) -> bool:
        """Whether sleep until all energy is back is likely to cost next to no health."""
        costs = self._costs(here, [SLEEP], asleep_for(here) + 1, idle=SLEEP, reach=_EARSHOT)
        return bool(costs.mean() <= _NAP)

    def _danger(self, here: Situation, action: int) -> bool:
        things = [thing for thing in here.seen.things if thing.ago == 0]
        if any(thing.kind == ARROW and here.distance(thing) <= _NEAR for thing in things):
            return True
        return action == SLEEP and any(
            here.distance(thing) <= _HEARING for thing in things if thing.kind in self._hostile
        )

    def _beset(self, here: Situation, *, hunts: bool) -> bool:
        """Whether to go off from what strikes and is near may be worth while.

        It is if that comes after nobody, unless it is what the player is after; and if what comes
        after the player would leave it weak, should each of them strike once.
        """
        near = [
            (here.distance(thing) <= _CLOSE, self._lore.approaches(thing.kind), blow)
            for thing in here.creatures_within(_AROUND)
            if thing.ago == 0 and (blow := self._lore.blow(thing.kind))
        ]
        coming = sum(blow for _, comes, blow in near if comes)
        menaced = here.status.amount("health") - coming < WEAK
        return any(close and (menaced if comes else not hunts) for close, comes, _ in near)

    @property
    def _hostile(self) -> frozenset[int]:
        kinds = range(len(self._rules[0]["attacks"]))
        return frozenset(k for k in kinds if self._lore.blow(k) or self._lore.shot(k))

    def _choices(self, here: Situation, action: int) -> list[int]:
        """What is meant to be done first; never a step onto what kills."""
        choices = [action, NOOP, DO]
        for code, (dx, dy) in enumerate(DIRECTIONS):
            cell = here.seen.position[0] + dx, here.seen.position[1] + dy
            known = here.seen.material_at(cell) not in (0, UNSEEN)
            if known and (here.routes.terrain.turns[cell] or self._lives(here, cell)):
                choices.append(1 + code)
        place = self._lore.world.place["stone"]
        ahead = here.seen.material_at(here.seen.ahead)
        if affords(here, place.uses) and ahead in [CODE[material] for material in place.where]:
            choices.append(_STONE)
        return list(dict.fromkeys(choices))

    def _lives(self, here: Situation, cell: Cell) -> bool:
        """Whether a step is survived, if nothing else happens; what it is worth, futures tell."""
        code = here.seen.material_at(cell)
        left = here.status.amount("health") + self._lore.walk_health[code]
        return bool(self._lore.walkable[code] and not self._lore.deadly[code] and left > 0)

    def _costs(
        self,
        here: Situation,
        actions: list[int],
        steps: int,
        *,
        futures: int = _FUTURES,
        flees: bool = False,
        idle: int = NOOP,
        reach: int = 2 * _HORIZON,
    ) -> NDArray[np.float64]:
        """float64[actions, futures]: what each costs in health, in quarters of a step.

        Args:
            here: The situation.
            actions: What may be done now.
            steps: How many of them are looked ahead.
            futures: How many futures are looked at.
            flees: Whether the player then goes off from what strikes, rather than strike back.
            idle: What it does while nothing strikes.
            reach: How far off things matter.
        """
        first = here.status.step % _STREAMS
        streams = [(first + 7 * future) % _STREAMS for future in range(futures)]
        simulator = self._simulator_for(len(actions) * futures)
        simulator.restore(imagined(here, reach).futures(streams * len(actions)))
        chosen = np.repeat(np.array(actions, np.int64), futures)
        simulator.step(chosen)
        for _ in range(steps - 1):
            reaction = reactions(simulator.snapshot().envs, self._rules, flees)
            simulator.step(np.where(reaction == NOOP, idle, reaction))
        left = simulator.observe().status[:, 0].astype(np.int64)
        costs = _worth(here.status.amount("health")) - _worth_of_each[np.clip(left, 0, MAXIMUM)]
        each: NDArray[np.float64] = np.maximum(costs, 0).reshape(len(actions), -1)
        return each

    def _simulator_for(self, plays: int) -> Simulator:
        if plays not in self._simulators:
            self._simulators[plays] = Simulator(self._lore.playable, plays, length=10_000)
        return self._simulators[plays]


_worth_of_each = np.concatenate(([-_DEATH], np.cumsum([0, *POINTS[1:]])))[: MAXIMUM + 1]


def _worth(health: int) -> float:
    return float(_worth_of_each[min(MAXIMUM, max(0, health))])


def imagined(here: Situation, reach: int = 2 * _HORIZON) -> Imagined:
    """What is seen, as a state to go on from; cells not seen cannot be entered.

    Args:
        here: The situation.
        reach: Things farther off are left out.
    """
    materials = np.where(here.seen.materials == UNSEEN, 0, here.seen.materials).astype(np.uint8)
    near = [
        thing
        for thing in here.seen.things
        if here.distance(thing) <= reach and (thing.x, thing.y) != here.seen.position
    ]
    return Imagined(
        materials,
        [_as_record(here.lore, thing) for thing in near],
        here.seen.position,
        here.seen.facing,
        here.status.sleeping,
        here.status.inventory,
        here.status.step,
    )


def _as_record(lore: Lore, thing: Thing) -> dict[str, int]:
    plant = thing.kind in (PLANT, RIPE)
    whole = 1 if plant else int(lore.table["health_at_first"][thing.kind])
    ripe = RIPE_AGE[lore.world.dynamics] + 1
    return {
        "kind": PLANT_OBJECT if plant else thing.kind,
        "x": thing.x,
        "y": thing.y,
        "health": whole if thing.health is None else thing.health,
        "cooldown": thing.cooldown,
        "reload": thing.reload,
        "facing_x": thing.facing[0],
        "facing_y": thing.facing[1],
        "arrow_factor": lore.arrow_factor if thing.kind == ARROW else 0,
        "grown": ripe if thing.kind == RIPE else 0,
    }


@kernel
def reactions(envs: Any, rules: Any, flees: bool) -> Any:
    """int64[n]: what a player does who only saves itself: it hits what strikes, or goes away.

    Args:
        envs: The environments.
        rules: The rules that they obey.
        flees: Whether the player would rather go than strike back.
    """
    actions = np.zeros(envs.size, np.int64)
    for i in range(envs.size):
        env = envs[i]
        player = env.player
        if env.done or player.sleeping or player.inventory[HEALTH] <= 0:
            continue
        if flees:
            actions[i] = _flight(env, rules)
        if actions[i] == 0:
            actions[i] = _defence(env, rules)
    return actions


@kernel
def _defence(env: Any, rules: Any) -> int:
    """Turn to a creature that does harm and stands beside the player, and hit it."""
    player = env.player
    action = 0
    for side in range(4):
        dx = (side == 1) - (side == 0)
        dy = (side == 3) - (side == 2)
        kind = kind_at(env, player.x + dx, player.y + dy)
        harm = _strikes(rules, kind) or rules[0].shoots[kind]
        if kind > 1 and harm and player.inventory[HEALTH] + rules[0].eaten_health[kind] > 0:
            if player.facing_x == dx and player.facing_y == dy:
                return 5
            action = 1 + side
    return action


@kernel
def _strikes(rules: Any, kind: int) -> bool:
    return bool(rules[0].attacks[kind] and rules[0].attack_awake[kind] < 0)


@kernel
def _flight(env: Any, rules: Any) -> int:
    """The step that leads farthest from what strikes, onto ground that takes no health."""
    player = env.player
    action, least = 0, _nearness(env, rules, player.x, player.y)
    for side in range(4):
        x = player.x + (side == 1) - (side == 0)
        y = player.y + (side == 3) - (side == 2)
        if not is_free(env, x, y, rules[0].walkable[PLAYER]):
            continue
        ground = material_at(env, x, y)
        if rules[0].deadly[ground] or rules[0].walk_health[ground] < 0:
            continue
        near = _nearness(env, rules, x, y)
        if near < least:
            action, least = 1 + side, near
    return action


@kernel
def _nearness(env: Any, rules: Any, x: int, y: int) -> int:
    """How near what strikes is to a cell, all taken together."""
    total = 0
    for i in range(env.num_things):
        if _strikes(rules, env.things[i].kind):
            away = abs(env.thing_x[i] - x) + abs(env.thing_y[i] - y)
            total += 720 // (away * away) if away > 0 else 0
    return total
