"""Runs: episodes of one player in one game, played or taken from where they are kept."""

from __future__ import annotations

import re
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from mars_logic.domains.certificates import (
    GameCertificate,
    PlayerReference,
    certify_game,
    load_game_certificate,
    verify_game,
)
from mars_logic.domains.game import Game
from mars_logic.domains.library import collected_games, game_files, split_name
from mars_logic.domains.load import load_game
from mars_logic.domains.playing import play
from mars_logic.domains.protocol import GamePlayer, Observation
from mars_logic.domains.registry import domain_of
from mars_logic.domains.scores import normalised, published
from mars_logic.errors import InputError
from mars_logic.play.agent import Episode, load_agent, plays_games
from mars_logic.play.unlock_score import mean_and_deviation
from mars_logic.system.documents import write_document
from mars_logic.system.file_names import path_named

if TYPE_CHECKING:
    from mars_logic.language.session import AnswerCounts
    from mars_logic.language.settings import LanguageSettings

Prior = Literal["told", "none"]
USUAL_PRIOR: Final = "none"


@dataclass(frozen=True, repr=False)
class GameEpisode:
    """An episode of a run.

    Attributes:
        certificate: What was played.
        texts: What was seen, in words: before the first step, and after each.
        theories: The player's theory, in sentences, at the same times; empty unless asked for.
    """

    certificate: GameCertificate
    texts: tuple[str, ...] = ()
    theories: tuple[tuple[str, ...], ...] = ()

    def __repr__(self) -> str:
        return f"<GameEpisode: {self.certificate!r}>"


def certificate_path(folder: Path, game: Game, player: PlayerReference, seed: int) -> Path:
    """The file in which an episode is kept."""
    return folder / path_named(f"{certificate_stem(game, player)}__s{seed}.json")


def certificate_stem(game: Game, player: PlayerReference) -> str:
    """What the names of files about a player in a game begin with."""
    name = re.sub(r"\W+", "_", game.name)
    digest = "" if _is_bundled(game) else f"_{game.digest[:8]}"
    return f"{name}{digest}__{re.sub(r'[^A-Za-z0-9_.+-]', '_', player.label)}"


def certificate_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """A player's options as certificates have them: of a language model's settings, its name."""
    found = {name: value for name, value in options.items() if name != "language"}
    if "language" in options:
        asked = options["language"]
        found["model"] = asked["model"] if isinstance(asked, Mapping) else asked.model
    return found


def _asking(language: LanguageSettings | None) -> dict[str, Any]:
    return {} if language is None else {"language": language}


def _is_bundled(game: Game) -> bool:
    """Whether a game is the one that its name stands for."""
    base, _ = split_name(game.name)
    try:
        known = base in game_files() or base in collected_games()
        return known and load_game(game.name).digest == game.digest
    except InputError:  # a file gives its game a name that no game can have
        return False


