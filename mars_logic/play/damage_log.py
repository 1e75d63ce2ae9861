"""Causes of damage and death in an episode, from its replayed actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mars_logic.plan.observed_map import KINDS
from mars_logic.plan.world_model import DO, WorldModel
from mars_logic.sim import Simulator
from mars_logic.world import names
from mars_logic.world.dialect import AREA

if TYPE_CHECKING:
    from mars_logic.play.episodes import Played
    from mars_logic.play.learner import Trial
    from mars_logic.sim import State
    from mars_logic.world.theory import World

_RECENT = 60
"""Steps before death in which the largest loss counts as its cause."""
_SHORTLY = 10
"""Steps up to death in which a loss by an experiment counts as a death by it."""
_DEEDS = {"walk": "walking on", "collect": "collecting"}
"""The experiments that can cost health, as causes."""
_NEAR = 2
_ARROW = KINDS.index("arrow")
_WANTS = {"food": "hunger", "drink": "thirst", "energy": "exhaustion"}


@dataclass(frozen=True, slots=True)
class Damage:
    """Health lost in one step.

    Attributes:
        step: When, from 1.
        cause: What it is blamed on, in words: ``zombie``, ``arrows``, ``hunger``, ``walking on
            sand``, ``collecting lava``.
        points: How much.
    """

    step: int
    cause: str
    points: int


@dataclass(frozen=True, slots=True)
class Death:
    """Why an episode ended in death.

    Attributes:
        cause: The largest cause of damage shortly before, as of :class:`Damage`; or ``unknown``.
        experiment: The last experiment whose deed cost health in the last ten steps, so that the
            player would not have died in that step without it; None if there is none.
    """

    cause: str
    experiment: Trial | None = None

    def __str__(self) -> str:
        tried = self.experiment
        by = f", by its own experiment on {tried.rule} at step {tried.step}" if tried else ""
        return f"{self.cause}{by}"


def losses(world: World, seed: int, episode: int, actions: Iterable[int]) -> Iterator[Damage]:
    """The losses of health when these actions are replayed from the beginning of an episode.

    The game does not record causes; a loss is attributed to the most likely one.
    """
    simulator = Simulator(world)
    simulator.reset(seed, episode)
    model = WorldModel(world)
    after = simulator.state()
    for step, action in enumerate(actions, start=1):
        simulator.step(action)
        before, after = after, simulator.state()
        points = int(before.inventory[0]) - int(after.inventory[0])
        if points > 0:
            yield Damage(step, _cause(model, before, after, action, points), points)


def cause_of_death(world: World, seed: int, episode: int, actions: Iterable[int]) -> str:
    """The largest cause of damage shortly before the end of the actions, or ``unknown``."""
    return _largest(list(losses(world, seed, episode, actions)))


def death(played: Played, world: World, trials: Iterable[Trial]) -> Death | None:
    """Why a learner died; None if it did not.

    Args:
        played: The episode.
        world: Where it was played.
        trials: The experiments of this episode.
    """
    if played.ended != "death":
        return None
    found = list(losses(world, played.seed, played.episode, played.actions))
    made = {trial.step: trial for trial in trials}
    own = [
        made[loss.step]
        for loss in found
        if loss.step > played.steps - _SHORTLY
        and loss.step in made
        and loss.cause == _deed(made[loss.step].rule)
    ]
    return Death(_largest(found), own[-1] if own else None)


def _deed(rule: str) -> str:
    family, _, subject = rule.partition(".")
    return f"{_DEEDS.get(family)} {subject}"


def _largest(found: Sequence[Damage]) -> str:
    recent = Counter[str]()
    for loss in found:
        if loss.step > found[-1].step - _RECENT:
            recent[loss.cause] += loss.points
    return recent.most_common(1)[0][0] if recent else "unknown"


def _cause(model: WorldModel, before: State, after: State, action: int, points: int) -> str:
    ground = int(after.materials[after.x, after.y])
    moved = (before.x, before.y) != (after.x, after.y)
    if moved and (model.deadly[ground] or model.walk_health[ground] < 0):
        return f"walking on {model.words.materials[ground]}"
    ahead = _ahead(model, before)
    if action == DO and ahead in model.world.collect and model.collect_effect(ahead).health < 0:
        return f"collecting {ahead}"
    wants = [want for item, want in _WANTS.items() if not after.inventory[names.ITEMS.index(item)]]
    if points > 1 or not wants:
        return _attacker(model, before, after)
    return wants[0]


def _ahead(model: WorldModel, before: State) -> str:
    x, y = before.x + before.facing[0], before.y + before.facing[1]
    inside = 0 <= x < AREA and 0 <= y < AREA
    return model.words.materials[before.materials[x, y]] if inside else "none"


def _attacker(model: WorldModel, before: State, after: State) -> str:
    """The attacker in range: a creature that attacks, or else an arrow."""
    near = {
        int(thing["kind"])
        for thing in before.objects
        if abs(thing["x"] - after.x) + abs(thing["y"] - after.y) <= _NEAR
    }
    if _ARROW in near:
        return "arrows"
    striking = sorted(kind for kind in near if model.blow(kind))
    return KINDS[striking[0]] if striking else "arrows"
