"""The ideal explorer of the paper: it sees the vandal's own views, in the order of time.

What was done is then seen where it left a trace at once; what was made, and what everything was
for, is not. A simulated history is laid over what was seen: deeds that are the same, in the same
order, take the place and step at which they were seen, and the rest of the history is fitted in
between.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.conan.codes import CODE, CODES, REMAINS
from mars_logic.domains.conan.corpus import stage_for, states
from mars_logic.domains.conan.detective.evidence import SceneEvidence
from mars_logic.domains.conan.detective.exploring import NEVER, REACH
from mars_logic.domains.conan.detective.posterior import PlanPosterior
from mars_logic.domains.conan.questions.history import Bracket, Cell, Deed, History
from mars_logic.domains.conan.scenes import FinishedScene
from mars_logic.domains.conan.vandal.log import Why
from mars_logic.domains.conan.vandal.tasks import ALL_TASKS
from mars_logic.sim.cells import cells_of
from mars_logic.world.dialect import AREA

_SHOWN: Final = ("collect", "place", "kill")
"""Kinds of deeds that are seen at once."""
_STRANGE: Final = 0.5
"""How much less likely a history is, in nats, for each deed that was not seen or not in it."""
_PLACED: Final = tuple(CODE[name] for name in ("table", "furnace", "bed", "stone"))


class WitnessedDeed(NamedTuple):
    """A deed that was seen.

    Attributes:
        kind: collect, place or kill.
        name: The material, thing or creature.
        step: The step after which its trace was there.
        cell: Where.
        own: Whether the vandal stood beside it; otherwise an arrow did it.
    """

    kind: str
    name: str
    step: int
    cell: Cell
    own: bool = True

    @property
    def key(self) -> str:
        """Verb and name, as of ``history.Deed``."""
        return f"{self.kind}_{self.name}"


@dataclass(frozen=True)
class WitnessedEpisode:
    """What the vandal's views show.

    Attributes:
        evidence: The cells that were seen, each as it was when it was seen last.
        seen_at: int16[64, 64]: the step at which each cell was first seen; ``NEVER`` if it was not.
        trail: int64[steps + 1, 2]: where the vandal stood.
        deeds: What it did, as far as that was seen.
    """

    evidence: SceneEvidence
    seen_at: NDArray[np.int16]
    trail: NDArray[np.int64]
    deeds: tuple[WitnessedDeed, ...]


def witnessed(scene: FinishedScene, until: int | None = None) -> WitnessedEpisode:
    """Look over the vandal's shoulder.

    Args:
        scene: The scene.
        until: The last step that is seen; by default all of them.
    """
    last = scene.steps if until is None else min(until, scene.steps)
    words = stage_for(scene.world, scene.vandal).world.vocabulary
    codes, objects = (np.zeros((AREA, AREA), np.uint8) for _ in range(2))
    seen_at = np.full((AREA, AREA), NEVER, np.int16)
    deeds: list[WitnessedDeed] = []
    for step, state in enumerate(states(scene)):
        if step > last:
            break
        x, y = scene.trail[step].tolist()
        view = _view(x, y)
        assert state.marks is not None
        now = cells_of(words, state.materials[view], state.marks[view])
        before = codes[view].copy()
        known = seen_at[view] <= step
        codes[view] = now
        deeds += _done(before, now, known, step, (x, y), (view[0].start, view[1].start))
        seen_at[view] = np.minimum(seen_at[view], step)
        objects[view] = 0
        for kind, ox, oy in state.objects[["kind", "x", "y"]].tolist():
            if view[0].start <= ox < view[0].stop and view[1].start <= oy < view[1].stop:
                objects[ox, oy] = kind
    figure = scene.figure if last == scene.steps else None
    dead = scene.dead and figure is not None
    evidence = SceneEvidence(codes, objects, seen_at != NEVER, figure, dead)
    return WitnessedEpisode(
        evidence, seen_at, scene.trail[: last + 1].astype(np.int64), tuple(deeds)
    )


def _view(x: int, y: int) -> tuple[slice, slice]:
    """The 9 x 9 cells around a cell."""
    across, down = (slice(max(at - REACH, 0), min(at + REACH + 1, AREA)) for at in (x, y))
    return across, down


def _done(
    before: NDArray[np.uint8],
    now: NDArray[np.uint8],
    known: NDArray[np.bool_],
    step: int,
    figure: Cell,
    corner: Cell,
) -> Iterator[WitnessedDeed]:
    """The deeds whose traces are new: the figure's own ones beside it, and kills anywhere."""
    for i, j in np.argwhere(known & (before != now)).tolist():
        cell = corner[0] + i, corner[1] + j
        shown, was = CODES[now[i, j]], CODES[before[i, j]]
        own = abs(cell[0] - figure[0]) + abs(cell[1] - figure[1]) == 1
        if shown.endswith("_dead"):
            yield WitnessedDeed("kill", REMAINS[shown], step, cell, own)
        elif own and now[i, j] in _PLACED:
            yield WitnessedDeed("place", shown, step, cell)
        elif own and shown in REMAINS:
            yield WitnessedDeed("collect", was, step, cell)


