"""A domain: a family of games, and all that is offered for each of them."""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar, cast

from mars_logic.domains.chance import Chance
from mars_logic.domains.family import Family, Form
from mars_logic.domains.game import Game
from mars_logic.domains.protocol import GamePlayer, GameSimulator, Observation, require_certain
from mars_logic.errors import InputError

if TYPE_CHECKING:
    from mars_logic.domains.space import GameSpace, SeenEpisode
    from mars_logic.world.words.proposing import Proposer


G = TypeVar("G", bound=Game)


@dataclass(frozen=True)
class Value:
    """The exact optimum of a game in one episode.

    Attributes:
        told: What the policy knows, in words.
        score: Its expected score.
        reward: Its expected total reward.
        expected: What it expects itself of the total reward, before the first step.
        moves: The policy's first moves, a sentence each.
        note: What else to know about the policy; empty if nothing.
        steps: Steps of its episode, in a game that may end before its length; otherwise None.
    """

    told: str
    score: float
    reward: float
    expected: float
    moves: tuple[str, ...]
    note: str = ""
    steps: int | None = None


@dataclass(frozen=True)
class StepsValue:
    """The fewest expected steps in which a game is solved.

    Attributes:
        told: What the policy knows, in words.
        steps: Expected steps that count: in puzzles, the last action does not.
        exact: Whether ``steps`` is the optimum; otherwise it is a bound: no policy needs fewer.
        moves: What the policy may do first, a sentence each; empty if that is not known.
        note: What else to know; empty if nothing.
    """

    told: str
    steps: float
    exact: bool
    moves: tuple[str, ...]
    note: str = ""


Pair = tuple[str, Any, Any]
"""An input in words, with what a theory and the truth say."""


@dataclass(frozen=True)
class RuleComparison:
    """How theories of a domain are compared with the truth.

    Attributes:
        size: The usual size of inputs.
        told: What is compared; ``{size}`` stands for the size.
        pairs: The inputs up to a size, with what both say.
        rule: The fields that hold the rule; all else is taken from the truth.
        given: What holds of a theory with its likeliest values, whatever it states.
    """

    size: int
    told: str
    pairs: Callable[[Any, Any, int], Iterator[Pair]]
    rule: tuple[str, ...] = ("rule",)
    given: Mapping[str, Any] = field(default_factory=dict)


class SentenceReading(Protocol):
    """A module that reads sentences about the rules of a domain's games."""

    def rule_reading(self, text: str, theory: Any, meant: Mapping[str, str] = ...) -> Any:
        """A text as a theory, with the sentences that are read and unread.

        Args:
            text: Sentences, or JSON.
            theory: What is known besides.
            meant: Sentences that are read in the place of others.
        """
        ...

    def forms(self, theory: Any) -> list[str]:
        """Examples of sentences that are read."""
        ...

    def rule_schema(self, theory: Any) -> dict[str, Any]:
        """The JSON schema of a rule."""
        ...

    def proposer_about(self, theory: Any) -> Proposer:
        """What proposes sentences that an unread line may mean."""
        ...


