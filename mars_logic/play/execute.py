"""Execution of witnesses: a proof's steps are played on their map, in their order.

The planner does each step in its turn, and keeps the player alive meanwhile; in worlds with traces,
which it does not know, a simple executor does. Neither replans: where the witness is insufficient
(objects placed to cross water and lost, a creature that does not spawn), it fails and reports the
step. A success is a certificate that anyone can replay.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from mars_logic.logic.proof import Step
from mars_logic.play.agent import Episode, Knows
from mars_logic.play.application import action_for
from mars_logic.play.certificate import Certificate, certify, verify
from mars_logic.play.episodes import Ended, Played, play
from mars_logic.play.plan_execution import carry_out
from mars_logic.play.scenery import MOVES, Scenery, Target, Way
from mars_logic.sim import Simulator
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.rules import Collect, Creature, Make, Place, Rule
from mars_logic.world.trace_rules import Eat, LeavingCreature, UsingCollect

if TYPE_CHECKING:
    from mars_logic.sim import Observation, State
    from mars_logic.world.theory import World


STEPS = 1000
"""Steps after which a witness is given up."""
NAME = "executor"
TRIES = 3
"""Episodes played for a witness by the simple executor, each with another wait at first."""


@dataclass(frozen=True)
class Execution:
    """The result of executing a witness.

    Attributes:
        certificate: The played steps, replayed and found to be true; None if it failed.
        reason: Why it failed; None if it did not.
    """

    certificate: Certificate | None
    reason: str | None = None

    @property
    def steps(self) -> int | None:
        """How many steps it took; None if it failed."""
        return self.certificate.steps if self.certificate else None


def execute(
    world: World,
    name: str,
    seed: int,
    achievement: str,
    witness: Iterable[Step],
    limit: int = STEPS,
) -> Execution:
    """Carry out a witness on the map of a seed.

    Args:
        world: The world.
        name: What it can be loaded by, for the certificate.
        seed: The map's seed.
        achievement: What the witness unlocks.
        witness: Its steps.
        limit: Steps after which it is given up.
    """
    steps = tuple(witness)
    played = _retried if world.vocabulary.traced else _carried_out
    episode, reason = played(world, seed, achievement, steps, limit)
    if reason is not None:
        return Execution(None, reason)
    certificate = certify(episode, world, name, NAME)
    found = verify(certificate, world)
    if not found.valid:
        return Execution(None, f"its replay differs: {'; '.join(found.problems)}")
    return Execution(certificate)


def _carried_out(
    world: World, seed: int, achievement: str, steps: tuple[Step, ...], limit: int
) -> tuple[Played, str | None]:
    """The episode in which the planner does the steps, and why it failed."""
    length = min(limit, Simulator(world).length)
    done = carry_out(world, seed, steps, goal=achievement, length=length)
    ended: Ended = "complete" if done.reason is None else "stopped"
    episode = Played(seed, 1, done.actions, done.unlocked, done.reward, ended)
    if done.reason is None:
        return episode, None
    rules = [step.rule for step in steps for _ in range(step.times)]
    at = rules[done.done] if done.done < len(rules) else "the end of the witness"
    return episode, f"{done.reason}, at {at}"


def _retried(
    world: World, seed: int, achievement: str, steps: tuple[Step, ...], limit: int
) -> tuple[Played, str | None]:
    """The first episode in which the simple executor succeeds, else the last and why it failed."""
    for pause in range(TRIES):
        executor = StepExecutor(steps, pause)
        played = play(executor, Simulator(world), seed, (achievement,), limit=limit)
        if achievement in played.unlocked:
            return played, None
    end = "the player died" if played.ended == "death" else "time ran out"
    return played, f"{end} after {played.steps} steps, at {executor.doing}"


LOW: Final = 3
"""Food and drink at or below which a need is served first."""
_NOOP, _DO, _SLEEP = "noop", "do", "sleep"


class StepExecutor:
    """An agent that carries out the steps of a witness in order."""

    knows: ClassVar[Knows] = "rules and state"

    def __init__(self, witness: Iterable[Step], pause: int = 0):
        """Prepare.

        Args:
            witness: The steps to carry out.
            pause: Steps to wait at first, which changes what chance brings later.
        """
        self._left = [(step.rule, step.times, step.gain) for step in witness]
        self._pause = pause
        self._tried: str | None = None
        self._before: State | None = None
        self._way: Way = []

    @property
    def doing(self) -> str:
        """The step of the witness that it is at."""
        return self._left[0][0] if self._left else "the end of the witness"

    def begin(self, episode: Episode) -> None:
        """Take the world and the state.

        Raises:
            ValueError: They are not told.
        """
        if episode.world is None or episode.state is None:
            raise ValueError("this agent needs an episode with a world and a state")
        self._world: World = episode.world
        self._words = episode.world.vocabulary
        self._now = episode.state

    def act(self, observation: Observation) -> int:  # noqa: ARG002 - the state tells more
        """The next action."""
        state = self._now()
        if self._tried is not None and self._before is not None:
            self._count(self._tried, self._before, state)
        self._tried, self._before = _SLEEP if self.doing == _SLEEP else None, state
        if self._pause:
            self._pause -= 1
            return self._code(_NOOP)
        scenery = Scenery(self._world, state)
        for attempt in (self._defend, self._serve_needs, self._go_on):
            if (action := attempt(state, scenery)) is not None:
                return self._code(action)
        return self._code(_NOOP)

    def end(self, episode: Episode) -> None:
        """Finish the episode; the agent keeps nothing."""

    def _code(self, action: str) -> int:
        return self._words.actions.index(action)

    def _held(self, state: State, item: str) -> int:
        return int(state.inventory[self._words.items.index(item)])

    def _count(self, rule: str, before: State, after: State) -> None:
        """Count the step as done if its counter rose, or what it uses was used up."""
        current, times, gain = self._left[0]
        rose = {
            name
            for name, old, new in zip(
                self._words.achievements, before.achievements, after.achievements, strict=True
            )
            if new > old
        }
        used = any(self._held(after, i) < self._held(before, i) for i in _used(self._world, rule))
        done = used or bool(rose & _counted(self._world, rule, gain))
        if rule == current and done:
            self._left = [*([(rule, times - 1, gain)] if times > 1 else []), *self._left[1:]]

    def _defend(self, state: State, scenery: Scenery) -> str | None:  # noqa: ARG002
        """Hit a creature that attacks and stands beside the player."""
        for direction, (move, kind) in enumerate(zip(MOVES, scenery.beside, strict=True)):
            rule = self._world.creature.get(kind)
            if rule is not None and (rule.attacks or rule.shoots):
                return _DO if direction == scenery.position[1] else move
        return None

    def _serve_needs(self, state: State, scenery: Scenery) -> str | None:
        if state.sleeping:
            return _SLEEP
        if self._held(state, "drink") <= LOW and (way := self._drink(scenery)):
            return way
        if self._held(state, "food") <= LOW:
            return self._eat(state, scenery)
        return None

    def _drink(self, scenery: Scenery) -> str | None:
        liquids = {name for name, rule in self._world.drink.items() if rule.drink > 0}
        return self._reach(scenery, scenery.facing(liquids), _DO)

    def _eat(self, state: State, scenery: Scenery) -> str | None:
        meals = {name: rule.food for name, rule in self._world.eat.items() if rule.food > 0}
        held = [name for name in meals if self._held(state, name)]
        if held:
            return action_for(self._words, f"eat.{max(held, key=meals.__getitem__)}")
        prey = {
            name
            for name, rule in self._world.creature.items()
            if isinstance(rule, LeavingCreature) and not rule.attacks and meals.keys() & rule.yields
        }
        plants = {
            name
            for name, rule in self._world.collect.items()
            if meals.keys() & rule.yields and scenery.affords(rule)
        }
        target = scenery.facing_creature(prey) | scenery.facing(plants)
        return self._reach(scenery, target, _DO)

    def _go_on(self, state: State, scenery: Scenery) -> str | None:
        """Go on with the first step that is left."""
        if not self._left:
            return _NOOP
        rule = self._left[0][0]
        action = action_for(self._words, rule)
        if rule == _SLEEP:
            rested = self._held(state, "energy") >= MAXIMUM
            return _NOOP if rested else _SLEEP
        target = self._target(self._world[rule], scenery)
        chosen = action if target is None else self._reach(scenery, target, action)
        if chosen == action:
            self._tried = rule
        return chosen

    def _target(self, rule: Rule, scenery: Scenery) -> Target | None:
        match rule:
            case Collect():
                return scenery.facing({rule.subject}, bare=True)
            case Place():
                return scenery.placing(rule.where)
            case Make():
                return scenery.near(rule.nearby)
            case Creature():
                return scenery.facing_creature({rule.subject})
        return None

    def _reach(self, scenery: Scenery, target: Target, action: str) -> str | None:
        """The action itself where the target is reached, else the first step of a way there."""
        if target.holds(scenery.position):
            return action
        onward = [place for place, _ in self._way]
        if scenery.position in onward:
            self._way = self._way[onward.index(scenery.position) :]
        if not scenery.is_open(self._way, target):
            self._way = scenery.way(target) or []
        return self._way[0][1] if self._way else None


def _used(world: World, rule: str) -> Iterable[str]:
    """The items that a rule uses up."""
    found = world[rule] if rule != _SLEEP else None
    match found:
        case Place() | Make() | UsingCollect():
            return found.uses
        case Eat():
            return (found.subject,)
    return ()


def _counted(world: World, rule: str, gain: str | None) -> set[str]:
    """The achievements whose counters tell that a rule was applied."""
    if rule == _SLEEP:
        return {"wake_up"}
    found = world[rule]
    match found:
        case Collect():
            return {f"collect_{item}" for item in ((gain,) if gain else found.yields)}
        case LeavingCreature():
            killed = world.vocabulary.killing.get(found.subject)
            return {killed or "", *(f"collect_{item}" for item in found.yields)}
    return {rule.replace(".", "_")}