@dataclass(frozen=True)
class WitnessPosterior(PlanPosterior):
    """What is believed of a scene that was witnessed."""

    episode: WitnessedEpisode | None = None

    @cached_property
    def believed(self) -> Sequence[tuple[float, History]]:
        """The likeliest simulated histories, laid over what was seen, with their weights."""
        assert self.episode is not None
        found = PlanPosterior.believed.func(self)  # type: ignore[attr-defined]
        return [(weight, laid_over(history, self.episode)) for weight, history in found]


def weighed_by(posterior: PlanPosterior, episode: WitnessedEpisode) -> WitnessPosterior:
    """Weigh simulations by the order of what was seen, too."""
    strange = np.array(
        [_strangeness(posterior.history(each), episode) for each in posterior.results]
    )
    weights = posterior.weights * np.exp(-_STRANGE * (strange - strange.min()))
    weights = weights / weights.sum()
    tasks = np.zeros(len(ALL_TASKS))
    numbers = [ALL_TASKS.index(posterior.plans[plan][0]) for plan in posterior.results["plan"]]
    np.add.at(tasks, numbers, weights)
    return WitnessPosterior(
        tasks=tasks,
        results=posterior.results,
        weights=weights,
        plans=posterior.plans,
        possible=posterior.possible,
        brackets=posterior.brackets,
        recipes=posterior.recipes,
        episode=episode,
    )


def _shown(history: History) -> list[Deed]:
    """The deeds of a history that would be seen."""
    return [each for each in history.deeds if each.kind in _SHOWN and each.why != Why.ARROW]


def _own(episode: WitnessedEpisode) -> list[WitnessedDeed]:
    return [each for each in episode.deeds if each.own]


def _matched(history: History, episode: WitnessedEpisode) -> list[tuple[Deed, WitnessedDeed]]:
    """Deeds of a history and those that were seen, in one order."""
    theirs, ours = _shown(history), _own(episode)
    keys = [each.key for each in theirs], [each.key for each in ours]
    blocks = SequenceMatcher(None, *keys, autojunk=False).get_matching_blocks()
    return [(theirs[block.a + i], ours[block.b + i]) for block in blocks for i in range(block.size)]


def _strangeness(history: History, episode: WitnessedEpisode) -> int:
    """How many deeds were seen and are not in a history, or the other way round."""
    same = len(_matched(history, episode))
    return len(_shown(history)) + len(_own(episode)) - 2 * same


def laid_over(history: History, episode: WitnessedEpisode) -> History:
    """A history at the places and steps that were seen.

    Args:
        history: A simulated one.
        episode: What was seen.
    """
    pairs = _matched(history, episode)
    last = len(episode.trail) - 1
    sim = [0, *(deed.step for deed, _ in pairs), max(len(history.trail) - 1, 1)]
    real = [0, *(seen.step for _, seen in pairs), last]
    steps = np.interp
    brackets = [
        Bracket(
            each.name, each.parent, *(round(steps(s, sim, real)) for s in (each.first, each.last))
        )
        for each in history.brackets
    ]
    placed = {id(deed): seen for deed, seen in pairs}
    deeds: list[Deed] = []
    for deed in history.deeds:
        if (seen := placed.get(id(deed))) is not None:
            deeds.append(replace(deed, step=seen.step, cell=seen.cell))
        elif deed.kind not in _SHOWN:
            deeds.append(_hidden(deed, history, episode, sim, real))
    taken = {seen for _, seen in pairs}
    for seen in episode.deeds:
        if seen not in taken:
            inside, why = _innermost(brackets, seen.step), Why.WAY if seen.own else Why.ARROW
            deeds.append(Deed(seen.kind, seen.name, seen.step, seen.cell, inside, why, None))
    deeds.sort(key=lambda deed: deed.step)
    return History(history.task, brackets, deeds, episode.trail, history.recipes)


def _innermost(brackets: Sequence[Bracket], step: int) -> int:
    """The bracket opened last among those that are open at a step, or -1."""
    open_ = [i for i, each in enumerate(brackets) if each.first < step <= each.last]
    return open_[-1] if open_ else -1


def _hidden(
    deed: Deed,
    history: History,
    episode: WitnessedEpisode,
    sim: Sequence[int],
    real: Sequence[int],
) -> Deed:
    """A deed that is not seen, at the first step between seen ones at which it can be done.

    What is made at a station is made beside one; anything else keeps its distance from the seen
    deed before it.
    """
    number = int(np.searchsorted(sim[1:-1], deed.step, "right"))
    first, last = real[number], real[number + 1]
    step = min(first + max(deed.step - sim[number], 0), last)
    if deed.kind == "make":
        source = history.recipes.make[deed.name].source
        stations = [d.cell for d in episode.deeds if d.name == source and d.step <= last]
        apart = [
            min((np.abs(episode.trail[at] - cell).max() for cell in stations), default=AREA)
            for at in range(first, last + 1)
        ]
        beside = [first + i for i, distance in enumerate(apart) if distance <= 1]
        step = min(beside, key=lambda at: abs(at - step), default=step)
    x, y = episode.trail[step].tolist()
    return replace(deed, step=step, cell=(x, y))
