"""A family of puzzles as an environment, with Gymnasium's interface; a reset chooses the puzzle."""

from __future__ import annotations

import string
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from gymnasium import spaces

from mars_logic.domains.library import game_sets, games_of
from mars_logic.domains.load import load_game
from mars_logic.domains.protocol import ActionError
from mars_logic.domains.registry import domain
from mars_logic.domains.rulearn.episode import PuzzleAction, action_read
from mars_logic.domains.rulearn.game_simulator import PuzzleSimulator
from mars_logic.domains.rulearn.puzzle import Puzzle
from mars_logic.envs.choices import choose, known, reset_options
from mars_logic.envs.family_views import VIEWS
from mars_logic.envs.simulator_env import GameView, SimulatorEnv
from mars_logic.errors import InputError

PuzzleActions = Literal["text", "choices"]
MOST_TYPED: Final = 200
"""Characters of an action as text."""
MOST_SHOWN: Final = 20_000
"""Characters of an observation in words; what is longer is cut."""
_MALFORMED: Final = PuzzleAction("malformed")


class PuzzleEnv(SimulatorEnv):
    """A family of puzzles; made by ``gymnasium.make("mars_logic/Reactor-v0", ...)``.

    The reward is 1 for a solution. A solved puzzle, and one that is lost by a code, terminates an
    episode, the number of steps truncates it. What cannot be read as an action, or is not on offer,
    costs a step and does nothing else.
    """

    def __init__(
        self,
        puzzle: Puzzle | str | Path | None = None,
        *,
        family: str,
        observation: GameView = "symbolic",
        actions: PuzzleActions = "text",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Prepare the environment.

        Args:
            puzzle: The puzzle, its name, that of a set, or the path of a file: what a reset without
                the option of this name begins. By default one of the family's released puzzles,
                drawn by the seed; so with a set.
            family: The domain; what Gymnasium's names stand for.
            observation: ``symbolic``, numbers by name, or ``text``.
            actions: ``text``, as a person types them, or ``choices``, numbers with a mask.
            render_mode: ``ansi``, the observation in words.
            options: None; others are refused by name.

        Raises:
            InputError: An argument is none of what is allowed, or the puzzle of another family.
            WorldError: There is no such puzzle, or its file is wrong.
        """
        allowed = ("puzzle", "observation", "actions", "render_mode")
        known("options", options, allowed)
        super().__init__(observation, render_mode)
        self._family, self._view = family, VIEWS[family]
        self._typed = choose("actions", actions, PuzzleActions) == "text"
        self._usual = puzzle if puzzle is not None else _set_of(family)
        self._take(self._chosen(self._usual, 0))
        charset = string.printable
        self.action_space = (
            spaces.Text(MOST_TYPED, min_length=0, charset=charset)
            if self._typed
            else spaces.MultiDiscrete(self._view.choices.nvec)
        )
        self.observation_space = (
            spaces.Text(MOST_SHOWN, charset=charset) if self._words else self._view.space
        )

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode.

        Args:
            seed: Decides all random outcomes, and which puzzle of a set is played. Without one, a
                seed is drawn from those that follow from the last one given, if there was one.
            options: ``{"puzzle": …}``: a puzzle, its name, that of a set, or a file.

        Returns:
            The observation, and what :meth:`step` describes.

        Raises:
            InputError: There is no such option, or the puzzle is of another family.
            WorldError: There is no such puzzle, or its file is wrong.
        """
        super().reset(seed=seed)
        given = reset_options(options, ("puzzle",))
        drawn = int(self.np_random.integers(2**31 - 1)) if seed is None else seed
        self._take(self._chosen(given.get("puzzle", self._usual), drawn))
        return self._begin(drawn)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Carry out one action.

        Args:
            action: A text, such as ``react A + B``; or, with ``actions="choices"``, an array as
                :mod:`mars_logic.envs.family_views` describes it.

        Returns:
            Observation, reward, whether the puzzle is solved or lost by a code, whether its steps
            are used up, and a dictionary with ``completed``, whether it is solved; ``score``, the
            same as a number; ``steps``, those that count; ``manual``; ``puzzle``, its name;
            ``seed``; and, with ``actions="choices"``, ``action_mask``.

        Raises:
            ActionError: It is not in the action space, nor a text.
            RuntimeError: There was no reset yet.
        """
        self._require_episode()
        return self._step(self._on_offer(self._read(action)))

    @property
    def _puzzle(self) -> PuzzleSimulator[Any, Any]:
        assert isinstance(self.simulator, PuzzleSimulator)
        return self.simulator

    def _chosen(self, puzzle: Any, seed: int) -> Puzzle:
        if isinstance(puzzle, str):
            names = games_of(puzzle)
            puzzle = names[seed % len(names)]
        if not isinstance(puzzle, Puzzle | str | Path):
            allowed = "a Puzzle, the name of one or of a set, or the path of a file"
            raise InputError(f"puzzle: there is no {puzzle!r}; allowed: {allowed}")
        found = puzzle if isinstance(puzzle, Puzzle) else load_game(puzzle)
        if found.domain != self._family or not isinstance(found, Puzzle):
            message = f"{found.name} is of {found.domain}"
            raise InputError(f"puzzle: {message}; allowed: a puzzle of {self._family}")
        return found

    def _take(self, puzzle: Puzzle) -> None:
        self.game, self.simulator = puzzle, domain(self._family).simulator(puzzle)
        self._view.require(self._puzzle)

    def _read(self, action: Any) -> PuzzleAction:
        if self._typed and isinstance(action, str):
            try:
                return action_read(action[:MOST_TYPED])
            except ActionError:
                return _MALFORMED
        if self._typed or not self.action_space.contains(choice := np.asarray(action)):
            allowed = "a text" if self._typed else str(self.action_space)
            raise ActionError(f"action: {action!r} is not an action; allowed: {allowed}")
        return self._view.action(self._puzzle, choice)

    def _on_offer(self, action: PuzzleAction) -> PuzzleAction:
        offered = self._over or self._puzzle.offers(action)
        return action if offered else _MALFORMED

    @property
    def _terminated(self) -> bool:
        outcome = self._outcome
        return outcome.done and (bool(outcome.completed) or (outcome.steps or 0) < self.game.length)

    def _observation(self) -> Any:
        if not self._words:
            return self._view.observed(self._puzzle, self.simulator.observe())
        text = self.simulator.text()[:MOST_SHOWN]
        return "".join(each if each in string.printable else "?" for each in text)

    def _info(self) -> dict[str, Any]:
        about = {"puzzle": self.game.name, "steps": self._outcome.steps or 0}
        mask = {} if self._typed else {"action_mask": self._view.mask(self._puzzle)}
        return {**super()._info(), **about, **mask}


def _set_of(family: str) -> str:
    return next(name for name in game_sets() if name.endswith(f"/{family}"))