class Domain(Family[G]):
    """A family of games."""

    called = "a game"
    name: ClassVar[str]
    kind: ClassVar[type[Game]]
    variants: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """By the fields that may be chosen behind a game's name: the choices."""
    players: ClassVar[Mapping[str, str]]
    """By the names that :meth:`player` takes: a module and a class in it."""
    version_space: ClassVar[type[GameSpace[Any, Any]] | None] = None
    """The hypotheses about its games, for ``learn`` and ``check``; None if there are none."""
    sentences: ClassVar[str | None] = None
    """The module that reads sentences about a game's rules, a :class:`SentenceReading`."""
    comparison: ClassVar[RuleComparison | None] = None
    """How theories of its games are compared with the truth, for ``score``."""
    games: ClassVar[Path | None] = None
    """Of a domain of another package: a folder of games, a YAML file each, that are bundled too."""
    priors: ClassVar[Mapping[str, str]] = {}
    """By the names that :meth:`value` takes: what is known then; none if no value is defined."""

    def sentence_reading(self) -> SentenceReading:
        """What reads sentences, in a domain with ``sentences``."""
        assert self.sentences is not None
        return cast("SentenceReading", importlib.import_module(self.sentences))

    def hypotheses(self, played: Iterable[SeenEpisode]) -> dict[str, Any] | None:  # noqa: ARG002
        """What the hypotheses that players wrote are worth; None if none was written."""
        return None

    @abstractmethod
    def simulator(self, game: G) -> GameSimulator:
        """A simulator of a game without open fields.

        Raises:
            InputError: A field is open.
        """

    @abstractmethod
    def rules(self, theory: G) -> list[str]:
        """The rules in sentences, open fields included."""

    def words(self, game: G, *, solution: bool = False) -> str:
        """A game or a theory in words, as ``show`` prints it.

        Of a game that hides its rules, it is what a player is told before the first action.

        Args:
            game: The game or theory.
            solution: Of a game that hides its rules: whether to tell them, and what follows.
        """
        told = "".join(f"- {sentence}\n" for sentence in self.rules(game))
        if game.uncertain or not self.hides_rules:
            return told
        begun = self.simulator(game)
        seen = f"{begun.manual}\n\n{begun.text()}\n"
        answers = "".join(f"- {sentence}\n" for sentence in self.answers(game))
        return f"{seen}\nSolution:\n{told}{answers}" if solution else seen

    def answers(self, game: G) -> list[str]:  # noqa: ARG002
        """What follows from the rules of a game that hides them, in sentences."""
        return []

    def label(self, rules: G) -> str:
        """The domain."""
        return rules.domain

    def about(self, rules: G) -> dict[str, Any]:
        """A row in lists."""
        fields = ("name", "domain", "title", "length", "digest")
        return {field: getattr(rules, field) for field in fields}

    def open_fields(self, rules: G) -> list[str]:
        """Open fields, as ``arms[0].probability``."""
        return [*rules.uncertain]

    def as_yaml(self, rules: G, *, whole: bool = False) -> str:  # noqa: ARG002
        """The game as a file."""
        return rules.to_yaml()

    def _shown(self, rules: G, form: Form, *, solution: bool, whole: bool) -> str:
        if form == "words":
            return self.words(rules, solution=solution)
        hidden = self.hides_rules and not solution and not rules.uncertain
        told = self.untold(rules) if hidden else rules
        return self.facts(told) if form == "facts" else self.as_yaml(told, whole=whole)

    @abstractmethod
    def facts(self, theory: G) -> str:
        """The rules as ASP facts, one a line."""

    @abstractmethod
    def untold(self, game: G) -> G:
        """The theory of somebody who has read the manual alone."""

    @abstractmethod
    def action_data(self, action: Any) -> Any:
        """An action as JSON has it: a number, or a mapping."""

    @abstractmethod
    def read_action(self, data: Any) -> Any:
        """The action that JSON states.

        Raises:
            ActionError: It states none.
        """

    @abstractmethod
    def action_text(self, action: Any) -> str:
        """An action in words."""

    @abstractmethod
    def parse_action(self, text: str) -> Any:
        """The action that a person states in words.

        Raises:
            ActionError: They state none.
        """

    @property
    @abstractmethod
    def question(self) -> str:
        """What a person is asked for, without a mark at its end."""

    @abstractmethod
    def random_action(self, game: G, observation: Observation, chance: Chance) -> Any:
        """One of the actions that are possible now, all with the same probability.

        Args:
            game: The game or a theory of it; nothing is used that the manual does not tell.
            observation: What is seen now.
            chance: The source of random choices.
        """

    def player(self, name: str, theory: G, *, learn: bool = False, **options: Any) -> GamePlayer:
        """A player.

        Args:
            name: One of ``players``.
            theory: What a player with a theory believes before its first episode.
            learn: Whether the theory outlives an episode.
            options: The player's own.

        Raises:
            InputError: There is no such player, or it cannot play by this theory.
        """
        made: GamePlayer = self.player_class(name)(theory, learn=learn, **options)
        return made

    def player_class(self, name: str) -> Any:
        """The class of a player, one of ``players``.

        Raises:
            InputError: There is no such player.
        """
        if name not in self.players:
            allowed = ", ".join(self.players)
            message = f"{self.name} has no player '{name}'"
            raise InputError(f"agent: {message}; allowed: {allowed}")
        module, _, kind = self.players[name].partition(":")
        return getattr(importlib.import_module(module), kind)

    def value(self, game: G, prior: str) -> Value | StepsValue:
        """The optimum of a game for a player with this prior.

        Args:
            game: The game that is played.
            prior: One of ``priors``: ``told`` for who knows the file but not what is drawn at a
                reset, ``none`` for who knows what the manual tells.

        Raises:
            InputError: Nothing of the kind is computed for this domain or this game.
        """
        require_certain(game)
        if prior not in self.priors:
            allowed = ", ".join(self.priors) or f"a game of another domain than {self.name}"
            message = f"there is no prior '{prior}' for {game.name}"
            raise InputError(f"value: {message}; allowed: {allowed}")
        theory = game if prior == "told" else self.untold(game)
        return self._value(game, theory, self.priors[prior])

    def _value(self, game: G, theory: G, told: str) -> Value | StepsValue:
        """The optimum under a theory; every domain with ``priors`` defines it.

        Args:
            game: The game that is played.
            theory: The belief of the player.
            told: What the player was told, in words.
        """
        raise NotImplementedError


S = TypeVar("S")


class StateSimulator(ABC, Generic[G, S]):
    """A game that is played; call ``reset`` before anything else.

    Args:
        game: The rules.

    Raises:
        InputError: A field of the rules is open.
    """

    def __init__(self, game: G) -> None:
        require_certain(game)
        self.game = game
        self._state = self._first()

    @abstractmethod
    def _first(self) -> S:
        """The state at the beginning, or one before it where a beginning is drawn."""

    def snapshot(self) -> S:
        """The whole state: an immutable value that can be compared."""
        return self._state

    def restore(self, snapshot: S) -> None:
        """Go back to a state."""
        self._state = snapshot
