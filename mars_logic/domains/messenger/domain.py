"""Messenger as a domain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from mars_logic.domains.coded import CodedDomain
from mars_logic.domains.messenger import views, words
from mars_logic.domains.messenger.rules import (
    ACTIONS,
    AGENT_X,
    AGENT_Y,
    FIRST_THING,
    HAS_MESSAGE,
    MOTIONS,
    ROLES,
    SPLITS,
    START_CELLS,
    STARTS_WITH_MESSAGE,
    THING_SIZE,
    Messenger,
)
from mars_logic.domains.protocol import GameSimulator, Range


class MessengerDomain(CodedDomain[Messenger]):
    """The three levels of Messenger."""

    name = "messenger"
    kind = Messenger
    actions = ACTIONS
    variants: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "assignments": SPLITS,
        "motions": ("any", "different"),
        "observation": ("grid", "text", "state"),
    }
    players: ClassVar[Mapping[str, str]] = {
        "random": "mars_logic.domains.players:RandomPlayer",
        "oracle": "mars_logic.domains.messenger.players:OraclePlayer",
        "reader": "mars_logic.domains.messenger.players:ReaderPlayer",
        "names": "mars_logic.domains.messenger.players:NamesPlayer",
    }

    def simulator(self, game: Messenger) -> GameSimulator:
        """A game that is played."""
        from mars_logic.domains.messenger.simulator import MessengerSimulator  # numba starts slowly

        return MessengerSimulator(game)

    def rules(self, theory: Messenger) -> list[str]:
        """The rules in sentences."""
        return words.rules(theory)

    def facts(self, theory: Messenger) -> str:
        """The rules as facts."""
        return words.facts(theory)

    def space(self, game: Messenger) -> Mapping[str, Range]:
        """What is seen: things and the agent in cells, or what the text lists."""
        return views.space(game)

    def text_limit(self, game: Messenger) -> int:  # noqa: ARG002
        """The longest observation in words."""
        return words.text_limit()

    def untold(self, game: Messenger) -> Messenger:
        """The manual tells roles in sentences that have to be read: any name may have any role."""
        return game.model_copy(update={"assignments": "all"})

    def setup_draws(self, game: Messenger, setup: Mapping[str, Any]) -> Mapping[str, Any]:
        """The places of the recorded game, motions and cells among those that may be drawn."""
        try:
            names = tuple(setup[role] for role in ROLES)
            game_at = game.games.index(names)
            motions = (2, 2, 2) if game.level == 1 else tuple(map(MOTIONS.index, setup["motion"]))
            motions_at = game.combinations.index(motions)
            order = _start_order(game, setup)
        except (KeyError, ValueError, TypeError, AttributeError):
            return {}
        has = setup.get("has_message")
        return {
            "game": (game_at + 0.5) / len(game.games),
            "motions": (motions_at + 0.5) / len(game.combinations),
            "start": order,
            "message": 0.0 if has else STARTS_WITH_MESSAGE,
            "manual": 0.0,
        }

    def step_draws(self, game: Messenger, fields: Mapping[str, Any]) -> Mapping[str, Any]:  # noqa: ARG002
        """The draws that lead to the movers' recorded directions."""
        from mars_logic.domains.messenger.simulator import recorded_uniforms

        return recorded_uniforms(fields)

    def setup_of(self, simulator: GameSimulator) -> Mapping[str, Any]:
        """Names, motions, and where all things are; cells in level 1, half cells in the others."""
        state, game = simulator.snapshot(), simulator.game
        assert isinstance(game, Messenger)
        setup = state.setup
        found: dict[str, Any] = dict(zip(ROLES, setup.names, strict=True))
        if game.level == 1:
            at = {role: list(cell) for role, cell in zip(ROLES, setup.cells, strict=True)}
            found["at"] = at | {"agent": list(setup.agent)}
        else:
            found["roles"] = list(game.slots)
            found["motion"] = list(words.motion_names(setup.motions))
            found |= _places(state.numbers, game)
        found["has_message"] = int(_holds(state.numbers))
        return found | {"seen": _listed(views.seen(state.numbers, setup, game.level))}

    def step_of(self, simulator: GameSimulator) -> Mapping[str, Any]:
        """Where all things are, what is seen, and where the movers could go and went."""
        from mars_logic.domains.messenger.simulator import letters

        state, game = simulator.snapshot(), simulator.game
        assert isinstance(game, Messenger)
        numbers = state.numbers
        seen = {"seen": _listed(views.seen(numbers, state.setup, game.level))}
        if game.level == 1:
            cell = [numbers[AGENT_X] // 2, numbers[AGENT_Y] // 2]
            return {"agent": cell} | seen
        count = len(game.slots)
        moves = "".join("NWSE-"[each] for each in state.directions[:count])
        drawn_from = [letters(mask) for mask in state.masks[:count]]
        told = {"moves": moves, "options": drawn_from, "has_message": int(_holds(numbers))}
        return told | _places(numbers, game) | seen


def _start_order(game: Messenger, setup: Mapping[str, Any]) -> list[int]:
    """The places of the recorded cells in the level's list, those that stay free at the end."""
    cells = list(START_CELLS[game.level])
    if game.level == 1:
        order = [cells.index(tuple(setup["at"][role])) for role in ROLES]
        return [*order, *(each for each in range(len(cells)) if each not in order)]
    halves = [*setup["at"], setup["agent"]]
    return [cells.index((x // 2, y // 2)) for x, y in halves]


def _places(numbers: tuple[int, ...], game: Messenger) -> dict[str, Any]:
    at: list[list[int] | None] = []
    for thing in range(len(game.slots)):
        x, y, shown, _ = numbers[FIRST_THING + THING_SIZE * thing :][:THING_SIZE]
        at.append([x, y] if shown else None)
    agent = [numbers[AGENT_X], numbers[AGENT_Y]] if views.is_on_grid(numbers) else None
    return {"at": at, "agent": agent}


def _holds(numbers: tuple[int, ...]) -> bool:
    """Whether an agent on the grid has the message; one that died there has lost it."""
    return bool(numbers[HAS_MESSAGE]) and views.is_on_grid(numbers)


def _listed(found: tuple[views.Seen, ...] | None) -> list[list[Any]] | None:
    return None if found is None else [list(each) for each in found]


DOMAIN = MessengerDomain()