class GameRun:
    """Episodes of one player in one game.

    Args:
        game: The game that is played.
        name: How the game can be loaded again.
        agent: One of the players of the game's domain.
        prior: What a player with a theory knows; by default ``none``.
        belief: The theory that it is given instead.
        learning_since: The seed of the first episode, if the theory outlives an episode.
        noise: The probability that an action is replaced by a random one.
        folder: Where episodes are kept, if they are.
        explain: Whether to note the player's theory at each step.
        options: The player's own.
        language: Settings for a player that asks a language model; its exchanges are kept by
            episode.

    Raises:
        InputError: There is no such player, or it takes no prior, no belief, or not this one.
    """

    def __init__(
        self,
        game: Game,
        name: str,
        agent: str,
        *,
        prior: Prior | None = None,
        belief: Game | None = None,
        learning_since: int | None = None,
        noise: float = 0.0,
        folder: Path | None = None,
        explain: bool = False,
        options: Mapping[str, Any] | None = None,
        language: LanguageSettings | None = None,
    ) -> None:
        domain = domain_of(game)
        everywhere = agent not in domain.players and plays_games(agent)
        kind: Any = load_agent(agent) if everywhere else domain.player_class(agent)
        if getattr(kind, "has_theory", False):
            prior = prior or (None if belief else getattr(kind, "usual_prior", USUAL_PRIOR))
        else:
            asked = {"prior": prior, "belief": belief, "learn": learning_since}
            for option in (option for option, value in asked.items() if value is not None):
                believers = (
                    each for each in domain.players if domain.player_class(each).has_theory
                )
                allowed = ", ".join(believers) or "a game with random outcomes"
                message = f"'{agent}' has no theory of {game.name}"
                raise InputError(f"--{option}: {message}; allowed: {allowed}")
        if belief is not None and belief.domain != game.domain:
            message = f"{belief.name} is about {belief.domain}, not {game.domain}"
            raise InputError(f"--belief: {message}; allowed: a theory of {game.name}")
        theory = belief or (domain.untold(game) if prior == "none" else game)
        self._game, self._name, self._folder, self._explain = game, name, folder, explain
        self.player = PlayerReference(
            name=agent,
            prior=prior,
            belief=belief.digest if belief else None,
            learning_since=learning_since,
            noise=noise,
            options=certificate_options({**(options or {}), **_asking(language)}),
        )
        self._simulator = domain.simulator(game)
        learns = learning_since is not None
        own = dict(options or {})
        if language is not None:
            session = certificate_stem(game, self.player)
            own["language"] = language.model_copy(update={"session": session})
        self._player = (
            kind(**own) if everywhere else domain.player(agent, theory, learn=learns, **own)
        )
        self.episodes: list[GameEpisode] = []

    @property
    def counts(self) -> AnswerCounts | None:
        """The counts of a player that asks a language model; None of any other."""
        found: AnswerCounts | None = getattr(self._player, "counts", None)
        return found

    def add(self, seed: int) -> GameEpisode:
        """Play the episode of a seed, or take it from where it is kept.

        A player that learns, or is to explain itself, is shown kept episodes step by step.

        Raises:
            InputError: What lies in the episode's place is another one, or does not replay.
        """
        path = None
        if self._folder is not None:
            path = certificate_path(self._folder, self._game, self.player, seed)
        kept = self._kept(path, seed) if path is not None and path.exists() else None
        if kept is not None and not self._explain and self.player.learning_since is None:
            found = GameEpisode(kept)
        else:
            found = self._play(seed, kept)
            if path is not None and kept is None:
                write_document(found.certificate, path)
        self.episodes.append(found)
        return found

    def _play(self, seed: int, kept: GameCertificate | None) -> GameEpisode:
        actions = [*map(domain_of(self._game).read_action, kept.actions)] if kept else None
        watched = _Watched(self._player, actions, explain=self._explain)
        noise = 0.0 if kept else self.player.noise
        length = self._game.length
        about = self._simulator, watched, seed, length
        played = play(*about, noise=noise, texts=self._explain)
        made = kept or certify_game(played, self._game, self._name, seed, self.player)
        return GameEpisode(made, played.texts, tuple(watched.theories))

    def _kept(self, path: Path, seed: int) -> GameCertificate:
        kept = load_game_certificate(path)
        found = verify_game(kept, self._game)
        if not (found.valid and found.over and (kept.seed, kept.player) == (seed, self.player)):
            message = "this is not the certificate of the episode that would be kept here"
            allowed = "another folder, or to remove the file"
            raise InputError(f"{path}:1: file: {message}; allowed: {allowed}")
        return kept


class _Watched:
    """A player whose theory is noted at each step, and that does what was kept, if anything was."""

    def __init__(self, player: GamePlayer, actions: Sequence[Any] | None, *, explain: bool) -> None:
        self._player, self._explain = player, explain
        self._kept = None if actions is None else iter(actions)
        self.knows_state = player.knows_state
        self.has_theory = player.has_theory
        self.theories: list[tuple[str, ...]] = []

    def begin(self, episode: Episode) -> None:
        self._player.begin(episode)

    def act(self, observation: Observation) -> Any:
        action = self._player.act(observation)
        self._note()
        return action if self._kept is None else next(self._kept)

    def end(self, episode: Episode) -> None:
        self._player.end(episode)
        self._note()

    def theory(self) -> list[str]:
        return self._player.theory()

    def _note(self) -> None:
        if self._explain:
            self.theories.append(tuple(self._player.theory()))


def game_summary(game: Game, certificates: Sequence[GameCertificate]) -> dict[str, Any]:
    """Episodes of a game summed up, as plain values.

    ``score``, ``reward`` and ``completion`` are what SmartPlay reports: mean and, of the first two,
    sample standard deviation. ``completion`` is None in a game that has no goal, and ``normalised``
    is, where no human score of the setting was published.
    """
    scores = [each.score for each in certificates]
    completed = [each.completed for each in certificates if each.completed is not None]
    compared = _is_bundled(game) and game.name in published().settings.values()
    fields = ("seed", "steps", "score", "reward", "completed")
    return {
        "domain": game.domain,
        "episodes": [{field: getattr(each, field) for field in fields} for each in certificates],
        "score": mean_and_deviation(scores),
        "reward": mean_and_deviation([each.reward for each in certificates]),
        "completion": statistics.fmean(completed) if completed else None,
        "normalised": normalised(game.name, statistics.fmean(scores)) if compared else None,
    }
