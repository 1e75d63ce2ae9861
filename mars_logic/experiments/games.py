"""The games of an experiment: how they are named, who can play them, and by what theory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal

from mars_logic.domains.base import Domain
from mars_logic.domains.chance import Seeded
from mars_logic.domains.game import Game
from mars_logic.domains.library import bundled_games, games_of, names_a_game
from mars_logic.domains.load import game_in, load_game, load_game_theory, load_rules_theory
from mars_logic.domains.players import NOTHING, wrong_own_options
from mars_logic.domains.playing import begun
from mars_logic.domains.protocol import GamePlayer
from mars_logic.domains.registry import domain, domain_of
from mars_logic.domains.scores import normalised, published
from mars_logic.errors import InputError
from mars_logic.experiments.settings import Mistake
from mars_logic.play.agent import Episode, Seen
from mars_logic.system.file_names import path_named
from mars_logic.world.fields import nearest, shown
from mars_logic.world.load import bundled_worlds
from mars_logic.world.problems import WorldError

_PRIOR: Final = "prior"


def named_game(name: str, beside: Path) -> Game | None:
    """The game of this name; None if the name means a world, or nothing.

    Args:
        name: A bundled game, or a file.
        beside: The folder from which paths lead.

    Raises:
        WorldError: The file is wrong.
    """
    if names_a_game(name):
        return load_game(name)
    return None if name in bundled_worlds() else game_in(path_named(beside / name))


def shortened(game: Game, length: int | None) -> Game:
    """A game whose episodes end after so many steps, if before its own length."""
    if length is None or length >= game.length:
        return game
    return game.model_copy(update={"length": length})


def named_games(name: str, beside: Path) -> list[Game]:
    """The games that a name means: as :func:`named_game`, or those of a set.

    Raises:
        InputError: There is no such set.
        WorldError: A file is wrong.
    """
    if names_a_game(name):
        return [load_game(each) for each in games_of(name)]
    game = named_game(name, beside)
    return [] if game is None else [game]


def check_player(
    game: Game,
    name: str,
    options: Mapping[str, Any],
    *,
    learn: int | None,
    belief: str | None,
    beside: Path = Path(),
) -> Iterator[Mistake]:
    """What is wrong with an agent's setting for a game.

    Args:
        game: What it is to play.
        name: The player's.
        options: What is stated of it: the ``prior`` of a player with a theory, and its own.
        learn: Episodes in which its theory outlives an episode, if that is stated.
        belief: The theory that it is given, bundled or a file, if that is stated.
        beside: The folder from which the path of the belief leads.

    Raises:
        WorldError: The file of the belief is wrong.
    """
    domain = domain_of(game)
    if name not in domain.players:
        message = f"{domain.name} has no player '{name}'{nearest(name, domain.players)}"
        yield ("name",), message, ", ".join(domain.players)
        return
    believes = domain.player_class(name).has_theory
    if not believes:
        if learn is not None:
            yield ("learn",), f"the player '{name}' does not learn", NOTHING
        if belief is not None:
            yield ("belief",), f"in a game, the player '{name}' takes no belief", NOTHING
    wrong = [*_wrong_options(game, name, options, belief)]
    yield from wrong
    if not wrong and _exists(belief, beside):
        try:
            theory = _stated_belief(game, belief, beside) if believes else None
            player = player_of(
                game, name, options, learn=believes and learn is not None, belief=theory
            )
            if theory is not None:
                player.begin(_first_episode(game))
        except WorldError:
            raise  # what is wrong in the file of the belief, with its line
        except InputError as error:
            message, _, allowed = str(error).partition("; allowed: ")
            yield ("name" if belief is None else "belief",), message, allowed


def _wrong_options(
    game: Game, name: str, options: Mapping[str, Any], belief: str | None
) -> Iterator[Mistake]:
    domain = domain_of(game)
    kind = domain.player_class(name)
    others = [_PRIOR] if kind.has_theory and domain.priors else []
    for option, message, allowed in wrong_own_options(kind, name, options, others):
        yield ("options", option), message, allowed
    if others and _PRIOR in options:
        prior = options[_PRIOR]
        if belief is not None:
            yield ("options", _PRIOR), "the belief is the prior", "a prior or a belief"
        elif prior not in [*domain.priors]:
            yield ("options", _PRIOR), f"there is no prior {shown(prior)}", ", ".join(domain.priors)


def named_belief(name: str, beside: Path) -> Game:
    """The theory of a game with this name.

    Args:
        name: A bundled game, or a file.
        beside: The folder from which paths lead.

    Raises:
        WorldError: There is none, or its file is wrong.
    """
    return load_game_theory(name if names_a_game(name) else beside / name)


def _exists(belief: str | None, beside: Path) -> bool:
    """Whether a belief is bundled or a file, or none is stated."""
    return (
        belief is None
        or belief in bundled_worlds()
        or names_a_game(belief)
        or path_named(beside / belief).is_file()
    )


def _stated_belief(game: Game, belief: str | None, beside: Path) -> Game | None:
    if belief is None:
        return None
    bundled = belief in bundled_worlds() or names_a_game(belief)
    found: Any = load_rules_theory(belief if bundled else beside / belief)
    if found.domain != game.domain:
        message = f"'{belief}' is about {found.domain}, not {game.domain}"
        raise InputError(f"{message}; allowed: a theory of {game.name}")
    theory: Game = found
    return theory


def _first_episode(game: Game) -> Episode:
    simulator, seen = domain_of(game).simulator(game), Seen()
    simulator.reset(Seeded(0))
    seen.now = simulator.observe()
    return begun(simulator, 0, game.length, seen, told_state=False)


def player_of(
    game: Game,
    name: str,
    options: Mapping[str, Any],
    *,
    learn: bool,
    belief: Game | None = None,
) -> GamePlayer:
    """The player of a setting that is right.

    Args:
        game: What it is to play.
        name: The player's.
        options: ``prior``: ``told`` for who knows the file, ``none`` (the default) for who has
            read the manual alone; and the player's own.
        learn: Whether its theory outlives an episode.
        belief: The theory that it is given instead; cut to the length of the game.

    Raises:
        InputError: It cannot play this game.
    """
    domain: Domain[Any] = domain_of(game)
    own = of_player(options)
    if belief is not None:
        return domain.player(name, shortened(belief, game.length), learn=learn, **own)
    untold = prior_of(game.domain, name, options) == "none"
    return domain.player(name, domain.untold(game) if untold else game, learn=learn, **own)


def of_player(options: Mapping[str, Any]) -> dict[str, Any]:
    """A setting's options that are the player's own."""
    return {name: value for name, value in options.items() if name != _PRIOR}


def prior_of(
    family: str, name: str, options: Mapping[str, Any], belief: object = None
) -> Literal["told", "none"] | None:
    """What a player with a theory is told at first; None for a player without, or with a belief.

    Args:
        family: The name of the domain.
        name: The player's.
        options: Of its setting.
        belief: The theory that it is given, if it is given one.
    """
    if belief is not None or not domain(family).player_class(name).has_theory:
        return None
    return "told" if options.get(_PRIOR) == "told" else "none"


def given_in_games(
    family: str, name: str, options: Mapping[str, Any], belief: object = None
) -> str:
    """What a player is given besides what it observes, in words; empty if nothing."""
    if name not in domain(family).players:
        return ""
    if belief is not None:
        return "prior: a belief"
    if prior := prior_of(family, name, options):
        return f"prior: {prior}"
    return "given rules, state" if domain(family).player_class(name).knows_state else ""


def normalised_score(game: Game, score: float) -> float | None:
    """A score on the scale on which humans have 1; None if no human score of the game is known."""
    played = (name for name in published().settings.values() if name in bundled_games())
    setting = next((name for name in played if load_game(name).digest == game.digest), None)
    return None if setting is None else normalised(setting, score)
