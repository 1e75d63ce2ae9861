"""Plays Messenger: one environment, with every random outcome from a source of chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np

from mars_logic.domains.base import StateSimulator
from mars_logic.domains.chance import Chance
from mars_logic.domains.messenger import words
from mars_logic.domains.messenger.kernels import advance_one, draw_directions, options
from mars_logic.domains.messenger.manuals import manual_sentences
from mars_logic.domains.messenger.rules import (
    ACTIONS,
    AGENT_X,
    AGENT_Y,
    CENTRE,
    DIRECTIONS,
    FIRST_THING,
    HAS_MESSAGE,
    NOWHERE,
    PLAYING,
    SLOTS,
    START_CELLS,
    STARTS_WITH_MESSAGE,
    STATE_SIZE,
    STATUS,
    THING_SIZE,
    THINGS,
    WON,
    Messenger,
    Setup,
)
from mars_logic.domains.messenger.views import observation, seen
from mars_logic.domains.protocol import (
    ActionError,
    GameOutcome,
    Observation,
    require_action,
)
from mars_logic.errors import InputError

MOVER_DRAWS: Final = tuple(f"moves of {slot}" for slot in SLOTS)
"""The names under which the source of chance is asked for the movers' choices."""


@dataclass(frozen=True)
class MessengerState:
    """Everything about an episode.

    Attributes:
        setup: What was drawn at the reset.
        numbers: The state, as ``layout`` says.
        score: The reward of the last step.
        manual_seed: Decides the sentences of the manual.
        masks: Before the last step, the directions each mover drew from, as bits.
        directions: Those that were drawn; -1 for none.
    """

    setup: Setup
    numbers: tuple[int, ...]
    score: float = 0
    manual_seed: int = 0
    masks: tuple[int, ...] = (0,) * THINGS
    directions: tuple[int, ...] = (NOWHERE,) * THINGS

    @cached_property
    def has_message(self) -> bool:
        """Whether the agent has the message."""
        return bool(self.numbers[HAS_MESSAGE])


class MessengerSimulator(StateSimulator[Messenger, MessengerState]):
    """A game of Messenger.

    Args:
        game: The rules.

    Raises:
        InputError: A field of the rules is open, or no game agrees with them.
    """

    actions = ACTIONS

    def _first(self) -> MessengerState:
        game = self.game
        if not game.games or not game.combinations:
            field = "enemy_motion" if game.games else "enemy"
            message = "no game of the level agrees with what is stated"
            raise InputError(f"{game.name}: {field}: {message}; allowed: {words.REMEDY}")
        return MessengerState(Setup(game.games[0], (), (), CENTRE), (0,) * STATE_SIZE)

    @property
    def manual(self) -> str:
        """What a player is told."""
        state = self._state
        return words.manual(self.game, manual_sentences(self.game, state.setup, state.manual_seed))

    @property
    def score(self) -> float:
        """The reward of the last step: what SmartPlay calls the score."""
        return self._state.score

    def reset(self, chance: Chance) -> None:
        """Draw a game, its motions, where all things start, and the manual."""
        game = self.game
        names = game.games[int(chance.uniform("game") * len(game.games))]
        motions = game.combinations[int(chance.uniform("motions") * len(game.combinations))]
        cells = START_CELLS[game.level]
        order = chance.order("start", len(cells))
        placed = [cells[place] for place in order]
        if game.level == 1:
            has = chance.uniform("message") < STARTS_WITH_MESSAGE
            setup = Setup(names, motions, tuple(placed[:3]), CENTRE, has)
        else:
            setup = Setup(names, motions, tuple(placed[:-1]), placed[-1])
        manual_seed = int(chance.uniform("manual") * 2**31)
        self._state = MessengerState(setup, start_numbers(setup), 0, manual_seed)

    def step(self, action: int, chance: Chance) -> GameOutcome:
        """Let the movers and the agent move.

        Raises:
            ActionError: There is no such action, or the game is over.
        """
        require_action(action, self.actions)
        before = self._state
        if before.numbers[STATUS] != PLAYING:
            raise ActionError("action: the episode is over; allowed: a reset")
        numbers = np.array(before.numbers, np.int8)
        masks = tuple(_masks(before.numbers))
        uniforms = np.zeros(THINGS)
        for thing, mask in enumerate(masks):
            if mask:
                uniforms[thing] = chance.uniform(MOVER_DRAWS[thing])
        directions = np.empty(THINGS, np.int8)
        draw_directions(numbers, uniforms, directions)
        reward = plain(advance_one(numbers, self.game.level, action, directions))
        self._state = replace(
            before,
            numbers=tuple(numbers.tolist()),
            score=reward,
            masks=masks,
            directions=tuple(directions.tolist()),
        )
        status = self._state.numbers[STATUS]
        return GameOutcome(reward, status != PLAYING, reward, status == WON)

    def observe(self) -> Observation:
        """What the player sees, as the game's ``observation`` says."""
        state, game = self._state, self.game
        return observation(state.numbers, state.setup, game.level, game.observation)

    def text(self) -> str:
        """What the player sees, in words."""
        state = self._state
        found = seen(state.numbers, state.setup, self.game.level)
        return words.observation(found, has_message=state.has_message)


def plain(reward: float) -> float:
    """A reward as a whole number, if it is one."""
    return int(reward) if reward == int(reward) else reward


def start_numbers(setup: Setup) -> tuple[int, ...]:
    """The state in which an episode begins."""
    numbers = [0] * STATE_SIZE
    numbers[AGENT_X], numbers[AGENT_Y] = 2 * setup.agent[0], 2 * setup.agent[1]
    numbers[HAS_MESSAGE] = int(setup.has_message)
    for thing, ((x, y), motion) in enumerate(zip(setup.cells, setup.motions, strict=True)):
        at = FIRST_THING + THING_SIZE * thing
        numbers[at : at + THING_SIZE] = 2 * x, 2 * y, 1, motion
    return tuple(numbers)


def _masks(numbers: tuple[int, ...]) -> list[int]:
    found = []
    for thing in range(THINGS):
        x, y, shown, motion = numbers[FIRST_THING + THING_SIZE * thing :][:THING_SIZE]
        mask = options(numbers[AGENT_X], numbers[AGENT_Y], x, y, motion) if shown else 0
        found.append(int(mask))
    return found


def letters(mask: int) -> str:
    """The directions among these bits, as recordings list them."""
    return "".join(letter for bit, letter in enumerate(DIRECTIONS) if mask >> bit & 1)


def recorded_uniforms(fields: Mapping[str, Any]) -> dict[str, float]:
    """The numbers in [0, 1) that lead to the moves of a recorded step."""
    moves, drawn_from = fields.get("moves", ""), fields.get("options", ())
    found = {}
    if isinstance(moves, str) and isinstance(drawn_from, list):
        for name, move, letters_ in zip(MOVER_DRAWS, moves, drawn_from, strict=False):
            if isinstance(letters_, str) and move in letters_:
                found[name] = (letters_.index(move) + 0.5) / len(letters_)
    return found
