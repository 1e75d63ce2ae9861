"""Replays recorded episodes of SmartPlay's games.

Such an episode has ``episode`` (its number), ``setting`` (a bundled game), ``setup`` (what was
drawn at the reset) and ``steps``. A step holds the action ``a``, what was drawn, the reward ``r``,
``done``, ``score`` and the state after it; or, with ``error``, an attempt at something that is no
action, which changed nothing.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, StrictInt, StrictStr

from mars_logic.domains.chance import MissingDrawError, Recorded
from mars_logic.domains.coded import coded_domain
from mars_logic.domains.conformance import RecordedLine, RecordingDifference, ReplayPlace
from mars_logic.domains.library import bundled_games
from mars_logic.domains.load import load_game
from mars_logic.domains.protocol import ActionError, GameOutcome, GameSimulator
from mars_logic.world.fields import nearest, shown


class RecordedStep(BaseModel):
    """A step; what it holds besides depends on the game."""

    model_config = ConfigDict(extra="allow", frozen=True)

    a: StrictInt

    @property
    def fields(self) -> dict[str, Any]:
        """Everything but the action."""
        return dict(self.model_extra or {})


class RecordedEpisode(BaseModel):
    """An episode."""

    model_config = ConfigDict(extra="allow", frozen=True)

    episode: StrictInt
    setting: StrictStr
    setup: dict[str, Any]
    steps: list[RecordedStep]


def replayed(line: RecordedLine) -> tuple[str, int, RecordingDifference | None]:
    """The setting of an episode, how many steps agree, and the first difference.

    Raises:
        InputError: It is no episode of a bundled game, or a draw is missing or impossible.
    """
    episode = line.read_as(RecordedEpisode)
    if episode.setting not in bundled_games():
        hint = nearest(episode.setting, bundled_games())
        message = f"there is no game {shown(episode.setting)}{hint}"
        raise line.refusal("setting", message, ", ".join(bundled_games()))
    return episode.setting, *_Replay(line, episode).run()


class _Replay:
    """One episode, replayed until something differs."""

    def __init__(self, line: RecordedLine, recorded: RecordedEpisode) -> None:
        self._line, self._recorded = line, recorded
        self._game = load_game(recorded.setting)
        self._domain = coded_domain(self._game)
        self._simulator: GameSimulator = self._domain.simulator(self._game)

    def run(self) -> tuple[int, RecordingDifference | None]:
        """How many steps agree, and the first difference."""
        if found := self._setup():
            return 0, found
        agreed = 0
        for number, step in enumerate(self._recorded.steps):
            is_attempt = "error" in step.fields
            place = ReplayPlace(self._line, self._recorded.episode, "step", number)
            found = self._attempt(place, step) if is_attempt else self._step(place, step)
            if found:
                return agreed, found
            agreed += not is_attempt
        return agreed, None

    def _setup(self) -> RecordingDifference | None:
        place = ReplayPlace(self._line, self._recorded.episode, "setup")
        setup = self._recorded.setup
        try:
            self._simulator.reset(Recorded(self._domain.setup_draws(self._game, setup)))
        except MissingDrawError:
            usual = f"no setup of {self._recorded.setting}"
            return place.difference("setup", setup, usual)
        return place.compared(setup, self._domain.setup_of(self._simulator))

    def _attempt(self, place: ReplayPlace, step: RecordedStep) -> RecordingDifference | None:
        before = self._simulator.snapshot()
        try:
            self._simulator.step(step.a, Recorded({}))
        except ActionError:
            if self._simulator.snapshot() == before:
                return place.compared(step.fields, {"error": "not an action"})
            return place.difference("error", "no change", "a change")
        except MissingDrawError:
            pass
        return place.difference("error", step.fields["error"], "an action")

    def _step(self, place: ReplayPlace, step: RecordedStep) -> RecordingDifference | None:
        try:
            draws = self._domain.step_draws(self._game, step.fields)
            outcome = self._simulator.step(step.a, Recorded(draws))
        except ActionError as error:
            return place.difference("a", step.a, str(error))
        except MissingDrawError as error:
            message = "the outcome that was drawn is missing or impossible"
            field = f"steps[{place.step}].{error}"
            raise self._line.refusal(field, message, error.allowed) from None
        found = _outcome(outcome) | dict(self._domain.step_of(self._simulator))
        return place.compared(step.fields, found)


def _outcome(outcome: GameOutcome) -> dict[str, Any]:
    found: dict[str, Any] = {"r": outcome.reward, "done": outcome.done, "score": outcome.score}
    if outcome.completed is not None:
        found["completed"] = int(outcome.completed)
    return found
