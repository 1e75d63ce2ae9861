"""Certificates and trajectories of games, read for a report; theories that players were given."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mars_logic.data.game_store import load_game_trajectory
from mars_logic.data.game_trajectory import GameTrajectory
from mars_logic.domains.certificates import (
    GameCertificate,
    PlayerReference,
    certify_game,
    game_of_certificate,
    load_game_certificate,
)
from mars_logic.domains.coded import CodedDomain
from mars_logic.domains.game import Game
from mars_logic.domains.load import load_game, load_rules_theory
from mars_logic.domains.playing import PlayedGame
from mars_logic.domains.registry import domain_of
from mars_logic.domains.replay import replay
from mars_logic.errors import InputError
from mars_logic.experiments.games import normalised_score
from mars_logic.experiments.rows import Row
from mars_logic.file_names import named_beside
from mars_logic.json_files import value_of
from mars_logic.views.report.distinct_names import distinct_names
from mars_logic.views.report.report_data import GameMaterial, KeptGame


def of_files(files: Sequence[Path]) -> GameMaterial:
    """Certificates and trajectories of games; an episode of which there are both is taken once.

    Raises:
        InputError: One of them is wrong.
    """
    found: dict[tuple[str, str, int], tuple[Path, GameCertificate]] = {}
    for path in files:
        each = (
            load_game_certificate(path)
            if path.suffix == ".json"
            else of_trajectory(load_game_trajectory(path))
        )
        found.setdefault((each.game.digest, each.player.label, each.seed), (path, each))
    ordered = sorted(found.values(), key=_order)
    names = distinct_names((each.game.name, each.game.digest) for _, each in ordered)
    kept = [_kept(path, each, names[each.game.digest]) for path, each in ordered]
    folders = dict.fromkeys(path.parent for path in files)
    theories = {of: theory for folder in folders for of, theory in theories_in(folder).items()}
    return GameMaterial(tuple(each.row for each in kept), tuple(kept), theories)


def _order(pair: tuple[Path, GameCertificate]) -> tuple[str, str, int]:
    _, each = pair
    return each.game.name, each.player.label, each.seed


def _kept(path: Path, each: GameCertificate, name: str) -> KeptGame:
    game = game_of_certificate(each, path)
    label = each.player.label
    row = Row(
        unit=f"{name}__{label}__s{each.seed}",
        agent=label,
        agent_name=label,
        world=each.game.name,
        world_name=name,
        world_digest=each.game.digest,
        dynamics=game.domain,
        seed=each.seed,
        episode=1,
        steps=each.steps,
        reward=float(each.reward),
        complete=each.completed,
        belief=each.player.belief,
        certificate=path.name,
        score=float(each.score),
        normalised=normalised_score(game, each.score),
    )
    return KeptGame(row, path, lambda: each)


def of_trajectory(recorded: GameTrajectory) -> GameCertificate:
    """The claims of a recorded episode, as a certificate, by playing it again.

    Raises:
        InputError: Its game cannot be found, or it does not replay.
    """
    about, path = recorded.about, Path(recorded.source)
    player = PlayerReference(name=about.agent)
    game = load_game(named_beside(about.game, path.parent))
    domain = domain_of(game)
    known = domain.simulator(game).actions
    try:
        taken = [recorded.actions[code] for code in recorded.action]
        if isinstance(domain, CodedDomain):
            data: list[Any] = [known.index(each) for each in taken]
        else:
            data = [value_of(each, f"{path}:1", "an action as JSON") for each in taken]
        actions = tuple(map(domain.read_action, data))
        played = replay(game, about.seed, data)
    except ValueError as error:  # also an action when the game is over
        raise _not_replayed(path) from error
    rewards = tuple(each.reward for each in played.outcomes)
    if game.digest != about.digest or list(rewards) != recorded.reward.tolist():
        raise _not_replayed(path)
    found = PlayedGame(actions, rewards, played.outcomes[-1], ())
    return certify_game(found, game, about.game, about.seed, player)


def _not_replayed(path: Path) -> InputError:
    message = "it does not replay in the game as it is now"
    return InputError(f"{path}:1: file: {message}; allowed: an episode of this game")


def theories_in(folder: Path) -> dict[str, Game]:
    """The theories of games among the files of a folder, by their digests."""
    found = {}
    for path in sorted(folder.glob("*.yaml")):
        try:
            theory = load_rules_theory(path)
        except InputError:
            continue  # a file of the user's that nothing here asks for
        if isinstance(theory, Game):
            found[theory.digest] = theory
    return found
