"""The version space of games without chance: every game that a theory allows, each simulated.

A domain offers it by naming it as its ``version_space``. Its theories leave fields open as
alternatives, and its actions are codes.
"""

from __future__ import annotations

import itertools
import math
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from mars_logic.domains.chance import Recorded
from mars_logic.domains.completions import completions
from mars_logic.domains.game import Game
from mars_logic.domains.protocol import GameSimulator
from mars_logic.domains.registry import domain_of
from mars_logic.domains.space import GameSpace, SeenEpisode, StepJudgement
from mars_logic.errors import InputError
from mars_logic.induction.protocol import Plan

_MOST: Final = 10_000
_AHEAD: Final = 2
"""Actions in a row that are weighed; behind them the shortest way by each game counts."""
_LOST: Final = 100.0
"""A game that is not won counts as so many steps."""
_MOST_STATES: Final = 20_000
_CERTAIN: Final = Recorded({})
"""Holds no random outcome: a game that asks for one is none without chance."""
_PART: Final = "rules"


@dataclass(frozen=True)
class _Candidate:
    """A game that a theory allows, with its weight and its simulator."""

    game: Game
    weight: float
    simulator: GameSimulator


_Members = list[tuple[int, Any]]
"""The places of candidates, each with a state of its game."""


class CandidateSpace(GameSpace[int, Game]):
    """The games that agree with everything that was seen.

    Args:
        candidates: The games, each at the beginning of an episode.
    """

    def __init__(self, candidates: Sequence[_Candidate]) -> None:
        self._all = candidates
        self._left: _Members = [
            (at, each.simulator.snapshot()) for at, each in enumerate(candidates)
        ]
        self._settled = False
        self._distances: dict[tuple[int, Any], float] = {}

    @classmethod
    def of(cls, theory: Game, start: Mapping[str, Any]) -> CandidateSpace:
        """All games of a theory that begin as was seen.

        Raises:
            InputError: Nothing is known of a field, or there are more than 10,000 games.
        """
        stated = theory.model_dump(mode="json")
        try:
            found = list(itertools.islice(completions(stated), _MOST + 1))
        except LookupError:
            message = f"{theory.uncertain[0]}: nothing is known of it"
            raise InputError(f"{theory.name}: {message}; allowed: alternatives") from None
        if len(found) > _MOST:
            raise InputError(f"{theory.name}: it allows too many games; allowed: {_MOST:,}")
        candidates = []
        for data, weight in found:
            try:
                game = type(theory).model_validate(data)
            except ValidationError:
                continue  # alternatives that do not go together
            simulator = domain_of(game).simulator(game)
            simulator.reset(_CERTAIN)
            if _seen(simulator) == _frozen(start):
                candidates.append(_Candidate(game, weight, simulator))
        return cls(candidates)

    @staticmethod
    def rule(theory: Game) -> Game | None:
        """The theory, if it is a game."""
        return None if theory.uncertain else theory

    @property
    def count(self) -> int:
        """The number of games left."""
        return len(self._left)

    def hypotheses(self, most: int) -> list[tuple[Game, float]]:
        """The likeliest games left, with their probabilities."""
        total = self._weight(self._left)
        found = [(self._all[at].game, self._all[at].weight / total) for at, _ in self._left]
        return sorted(found, key=lambda each: -each[1])[:most]

    def predict(self, action: int) -> Mapping[Any, float]:
        """What may be seen after an action, with the probabilities."""
        total = self._weight(self._left)
        groups = self._after(action, self._left)
        return {seen: self._weight(group) / total for seen, group, _ in groups}

    def outcome(self, action: int, shown: Mapping[str, Any]) -> Any:  # noqa: ARG002
        """What was seen, as a value that can be compared."""
        return _frozen(shown)

    def expected(self, hypothesis: Game, action: int) -> Any:
        """What is seen after an action in one of the games left."""
        one = [each for each in self._left if self._all[each[0]].game == hypothesis]
        return self._after(action, one)[0][0]

    def observe(self, action: int, shown: Mapping[str, Any]) -> None:
        """Keep the games in which this is seen; a rule that is settled on stays."""
        groups = self._after(action, self._left)
        kept = [group for seen, group, _ in groups if self._settled or seen == _frozen(shown)]
        self._left = [each for group in kept for each in group]

    def solves(self, action: int, shown: Mapping[str, Any]) -> bool:
        """Whether a game that agrees with what was seen is solved."""
        groups = self._after(action, self._left)
        return any(over for seen, _, over in groups if seen == _frozen(shown))

    def settle(self, rule: Game) -> None:
        """Believe one game from now on."""
        self._settled = True
        self._left = [each for each in self._left if self._all[each[0]].game == rule]

    def experiments(self) -> Sequence[int]:
        """All actions."""
        return range(len(self._all[0].simulator.actions)) if self._all else ()

    def attempt(self) -> int:
        """The first action of the shortest way by the likeliest game."""
        likeliest = max(self._left, key=lambda each: self._all[each[0]].weight)
        return min(self.experiments(), key=lambda each: self._steps(each, [likeliest], 1))

    def plan(self, steps_left: int) -> Plan[int]:
        """The actions after which the fewest steps are expected, by some steps of looking ahead."""
        self._require_any()
        ahead = min(_AHEAD, steps_left)
        values = {each: self._steps(each, self._left, ahead) for each in self.experiments()}
        best = min(values.values())
        actions = tuple(each for each, value in values.items() if value <= best + 1e-9)
        return Plan(actions, best, optimal=self.count == 1)

    def action_text(self, action: int) -> str:
        """The name of an action."""
        return domain_of(self._all[0].game).action_text(action)

    def outcome_text(self, action: int, outcome: Any) -> str:  # noqa: ARG002
        """What is seen, part by part."""
        return "; ".join(f"{name}: {value}" for name, value in outcome)

    def sentences(self, hypothesis: Game) -> list[str]:
        """The rules of a game."""
        return domain_of(hypothesis).rules(hypothesis)

    def certain(self) -> list[str]:
        """The sentences that are true in all games left."""
        told = [self.sentences(self._all[at].game) for at, _ in self._left]
        return [each for each in told[0] if all(each in other for other in told)] if told else []

    def learned(self, theory: Game) -> Game:
        """The theory, with the values that each field has in some game left."""
        self._require_any()
        left = [self._all[at].game.model_dump(mode="json") for at, _ in self._left]
        about = {"name": theory.name, "title": theory.title}
        return type(theory).model_validate(_merged(left) | about)

    @staticmethod
    def parts(theory: Game) -> Mapping[str, bool]:  # noqa: ARG004
        """The rules as a whole."""
        return {_PART: False}

    @classmethod
    def judged(cls, theory: Game, episode: SeenEpisode) -> Iterator[StepJudgement]:
        """What is seen at each step, up to the first that no game of the theory explains."""
        space = cls.of(theory, episode.start)
        for number, (action, shown) in enumerate(episode.steps):
            seen = space.outcome_text(action, _frozen(shown))
            told = f"after {space.action_text(action)}: {seen}"
            space.observe(action, shown)
            yield StepJudgement(number, _PART, agrees=space.count > 0, told=told)
            if not space.count:
                return

    def _weight(self, members: _Members) -> float:
        return math.fsum(self._all[at].weight for at, _ in members)

    def _after(self, action: int, members: _Members) -> list[tuple[Any, _Members, bool]]:
        """What may be seen after an action: with the members that show it, and whether it wins."""
        found: dict[tuple[Any, bool], _Members] = {}
        for at, state in members:
            simulator = self._all[at].simulator
            simulator.restore(state)
            done = bool(simulator.step(action, _CERTAIN).completed)
            found.setdefault((_seen(simulator), done), []).append((at, simulator.snapshot()))
        return [(seen, group, done) for (seen, done), group in found.items()]

    def _steps(self, action: int, members: _Members, ahead: int) -> float:
        """The expected steps if an action is taken next."""
        total, value = self._weight(members), 1.0
        for _, group, over in self._after(action, members):
            if not over:
                value += self._weight(group) / total * self._rest(group, ahead - 1)
        return value

    def _rest(self, members: _Members, ahead: int) -> float:
        if ahead > 0 and len(members) > 1:
            return min(self._steps(each, members, ahead) for each in self.experiments())
        weighed = (self._all[at].weight * self._distance(at, state) for at, state in members)
        return math.fsum(weighed) / self._weight(members)

    def _distance(self, at: int, state: Any) -> float:
        """The fewest steps from a state in one game, by breadth-first search."""
        if (at, state) not in self._distances:
            self._distances[at, state] = self._searched(at, state)
        return self._distances[at, state]

    def _searched(self, at: int, state: Any) -> float:
        reached, waiting = {state}, deque([(state, 0)])
        while waiting and len(reached) < _MOST_STATES:
            here, steps = waiting.popleft()
            for action in self.experiments():
                ((_, [(_, there)], over),) = self._after(action, [(at, here)])
                if over:
                    return steps + 1
                if there not in reached:
                    reached.add(there)
                    waiting.append((there, steps + 1))
        return _LOST


def _seen(simulator: GameSimulator) -> Any:
    return _frozen(simulator.observe())


def _frozen(shown: Mapping[str, Any]) -> Any:
    return tuple((name, _value(value)) for name, value in sorted(shown.items()))


def _value(value: Any) -> Any:
    return tuple(map(_value, value)) if isinstance(value, list | tuple) else value


def _merged(stated: Sequence[Any]) -> Any:
    """What several games state, with alternatives where they differ."""
    first = stated[0]
    if all(each == first for each in stated):
        return first
    if all(isinstance(each, dict) and each.keys() == first.keys() for each in stated):
        return {key: _merged([each[key] for each in stated]) for key in first}
    different = [each for at, each in enumerate(stated) if each not in stated[:at]]
    return {"one_of": [{"value": each, "weight": 1.0} for each in different]}
