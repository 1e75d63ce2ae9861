"""The escape room as a domain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from mars_logic.domains.base import StepsValue
from mars_logic.domains.chance import Chance
from mars_logic.domains.protocol import Observation
from mars_logic.domains.rulearn.domain import PuzzleDomain, random_code
from mars_logic.domains.rulearn.escape_room.facts import room_facts
from mars_logic.domains.rulearn.escape_room.paintings import paintings
from mars_logic.domains.rulearn.escape_room.rules import EscapeRoom, PaintingRoom, PasswordRule
from mars_logic.domains.rulearn.escape_room.simulator import EscapeSimulator
from mars_logic.domains.rulearn.escape_room.value import escape_value
from mars_logic.domains.rulearn.escape_room.words import password_sentences
from mars_logic.domains.rulearn.telling import painting_text
from mars_logic.world.uncertain import UNKNOWN


class EscapeRoomDomain(PuzzleDomain[EscapeRoom]):
    """Rooms with paintings, and a door with a password."""

    name = "escape_room"
    kind = EscapeRoom
    simulated_by = EscapeSimulator

    priors: ClassVar[Mapping[str, str]] = {
        "told": "the rule",
        "none": "the numbers that make the password, but not their order",
    }

    def rules(self, theory: EscapeRoom) -> list[str]:
        """How the password follows from the paintings."""
        return password_sentences(theory.rule)

    def facts(self, theory: EscapeRoom) -> str:
        """The rules as facts."""
        return room_facts(theory)

    def answers(self, game: EscapeRoom) -> list[str]:
        """The paintings of each room, and the password for each value that the note names."""
        rooms = [
            f"In the {room.name}: {painting_text(paintings()[each])}"
            for room in game.rooms
            for each in game.hung(room)
        ]
        codes = [
            f"While the note names {focus}, the password is {game.password(focus)}."
            for focus in game.rule.focus_order
        ]
        return [*rooms, *codes]

    def untold(self, game: EscapeRoom) -> EscapeRoom:
        """Rooms, the hint and the number of digits are told; paintings and digits are unknown."""
        rule = PasswordRule(
            focus=game.rule.focus,
            focus_order=game.rule.focus_order[:1],
            digits=tuple(UNKNOWN for _ in game.rule.digits),
        )
        rooms = tuple(PaintingRoom(name=room.name, paintings=UNKNOWN) for room in game.rooms)
        return EscapeRoom.model_validate(dict(game) | {"rooms": rooms, "rule": rule})

    def random_input(
        self,
        game: EscapeRoom,
        do: str,
        observation: Observation,  # noqa: ARG002
        chance: Chance,
    ) -> Mapping[str, Any]:
        """A code with as many digits as the password."""
        if do == "enter_code":
            return {"code": random_code(len(game.rule.digits), chance)}
        return {}

    def _value(self, game: EscapeRoom, theory: EscapeRoom, told: str) -> StepsValue:
        """Expected steps of an optimal policy."""
        return escape_value(game, told, told=theory is game)


DOMAIN = EscapeRoomDomain()
