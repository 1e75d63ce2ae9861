"""Execution of plans step by step: each in its turn, by a planner that stays alive meanwhile.

Between two steps the player walks, digs, eats, drinks, sleeps and fights as the planner does; these
interactions are no steps. A step that is not done within some time is given up; that proves nothing
about the plan.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from mars_logic.logic.proof import Step
from mars_logic.logic.spending import bringing, requiring
from mars_logic.plan.observed_map import ObservedMap, Status
from mars_logic.plan.planner import Planner
from mars_logic.plan.task_plan import Task
from mars_logic.plan.world_model import DO, WorldModel
from mars_logic.play.application import faced, is_applied, of_creature
from mars_logic.play.episodes import Tally
from mars_logic.play.ordered_queue import OrderedQueue
from mars_logic.sim import Simulator
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.rules import Creature, Make, Place

if TYPE_CHECKING:
    from mars_logic.sim import State
    from mars_logic.world.theory import World

PATIENCE: Final = 1000
"""Steps of the game after which a step of the plan is given up."""
DETOURS: Final = 5
"""How many steps may at a time be put before one, to replace what was used or lost."""


@dataclass(frozen=True)
class PlanExecution:
    """What came of executing a plan.

    Attributes:
        done: How many steps of the plan were done, from the first to the first that was not.
        replaced: How many interactions more were done to replace what was used to stay alive, or
            lost.
        actions: The code of every action in the game.
        unlocked: The step of the game at which each achievement was first reached.
        reward: The sum of all rewards.
        reason: Why the next step was not done, in words; None if all were.
    """

    done: int
    replaced: int
    actions: tuple[int, ...]
    unlocked: dict[str, int]
    reward: float
    reason: str | None


def carry_out(
    world: World,
    seed: int,
    plan: Sequence[Step],
    episode: int = 1,
    patience: int = PATIENCE,
    *,
    goal: str | None = None,
    length: int | None = None,
) -> PlanExecution:
    """Do the steps of a plan in their order, in the simulator.

    Args:
        world: The world.
        seed: The environment's seed.
        plan: Its steps.
        episode: Which episode of that seed.
        patience: Steps of the game after which a step of the plan is given up.
        goal: An achievement to go on for once all steps are done, and to stop at once it is
            reached; None to stop when all steps are done.
        length: Steps after which the episode ends; by default the world's.
    """
    steps = [Task(step.rule, 1, step.gain) for step in plan for _ in range(step.times)]
    simulator = Simulator(world, length=length)
    simulator.reset(seed, episode)
    queue = OrderedQueue(world, WorldModel(world), steps)
    planner, tally = Planner(world, (), queue=queue, length=simulator.length), Tally(simulator)
    actions: list[int] = []
    rewards: list[float] = []
    tries = since = replaced = 0
    numbers = list(range(len(steps)))  # of the steps that are left
    reason = None
    after = simulator.state()
    while reason is None:
        while queue.left and not queue.detours and _holds_already(world, after, queue.left[0]):
            queue.advance()
            del numbers[0]
            tries, since = 0, len(actions)
        if goal in tally.unlocked or not (queue.left or goal):
            break
        step = queue.left[0] if queue.left else None
        if step and queue.detours < DETOURS and (more := _lacking(world, after, step)):
            queue.detour(more)
            continue
        before = after
        seen = ObservedMap.from_state(before, world.dynamics)
        words = world.vocabulary
        status = Status.from_state(before, words.achievements, words.items)
        actions.append(planner.decide(seen, status).action)
        reward, done = simulator.step(actions[-1])
        rewards.append(float(reward[0]))
        tally.note(len(actions))
        after = simulator.state()
        tries += step is not None and _is_try(world, before, actions[-1], step)
        if step and is_applied(world, step, before, after, actions[-1]):
            replaced += bool(queue.detours)
            del numbers[: not queue.detours]
            since = since if queue.detours > 1 else len(actions)
            queue.advance()
            tries = 0
        elif place := _done_in_advance(world, queue, before, after, actions[-1]):
            queue.cross_off(place)
            del numbers[place - queue.detours]
        if done[0] and goal not in tally.unlocked and (queue.left or goal):
            died = simulator.observe().status[0, 0] <= 0
            over = "the player died" if died else "the episode ended"
            reason = f"{over} at step {len(actions):,}"
        elif len(actions) - since >= patience:
            told = _obstacle(world, after, step, tries) if step else f"{goal} was not reached"
            reason = f"{told}, within {patience:,} steps"
    total = math.fsum(rewards)
    return PlanExecution(
        min(numbers, default=len(steps)), replaced, tuple(actions), tally.unlocked, total, reason
    )


def _done_in_advance(
    world: World, queue: OrderedQueue, before: State, after: State, action: int
) -> int:
    """The place of a later step that an action did, to keep the player alive; 0 for none.

    What was collected besides may be used up before its turn, and is not counted.
    """
    steps = enumerate(queue.left)
    first = max(1, queue.detours)
    later = (i for i, step in steps if i >= first and not step.rule.startswith("collect."))
    return next((i for i in later if is_applied(world, queue.left[i], before, after, action)), 0)


def _lacking(world: World, state: State, step: Task) -> Task | None:
    """A step that brings what a step lacks; None if it lacks nothing that one brings."""
    if step.rule == "sleep":
        return None
    if step.rule == "creature.plant":
        return None if _is_there(world, state, "plant") else Task("place.plant")
    rule: Any = world[step.rule]
    if isinstance(rule, Make):
        for station in rule.nearby:
            if station in world.place and not _is_on_the_map(world, state, station):
                return Task(f"place.{station}")
    for item, amount in _needs(world, step.rule).items():
        if _held(world, state, item) < amount:
            return _source(world, state, item)
    return None


def _needs(world: World, rule: str) -> Mapping[str, int]:
    """The items that have to be held, by amount."""
    uses: Mapping[str, int] = getattr(world[rule], "uses", {})
    return requiring(world).get(rule) or uses


def _source(world: World, state: State, item: str) -> Task | None:
    """A rule that brings an item: the surest that what is held allows, else any."""
    if item in world.make:
        return Task(f"make.{item}")
    held = dict(zip(world.vocabulary.items, state.inventory.tolist(), strict=True))
    found = []
    for rule in world.collect.values():
        if item in rule.yields and _is_on_the_map(world, state, rule.subject):
            chance = rule.yields[item].probability
            possible = all(held[other] >= n for other, n in rule.requires.items())
            rank = (not possible, -1.0 if chance is None else -chance, rule.id)
            found.append((rank, Task(rule.id, 1, None if chance in (None, 1) else item)))
    return min(found, key=lambda pair: pair[0])[1] if found else None


def _holds_already(world: World, state: State, step: Task) -> bool:
    """Whether a step would change nothing: all it does is to unlock what is unlocked."""
    family, _, subject = step.rule.partition(".")
    if family == "sleep":
        return _count(world, state, {"wake_up"}) > 0
    loot = bringing(world).get(step.rule, {})
    if family == "creature" and not loot:
        return _count(world, state, of_creature(world.vocabulary, subject)) > 0
    gains = [step.gain] if step.gain else list(getattr(world[step.rule], "yields", loot))
    items = [item for item in gains if item in world.vocabulary.holdable]
    unlocked = _count(world, state, {f"collect_{item}" for item in items}) > 0
    full = all(_held(world, state, item) >= MAXIMUM for item in items)
    return bool(items) and len(items) == len(gains) and full and unlocked


def _count(world: World, state: State, achievements: set[str]) -> int:
    counts = world.vocabulary.achievements
    return sum(int(state.achievements[counts.index(name)]) for name in achievements & {*counts})


def _is_there(world: World, state: State, kind: str) -> bool:
    """Whether an object of a kind is on the map."""
    return world.vocabulary.objects.index(kind) in state.objects["kind"]


def _held(world: World, state: State, item: str) -> int:
    return int(state.inventory[world.vocabulary.items.index(item)])


def _is_on_the_map(world: World, state: State, material: str) -> bool:
    return bool((state.materials == world.vocabulary.materials.index(material)).any())


def _is_try(world: World, before: State, action: int, step: Task) -> bool:
    """Whether an action tried its luck for a step."""
    subject = step.rule.partition(".")[2]
    if action != DO or step.gain is None or subject not in world.vocabulary.materials:
        return False
    return faced(before) == world.vocabulary.materials.index(subject)


def _obstacle(world: World, state: State, step: Task, tries: int) -> str:
    """Why a step is not done yet, as far as the state tells."""
    family, _, subject = step.rule.partition(".")
    if family == "sleep":
        return "the player did not wake up rested"
    rule: Any = world[step.rule]
    for item, amount in _needs(world, step.rule).items():
        held = _held(world, state, item)
        if held < amount:
            return f"{held} {item} held, and {amount} needed, since some was used to stay alive"
    if step.gain is not None and tries:
        return f"{tries} tries gave no {step.gain}, which depends on chance"
    if isinstance(rule, Creature):
        there = _is_there(world, state, subject)
        return f"no way to a {subject}" if there else f"there was no {subject}"
    wanted = rule.where if isinstance(rule, Place) else (subject,)
    if isinstance(rule, Make):
        lacking = [m for m in rule.nearby if not _is_on_the_map(world, state, m)]
        if lacking:
            return f"no {' and no '.join(lacking)} on the map"
        return f"no way to where {' and '.join(rule.nearby) or 'nothing'} is nearby"
    there = any(_is_on_the_map(world, state, material) for material in wanted)
    return f"{'no way to' if there else 'there was no'} {' or '.join(wanted)}"
