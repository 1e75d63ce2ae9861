"""The belief of a player: an exact filter over readings, half cells, and which twin is which.

Weights of readings come from the manual; every tick gives evidence. For each name there is a
:class:`Track`; where a text hides cells, there is one for each way in which the things may have
started.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.messenger.readings import Readings
from mars_logic.domains.messenger.rules import (
    AGENT_ID,
    AGENT_X,
    AGENT_Y,
    CENTRE,
    FIRST_ID,
    FIRST_THING,
    HAS_MESSAGE,
    LARGEST,
    NAMES,
    ROLES,
    START_CELLS,
    STATE_SIZE,
    THING_SIZE,
)
from mars_logic.domains.messenger.tracks import X_1, X_2, Listed, Shown, Track
from mars_logic.domains.messenger.views import WORDS, Cell, direction
from mars_logic.domains.protocol import Observation

_MOVES: Final = ((0, -2), (0, 2), (-2, 0), (2, 0), (0, 0))


@dataclass(frozen=True)
class EpisodeStart:
    """A way in which an episode may have begun.

    Attributes:
        agent: The agent's cell.
        cells: By name: where its one or two things are.
    """

    agent: Cell
    cells: tuple[tuple[str, tuple[Cell, ...]], ...]


class MessengerBelief:
    """What is believed in one episode.

    Args:
        level: Of the game.
        observation: What is seen first, as ``grid`` or as ``text``.
    """

    def __init__(self, level: int, observation: Observation) -> None:
        self.level = level
        self.names = names_shown(observation)
        self.has_message = _has_message(observation)
        self._starts = [*_starts(level, self.names, observation)]
        self._tracks = {
            (start.agent, name, cells): Track.start(cells, moving=level > 1)
            for start in self._starts
            for name, cells in start.cells
        }
        self._agents = {start.agent: _half(start.agent) for start in self._starts}
        self._pickup: dict[tuple[Any, ...], Track] = {}
        self.readings = Readings.all(level, self.names)
        self._prior = self.readings.weights

    def believe(self, readings: Readings) -> None:
        """Take these weights of readings as prior of all that was seen.

        Args:
            readings: Of this level, for this belief's names in this order.
        """
        self._prior = readings.weights
        self.update()

    @property
    def agent(self) -> Cell:
        """The agent's half cell, as likely as any."""
        return self._agents[self._starts[0].agent]

    def see(self, action: int, observation: Observation) -> None:
        """Take in a tick in which the game went on.

        Args:
            action: What the agent did.
            observation: What is seen after it.
        """
        before = dict(self._agents)
        dx, dy = _MOVES[action]
        for start, (x, y) in before.items():
            self._agents[start] = _moved(x, dx), _moved(y, dy)
        got = _has_message(observation) and not self.has_message
        self.has_message = _has_message(observation)
        shown = _shown(observation, self.names)
        for key, track in self._tracks.items():
            start, name, _ = key
            moved = track.moved(before[start])
            if got:
                self._pickup[key] = moved.picked(shown[name], self._agents[start])
            elif key in self._pickup:
                picked = self._pickup[key].moved(before[start])
                self._pickup[key] = picked.observed(shown[name], self._agents[start])
            self._tracks[key] = moved.observed(shown[name], self._agents[start])
        if isinstance(next(iter(shown.values())), tuple):
            cell = observation["agent"][1], observation["agent"][2]
            self._agents = {start: _half((cell[0], cell[1])) for start in self._agents}
        self.update()

    def update(self) -> None:
        """Weigh all readings by what was read and seen."""
        table = np.stack([self._likelihood(start) for start in self._starts])
        weights = self._prior * table
        total = weights.sum()
        if not total > 0:  # what was read cannot be true: only what was seen counts
            weights = table
            total = weights.sum()
        if total > 0:
            self._joint = weights / total
            self.readings = self.readings.weighted(self._joint.sum(0))

    def track(self, start: EpisodeStart, name: str, *, is_message: bool) -> Track:
        """The filter of a name, given whether it is that of the message."""
        key = (start.agent, name, dict(start.cells)[name])
        if is_message and key in self._pickup:
            return self._pickup[key]
        return self._tracks[key]

    def _likelihood(self, start: EpisodeStart) -> NDArray[np.float64]:
        """float64[r]: how likely what was seen is under each reading, but for a common factor."""
        readings = self.readings
        found = np.ones(len(readings.roles))
        tables = {
            (name, role): self._name_likelihood(start, name, role)
            for name in self.names
            for role in range(len(ROLES))
        }
        for place, name in enumerate(self.names):
            for role in range(len(ROLES)):
                mine = readings.roles[:, role] == place
                table = tables[name, role]
                one = readings.motions[:, role]
                two = readings.motions[:, role + 2] if self.level == 3 and role else one * 0
                found *= np.where(mine, table[one, two], 1.0)
        return found

    def _name_likelihood(self, start: EpisodeStart, name: str, role: int) -> NDArray[np.float64]:
        """float64[3, 3]: by motion, and in a name with a twin by that of the decoy."""
        track = self.track(start, name, is_message=role == 1)
        twins = len(dict(start.cells)[name]) == 2
        table = np.zeros((3, 3))
        if twins != (self.level == 3 and role > 0) or not len(track.rows):
            return table
        scale = np.exp(track.log_evidence - self._reference(name))
        if twins:
            return np.asarray(scale * track.evidence_of_twins())
        for motion in range(3):
            table[motion] = scale * track.evidence(motion)
        return table

    def _reference(self, name: str) -> float:
        """The largest log evidence of a name's tracks, by which all are scaled."""
        tracks = [t for key, t in self._tracks.items() if key[1] == name]
        picked = [t for key, t in self._pickup.items() if key[1] == name]
        return max((t.log_evidence for t in (*tracks, *picked) if len(t.rows)), default=0.0)

    def sample(
        self, size: int, random: np.random.Generator, *, decide: bool = True
    ) -> NDArray[np.int8]:
        """States drawn from what is believed.

        Args:
            size: How many.
            random: Draws them.
            decide: Whether what watching cannot tell counts as decided, by what is likeliest.

        Returns:
            int8[size, 24].
        """
        decided = (self.readings.decided() if decide else self.readings).weights
        share = np.divide(
            decided,
            self.readings.weights,
            out=np.zeros_like(decided),
            where=self.readings.weights > 0,
        )
        joint = (self._joint * share).ravel()
        chosen = random.choice(len(joint), size, p=joint / joint.sum())
        states = np.zeros((size, STATE_SIZE), np.int8)
        states[:, HAS_MESSAGE] = self.has_message
        for pair in np.unique(chosen):
            start, reading = divmod(int(pair), len(decided))
            self._fill(states, chosen == pair, self._starts[start], reading, random)
        return states

    def _fill(
        self,
        states: NDArray[np.int8],
        here: NDArray[np.bool_],
        start: EpisodeStart,
        reading: int,
        random: np.random.Generator,
    ) -> None:
        """Write states of one start and one reading."""
        places = np.flatnonzero(here)
        states[places, AGENT_X], states[places, AGENT_Y] = self._agents[start.agent]
        for role, place in enumerate(self.readings.roles[reading].tolist()):
            track = self.track(start, self.names[place], is_message=role == 1)
            motion = int(self.readings.motions[reading, role])
            if not (self.level == 3 and role):
                weights = track.weights * (track.rows[:, 0] == motion)
                drawn = random.choice(len(weights), len(places), p=weights / weights.sum())
                _place(states, places, role, track.rows[drawn][:, X_1:X_2], motion)
                continue
            decoy = int(self.readings.motions[reading, role + 2])
            weights = np.concatenate(track.twin_weights(motion, decoy))
            drawn = random.choice(len(weights), len(places), p=weights / weights.sum())
            is_first = drawn < len(track.rows)
            rows = track.rows[drawn % len(track.rows)]
            one, two = rows[:, X_1:X_2], rows[:, X_2:]
            true = np.where(is_first[:, None], one, two)
            false = np.where(is_first[:, None], two, one)
            _place(states, places, role, true, motion)
            _place(states, places, role + 2, false, decoy)

    def twins(self) -> Mapping[tuple[str, Cell], float]:
        """By name and displayed cell of things with a twin: how likely it is the true one."""
        found: dict[tuple[str, Cell], float] = {}
        for pair, weight in np.ndenumerate(self._joint):
            if self.level < 3 or weight < 1e-9:
                continue
            start = self._starts[pair[0]]
            for role in (1, 2):
                name = self.names[self.readings.roles[pair[1], role]]
                track = self.track(start, name, is_message=role == 1)
                motions = self.readings.motions[pair[1]]
                first, second = track.twin_weights(int(motions[role]), int(motions[role + 2]))
                total = first.sum() + second.sum()
                for weights, at, other in ((first, X_1, X_2), (second, X_2, X_1)):
                    for row in np.flatnonzero(weights):
                        share = float(weight * weights[row] / total)
                        for column, amount in ((at, share), (other, 0.0)):
                            x, y = (track.rows[row, column : column + 2] // 2).tolist()
                            if x >= 0:
                                found[name, (x, y)] = found.get((name, (x, y)), 0.0) + amount
        return found


def _place(
    states: NDArray[np.int8],
    places: NDArray[np.int64],
    thing: int,
    cells: NDArray[np.int64],
    motion: int,
) -> None:
    at = FIRST_THING + THING_SIZE * thing
    states[places, at : at + 2] = np.maximum(cells, 0)
    states[places, at + 2] = cells[:, 0] >= 0
    states[places, at + 3] = motion


def _half(cell: Cell) -> Cell:
    return 2 * cell[0], 2 * cell[1]


def _moved(value: int, change: int) -> int:
    return value + change if 0 <= value + change <= LARGEST else value


def _has_message(observation: Observation) -> bool:
    if "agent" in observation:
        return bool(observation["agent"][0] == AGENT_ID + 1)
    return bool(observation["message"])


def names_shown(observation: Observation) -> tuple[str, ...]:
    """The names of what is seen, in the order of their ids."""
    if "things" in observation:
        shown = set(observation["things"][::3]) - {0}
        return tuple(NAMES[each - FIRST_ID] for each in sorted(shown))
    return tuple(n for n, steps in zip(NAMES, observation["steps"], strict=True) if steps >= 0)


def _shown(observation: Observation, names: tuple[str, ...]) -> dict[str, Shown]:
    """What is seen of each of these names."""
    if "things" in observation:
        things = observation["things"]
        cells: dict[str, list[Cell]] = {name: [] for name in names}
        for each, x, y in zip(things[::3], things[1::3], things[2::3], strict=True):
            if each:
                cells[NAMES[each - FIRST_ID]].append((x, y))
        return {name: tuple(found) for name, found in cells.items()}
    listed: dict[str, Shown] = {}
    for name in names:
        at = NAMES.index(name)
        steps = observation["steps"][at]
        listed[name] = Listed(None if steps < 0 else steps, observation["direction"][at])
    return listed


def _starts(level: int, names: tuple[str, ...], observation: Observation) -> Iterator[EpisodeStart]:
    """All ways in which an episode may have begun, given what is seen first."""
    shown = _shown(observation, names)
    if "agent" in observation:
        agent = observation["agent"][1], observation["agent"][2]
        known = {name: each for name, each in shown.items() if isinstance(each, tuple)}
        yield EpisodeStart(agent, tuple(known.items()))
        return
    cells = START_CELLS[level]
    agents = (CENTRE,) if level == 1 else cells
    for agent in agents:
        free = [cell for cell in cells if cell != agent]
        for nearest in permutations(free, len(names)):
            if all(_is(shown[n], agent, c) for n, c in zip(names, nearest, strict=True)):
                hidden = [cell for cell in free if cell not in nearest]
                yield from _with_hidden(level, names, agent, nearest, hidden)


def _with_hidden(
    level: int, names: tuple[str, ...], agent: Cell, nearest: tuple[Cell, ...], hidden: list[Cell]
) -> Iterator[EpisodeStart]:
    """The starts with these nearest things, by which names have a twin that is not listed."""
    if level < 3:
        yield EpisodeStart(agent, tuple((n, (c,)) for n, c in zip(names, nearest, strict=True)))
        return
    for single in range(len(names)):
        twins = [place for place in range(len(names)) if place != single]
        for rest in permutations(hidden):
            pairs = {p: (nearest[p], other) for p, other in zip(twins, rest, strict=True)}
            if all(_key(near, agent) < _key(far, agent) for near, far in pairs.values()):
                found = ((n, pairs.get(p, (nearest[p],))) for p, n in enumerate(names))
                yield EpisodeStart(agent, tuple(found))


def _key(cell: Cell, agent: Cell) -> tuple[int, int, int]:
    return abs(cell[0] - agent[0]) + abs(cell[1] - agent[1]), cell[1], cell[0]


def _is(shown: Shown, agent: Cell, cell: Cell) -> bool:
    """Whether a list may mean something in this cell."""
    assert isinstance(shown, Listed)
    word = direction(cell[0] - agent[0], cell[1] - agent[1])
    return (shown.steps, shown.direction) == (_key(cell, agent)[0], WORDS.index(word))
