"""Certificates of games: a played episode as a file that anyone can replay and check.

Nothing in a certificate is believed: the actions are carried out again with the random outcomes of
the seed, and everything else that it claims of the game is compared with what happened.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field

from mars_logic.domains.chance import Seeded
from mars_logic.domains.game import Game
from mars_logic.domains.load import load_game
from mars_logic.domains.players import wrong_own_options
from mars_logic.domains.playing import PlayedGame
from mars_logic.domains.protocol import ActionError, GameOutcome
from mars_logic.domains.registry import domain_of
from mars_logic.errors import InputError
from mars_logic.system.display import number
from mars_logic.system.documents import DocumentPart, read_document, stated_schema
from mars_logic.system.file_names import named_beside
from mars_logic.system.printable import MOST, in_one_line
from mars_logic.world.fields import invalid, shown
from mars_logic.world.names import SEED_LIMIT
from mars_logic.world.problems import WorldError

GAME_SCHEMA: Final = "mars-logic game certificate 1"
_MOST_BYTES: Final = 1_000_000
_WHAT: Final = "a certificate in JSON"

Name = Annotated[str, Field(max_length=4096)]
Seed = Annotated[int, Field(gt=-SEED_LIMIT, lt=SEED_LIMIT)]
Number = Annotated[int, Field(gt=-(2**53), lt=2**53)]
Payment = Number | Annotated[float, Field(gt=-(2**53), lt=2**53, allow_inf_nan=False)]
"""A score or a reward: a whole number where it is one."""


def _action(value: Any) -> Any:
    if isinstance(value, dict) or (type(value) is int and 0 <= value < 2**31):
        return value
    raise invalid(f"{shown(value)} is not an action", "a number from 0, or a mapping")


ActionData = Annotated[Any, BeforeValidator(_action)]
"""An action as ``Domain.action_data`` has it."""


class GameReference(DocumentPart):
    """Which game: its name (or the path it was loaded from), domain and digest."""

    name: Name
    domain: Name
    digest: Name


class PlayerReference(DocumentPart):
    """Who played a game, and under what conditions.

    Attributes:
        name: One of the domain's players, or ``human``.
        prior: What a player with a theory was told: one of the domain's priors; None if it was
            given a belief, or has no theory.
        belief: The digest of the theory that it was given, if any.
        learning_since: Of a player whose theory outlives an episode: the seed of its first episode.
        noise: The probability with which an action was replaced by a random one.
        options: Those of the player's own that were given.
    """

    name: Name
    prior: Literal["told", "none"] | None = None
    belief: Name | None = None
    learning_since: Seed | None = None
    noise: Annotated[float, Field(ge=0, le=1)] = 0.0
    options: dict[Name, bool | int | Name] = Field(default_factory=dict)

    @property
    def label(self) -> str:
        """All of it in a word, for names of files.

        Example:
            >>> PlayerReference(name="bayes", prior="none", learning_since=3).label
            'bayes_prior_none_learning_since_s3'
        """
        return "".join(
            (
                self.name,
                f"_prior_{self.prior}" if self.prior else "",
                f"_with_belief_{self.belief[:8]}" if self.belief else "",
                "" if self.learning_since is None else f"_learning_since_s{self.learning_since}",
                f"_noise_{self.noise:g}" if self.noise else "",
                *(f"_{name}_{value}" for name, value in sorted(self.options.items())),
            )
        )


class GameCertificate(DocumentPart):
    """An episode of a game.

    Attributes:
        game: What was played.
        seed: Decides all random outcomes.
        player: Who played.
        actions: Every action, as ``Domain.action_data`` has it.
        steps: How many of them count as steps; all but in games in which some do not.
        score: SmartPlay's score after the last step.
        reward: The sum of all rewards.
        completed: Whether the goal was reached; None in a game that has none.
        versions: Of the tools that made it.
    """

    format: Literal["mars-logic game certificate 1"] = Field(alias="schema")
    game: GameReference
    seed: Seed
    player: PlayerReference
    actions: tuple[ActionData, ...]
    steps: Annotated[int, Field(ge=0, lt=2**31)]
    score: Payment
    reward: Payment
    completed: bool | None
    versions: dict[str, str] = Field(default_factory=dict)

    def __repr__(self) -> str:
        about = f"{self.game.name}, seed {self.seed}, {self.player.label}"
        came = f"score {self.score}, reward {self.reward}"
        return f"<GameCertificate {about}: {number(self.steps, 'step')}, {came}>"

    __str__ = __repr__


@dataclass(frozen=True)
class GameVerification:
    """What replaying a certificate showed.

    Attributes:
        problems: Its claims that are false, in words.
        score: SmartPlay's score after the replay.
        reward: What the replay paid.
        completed: Whether the goal was reached; None in a game that has none.
        over: Whether the episode was played to its end.
    """

    problems: tuple[str, ...]
    score: float
    reward: float
    completed: bool | None
    over: bool

    @property
    def valid(self) -> bool:
        """Whether everything that it claims happened."""
        return not self.problems


def certify_game(
    played: PlayedGame, game: Game, name: str, seed: int, player: PlayerReference
) -> GameCertificate:
    """The certificate of an episode.

    Args:
        played: The episode.
        game: What was played.
        name: How the game can be loaded again.
        seed: The seed of the episode.
        player: Who played.
    """
    return GameCertificate(
        schema=GAME_SCHEMA,
        game=GameReference(name=name, domain=game.domain, digest=game.digest),
        seed=seed,
        player=player,
        actions=tuple(map(domain_of(game).action_data, played.actions)),
        steps=played.steps,
        score=played.score,
        reward=sum(played.rewards),
        completed=played.last.completed,
        versions={package: version(package) for package in ("mars-logic", "numpy")},
    )


def load_game_certificate(path: Path) -> GameCertificate:
    """Read a certificate.

    Raises:
        InputError: The file is missing, unreadable, or no certificate of a game.
    """
    return read_document(path, GameCertificate, _WHAT, GAME_SCHEMA, _MOST_BYTES)


def is_game_certificate(path: Path) -> bool:
    """Whether a file states that it is a certificate of a game; what cannot be read does not."""
    return stated_schema(path, _MOST_BYTES) == GAME_SCHEMA


def game_of_certificate(certificate: GameCertificate, path: Path) -> Game:
    """The game that a certificate names, by a path from here or from the certificate.

    Raises:
        InputError: There is no such game, or its player has no such options.
    """
    try:
        game = load_game(named_beside(certificate.game.name, path.parent))
    except WorldError as error:
        raise InputError(f"{path}:1: game.name: {error}") from None
    _require_options(certificate.player, game, path)
    return game


def _require_options(player: PlayerReference, game: Game, path: Path) -> None:
    """Refuse options that a player of this package does not have; others are not known here."""
    domain = domain_of(game)
    if player.name not in domain.players:
        return
    own = {name: value for name, value in player.options.items() if name != "model"}
    for name, message, allowed in wrong_own_options(
        domain.player_class(player.name), player.name, own
    ):
        option = in_one_line(name)[:MOST]
        raise InputError(f"{path}:1: player.options.{option}: {message}; allowed: {allowed}")


def verify_game(certificate: GameCertificate, game: Game) -> GameVerification:
    """Replay a certificate in a game and compare everything that it claims."""
    problems = [*_claims_about_the_game(certificate.game, game)]
    domain = domain_of(game)
    simulator, chance = domain.simulator(game), Seeded(certificate.seed)
    simulator.reset(chance)
    outcome, taken = GameOutcome(0, False, simulator.score), 0
    reward: float = 0
    for data in certificate.actions:
        if outcome.done or outcome.counted(taken) == game.length:
            problems.append(f"the episode is over after step {taken}")
            break
        try:
            outcome = simulator.step(domain.read_action(data), chance)
        except ActionError as error:
            problems.append(f"step {taken + 1}: {error}")
            break
        reward, taken = reward + outcome.reward, taken + 1
    steps = outcome.counted(len(certificate.actions))
    if certificate.steps != steps:
        has = f"{number(steps, 'action')}" if outcome.steps is None else f"{steps} that count"
        problems.append(f"it claims {number(certificate.steps, 'step')} and has {has}")
    claimed = certificate.score, certificate.reward, certificate.completed
    found = outcome.score, reward, outcome.completed
    problems += [
        f"it claims a {what} of {one}, and the replay gave {other}"
        for what, one, other in zip(("score", "reward", "completion"), claimed, found, strict=True)
        if one != other
    ]
    over = outcome.done or outcome.counted(taken) == game.length
    return GameVerification(tuple(problems), *found, over)


def _claims_about_the_game(claimed: GameReference, game: Game) -> Iterator[str]:
    if claimed.digest != game.digest:
        yield f"its game has the digest {claimed.digest[:12]}, not {game.digest[:12]}"
    if claimed.domain != game.domain:
        yield f"its domain is {claimed.domain}, not {game.domain}"
