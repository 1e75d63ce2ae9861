"""Plays the escape room."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from mars_logic.domains.rulearn.door import judged
from mars_logic.domains.rulearn.episode import PuzzleAction, PuzzleChance
from mars_logic.domains.rulearn.escape_room.rules import ATTEMPTS, EscapeRoom
from mars_logic.domains.rulearn.game_simulator import Effect, PuzzleSimulator, PuzzleState


@dataclass(frozen=True)
class EscapeState(PuzzleState):
    """Everything about an episode.

    Attributes:
        room: The place of the room where the player is, in ``EscapeRoom.rooms``.
        passed: The rooms that were gone to.
        focus: The place of the value that the hint names, in the rule's order.
        failures: Wrong codes since it changed.
    """

    room: int = 0
    passed: frozenset[int] = frozenset()
    focus: int = 0
    failures: int = 0


class EscapeSimulator(PuzzleSimulator[EscapeRoom, EscapeState]):
    """Rooms that are walked through, and a door."""

    def _first(self) -> EscapeState:
        return EscapeState()

    @property
    def actions(self) -> tuple[str, ...]:
        """The door, the doors of galleries, and the reference's decoy."""
        decoy = ["open the door with brute force"] if self.game.dialect == "faithful" else []
        galleries = [f"go to {room.name}" for room in self.game.rooms[1:]]
        return (*decoy, "enter code CODE", *galleries)

    def available(self) -> list[dict[str, Any]]:
        """The door, the doors of galleries that were not gone to, and the reference's decoy."""
        rooms = enumerate(self.game.rooms)
        decoy = [{"do": "brute_force"}] if self.game.dialect == "faithful" else []
        passes = [
            {"do": "pass", "to": room.name}
            for place, room in rooms
            if place and place not in self._state.passed
        ]
        return [*decoy, {"do": "enter_code"}, *passes]

    def visible(self) -> dict[str, Any]:
        """The room and the hint."""
        return self.seen(self._state)

    def seen(self, state: EscapeState) -> dict[str, Any]:
        """The room, its paintings, and the value that the hint names."""
        room, rule = self.game.rooms[state.room], self.game.rule
        return {
            "room": room.name,
            "paintings": list(self.game.hung(room)),
            f"hint_{rule.focus}": rule.focus_order[state.focus],
        }

    def _act(self, action: PuzzleAction, chance: PuzzleChance) -> Effect[EscapeState]:  # noqa: ARG002
        back = replace(self._state, room=0)
        if action.do == "enter_code":
            return self._code(action.code, back)
        if action.do == "pass":
            names = [room.name for room in self.game.rooms]
            to = names.index(action.to)
            back = replace(back, room=to, passed=back.passed | {to})
        return Effect(back, self.seen(back))

    def _code(self, typed: str, state: EscapeState) -> Effect[EscapeState]:
        order = self.game.rule.focus_order
        answer = judged(typed, self.game.password(order[state.focus]))
        last = state.focus == len(order) - 1 and state.failures == ATTEMPTS - 1
        if answer.correct:
            opens = not last or self.game.dialect == "mended"
            return Effect(state, answer.shown, ends=opens)
        if last:
            return Effect(state, answer.shown, ends=False)
        changed = state.failures == ATTEMPTS - 1
        if changed:
            state = replace(state, focus=state.focus + 1, failures=0)
        else:
            state = replace(state, failures=state.failures + 1)
        left = {"changed": changed, "attempts_left": ATTEMPTS - state.failures}
        return Effect(state, {**answer.shown, **left, **self.seen(state)})
