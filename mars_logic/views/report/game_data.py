"""Input of a report about games: rows of results, and episodes to tell again."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final

from mars_logic.data.game_store import load_game_trajectory
from mars_logic.data.game_trajectory import GameTrajectory
from mars_logic.display import number
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
from mars_logic.experiments.worlds import BELIEFS
from mars_logic.file_names import named_beside
from mars_logic.json_files import value_of
from mars_logic.views.report.distinct_names import distinct_names

_UNKNOWN: Final = math.nan
"""What an episode cost that no experiment played."""


@dataclass(frozen=True)
class KeptGame:
    """An episode that can be told again.

    Attributes:
        row: Its results.
        path: The file of its certificate or trajectory.
        load: Reads what was done.
    """

    row: Row
    path: Path
    load: Callable[[], GameCertificate]

    @cached_property
    def certificate(self) -> GameCertificate:
        """What was done."""
        return self.load()

    @cached_property
    def game(self) -> Game:
        """What was played."""
        return game_of_certificate(self.certificate, self.path)


@dataclass(frozen=True, repr=False)
class GameMaterial:
    """All of a report's input that is about games.

    Attributes:
        rows: The results, in order.
        kept: The episodes that can be told again, in the same order.
        theories: Theories that players may have been given, by their digests.
    """

    rows: tuple[Row, ...] = ()
    kept: tuple[KeptGame, ...] = ()
    theories: Mapping[str, Game] | None = None

    def __repr__(self) -> str:
        return f"<GameMaterial: {number(len(self.rows), 'episode')}, {len(self.kept)} kept>"


def of_experiment(folder: Path, rows: Iterable[Row]) -> GameMaterial:
    """The games of an experiment.

    Args:
        folder: Its folder.
        rows: Its episodes in games.

    Raises:
        InputError: A certificate is outside of the folder.
    """
    rows = tuple(rows)
    kept = []
    for row in rows:
        if row.certificate is not None:
            path = folder / row.certificate
            if not path.resolve().is_relative_to(folder.resolve()):
                message = f"'{row.certificate}' is outside of the folder"
                raise InputError(f"{folder}:1: certificate: {message}; allowed: a file in it")
            kept.append(KeptGame(row, path, partial(load_game_certificate, path)))
    return GameMaterial(rows, tuple(kept), _theories(folder / BELIEFS))


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
    theories = {of: theory for folder in folders for of, theory in _theories(folder).items()}
    return GameMaterial(tuple(each.row for each in kept), tuple(kept), theories)


def _order(pair: tuple[Path, GameCertificate]) -> tuple[str, str, int]:
    _, each = pair
    return each.game.name, each.player.label, each.seed


def _kept(path: Path, each: GameCertificate, name: str) -> KeptGame:
    game = game_of_certificate(each, path)
    label = each.player.label
    row = Row(
        unit=f"{name}__{label}__s{each.seed}",
        number=1,
        agent=label,
        agent_name=label,
        world=each.game.name,
        world_name=name,
        world_digest=each.game.digest,
        dynamics=game.domain,
        seed=each.seed,
        episode=1,
        phase="play",
        steps=each.steps,
        reward=float(each.reward),
        ended="",
        unlocked={},
        unreachable=(),
        complete=each.completed,
        precision=None,
        recall=None,
        changes_recall=None,
        revisions=None,
        seconds_per_decision=_UNKNOWN,
        seconds=_UNKNOWN,
        peak_memory_mib=_UNKNOWN,
        options=json.dumps({}),
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


def _theories(folder: Path) -> dict[str, Game]:
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
