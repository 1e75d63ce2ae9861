"""Players of puzzles that act by what is seen alone."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any, Final

from mars_logic.domains.chance import Seeded
from mars_logic.domains.players import BasePlayer
from mars_logic.domains.protocol import seen_now
from mars_logic.domains.rulearn.episode import PuzzleAction
from mars_logic.domains.rulearn.puzzle import Puzzle
from mars_logic.play.agent import Episode

_MOST_TRIES: Final = 1000


class BaselinePlayer(BasePlayer):
    """Keeps digits that were right and drops those that were wrong; tries new reactions.

    At a door it enters codes that what the door said allows. At the reactor it puts together parts
    of the target in ways that were not tried.

    Args:
        theory: What the manual tells.
        learn: Of no effect: nothing outlives an episode.
    """

    def __init__(self, theory: Puzzle, *, learn: bool = False) -> None:  # noqa: ARG002
        self._theory = theory
        self.repeated = 0

    def begin(self, episode: Episode) -> None:
        """Start an episode."""
        self._chance = Seeded(episode.seed, "player")
        self._start = seen_now(episode)
        self._tried: set[tuple[str, ...]] = set()
        self._last: PuzzleAction | None = None
        self._forget()

    def _forget(self) -> None:
        size, low, high, _ = self._theory.code_shape
        self._allowed = [list(range(low, high + 1)) for _ in range(size)]

    def act(self, observation: Mapping[str, Any]) -> PuzzleAction:
        """The next action."""
        if any(each["do"] == "submit" for each in observation["available"]):
            return PuzzleAction("submit")
        if "storage" in observation:
            return self._reaction(observation)
        if observation.get("changed"):
            self._forget()
        elif self._last:
            self._note(observation)
        self._last = PuzzleAction("enter_code", code=self._code())
        return self._last

    def _note(self, shown: Mapping[str, Any]) -> None:
        digits = zip(shown["entered"], shown["digits"], strict=True)
        for at, (digit, right) in enumerate(digits):
            kept = [each for each in self._allowed[at] if (each == int(digit)) == right]
            self._allowed[at] = kept

    def _code(self) -> str:
        distinct = self._theory.code_shape.distinct
        for _ in range(_MOST_TRIES):
            found = [each[self._draw(len(each))] for each in self._allowed]
            if not distinct or len(set(found)) == len(found):
                break
        return "".join(map(str, found))

    def _reaction(self, shown: Mapping[str, Any]) -> PuzzleAction:
        target, storage = self._start["target"], shown["storage"]
        untried = [pair for pair in itertools.product(storage, repeat=2) if pair not in self._tried]
        parts = [
            pair
            for pair in untried
            if all(each in target for each in pair) and len("".join(pair)) <= len(target)
        ]
        longest = max((len("".join(pair)) for pair in parts), default=0)
        best = [pair for pair in parts if len("".join(pair)) == longest] or untried
        chosen = best[self._draw(len(best))]
        self._tried.add(chosen)
        return PuzzleAction("react", materials=chosen)

    def _draw(self, many: int) -> int:
        return int(self._chance.uniform("choice") * many)
