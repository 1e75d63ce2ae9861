"""A player of the tower of Hanoi that follows shortest plans, proved shortest by clingo."""

from __future__ import annotations

import clingo

from mars_logic.domains.hanoi.rules import MOVES, RODS, Hanoi, moved
from mars_logic.domains.hanoi.words import facts
from mars_logic.domains.players import BasePlayer
from mars_logic.domains.protocol import Observation
from mars_logic.errors import InputError
from mars_logic.play.agent import Episode
from mars_logic.system import resources
from mars_logic.system.interruptions import held_back


class HanoiPlanner:
    """Plans from any state of a game.

    The program grows by a step at a time and is kept: what was learned about a number of steps
    serves all further questions.

    Args:
        game: The rules; its goal must be known.

    Raises:
        InputError: The goal is open.
    """

    def __init__(self, game: Hanoi) -> None:
        if "goal" in game.uncertain:
            message = "a plan needs a goal"
            raise InputError(f"{game.name}: goal: {message}; allowed: {', '.join(RODS)}")
        self._disks = game.disks
        self._control = clingo.Control(["--warn=none"])
        self._control.load(resources.encoding("games/hanoi.lp"))
        self._control.add("base", [], facts(game))
        self._control.ground([("base", [])])
        self._steps = 0

    def plan(self, pegs: tuple[int, ...]) -> tuple[int, ...]:
        """A shortest plan: actions after which all disks are on the goal.

        There is provably no shorter one: of each smaller number of moves it was shown that they do
        not suffice.

        Args:
            pegs: The place in ``RODS`` of each disk, the smallest first.
        """
        begin = [
            (clingo.Function("on", [clingo.Number(disk), _rod(peg), clingo.Number(0)]), True)
            for disk, peg in enumerate(pegs)
        ]
        for moves in range(2**self._disks):  # so many suffice from any state
            if (found := self._with(moves, begin)) is not None:
                return _actions(pegs, found)
        raise AssertionError("a tower can always be built")

    def _with(
        self, moves: int, begin: list[tuple[clingo.Symbol, bool]]
    ) -> list[tuple[int, int]] | None:
        """Disks and the rods they move to, in a plan with so many moves; None if there is none."""
        while self._steps < moves:
            self._steps += 1
            self._control.ground([("step", [clingo.Number(self._steps)])])
        built = (clingo.Function("built", [clingo.Number(moves)]), True)
        found: list[clingo.Symbol] | None = None
        with (
            held_back(),
            self._control.solve(assumptions=[*begin, built], yield_=True) as handle,
        ):
            model = handle.model()
            if model is not None:
                found = [each for each in model.symbols(atoms=True) if each.name == "move"]
        if found is None:
            return None
        steps = {each.arguments[2].number: each.arguments for each in found}
        names = [rod.lower() for rod in RODS]
        return [
            (steps[time][0].number, names.index(steps[time][1].name))
            for time in range(1, moves + 1)
        ]


def _rod(peg: int) -> clingo.Symbol:
    return clingo.Function(RODS[peg].lower())


def _actions(pegs: tuple[int, ...], moves: list[tuple[int, int]]) -> tuple[int, ...]:
    """The codes of the actions that move these disks to these rods."""
    at, found = list(pegs), []
    for disk, rod in moves:
        found.append(MOVES.index((at[disk], rod)))
        at[disk] = rod
    return tuple(found)


class PlanningPlayer(BasePlayer):
    """Follows a plan, and makes a new one where the disks are not as planned.

    Args:
        theory: The rules.
        learn: Means nothing: there is nothing to learn.

    Raises:
        InputError: The goal is open.
    """

    def __init__(self, theory: Hanoi, *, learn: bool = False) -> None:  # noqa: ARG002
        self._planner = HanoiPlanner(theory)
        self._plan: list[int] = []
        self._expected: tuple[int, ...] | None = None

    def begin(self, episode: Episode) -> None:  # noqa: ARG002
        """Start an episode."""
        self._expected = None

    def act(self, observation: Observation) -> int:
        """The next move of the plan."""
        shown = observation["pegs"]
        assert isinstance(shown, tuple)
        pegs = tuple(place - 1 for place in shown)
        if pegs != self._expected:
            self._plan = list(self._planner.plan(pegs))
        action = self._plan.pop(0)
        self._expected = moved(pegs, action)
        return action
