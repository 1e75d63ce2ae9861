"""Reads what lies in folders as commands leave it: certificates, trajectories, rules, exchanges."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Final

from mars_logic.data import store
from mars_logic.data.declared_columns import (
    GameTrajectory,
    is_game_trajectory,
    load_game_trajectory,
)
from mars_logic.data.trajectory import Trajectory
from mars_logic.domains.certificates import (
    GameCertificate,
    PlayerReference,
    certify_game,
    game_of_certificate,
    is_game_certificate,
    load_game_certificate,
)
from mars_logic.domains.game import Game
from mars_logic.domains.load import load_game
from mars_logic.domains.playing import PlayedGame, replay
from mars_logic.domains.registry import domain_of, family_of
from mars_logic.domains.together import load_if_game
from mars_logic.domains.trajectories import recorded_actions
from mars_logic.errors import InputError
from mars_logic.experiments.games import normalised_score
from mars_logic.experiments.rows import Row
from mars_logic.language.exchanges import is_exchanges
from mars_logic.play import certificate
from mars_logic.play.certificate import MAX_BYTES, SCHEMA, AddedNames, Certificate, WorldReference
from mars_logic.system.documents import stated_schema
from mars_logic.system.file_names import named_beside
from mars_logic.theory.rulesets import Rules
from mars_logic.theory.rulesets.artefact import is_rules, load_rules
from mars_logic.views.report.report_data import (
    Claimed,
    GameMaterial,
    KeptEpisode,
    KeptGame,
    Material,
)
from mars_logic.views.report.training_curves import TrainedRun
from mars_logic.views.report.transcripts import sessions
from mars_logic.world.load import load_world, load_world_beside
from mars_logic.world.problems import WorldError
from mars_logic.world.theory import World

WorldOf = Callable[[WorldReference, Path], World | None]
"""The world that an episode names, given the folder of its file."""

ALLOWED: Final = (
    "the folder of an experiment or of a training run; certificates, trajectories, rules or "
    "exchanges with language models, in folders or files; a world file"
)
WORLDS: Final = (".yaml", ".yml")
TRAINING: Final = "mars-logic training 1"
"""The schema of the settings of training runs, which are no certificates."""
_EPISODES: Final = (".json", ".parquet")


def read(*paths: Path, trained: Sequence[TrainedRun] = ()) -> Material:
    """Read episodes, rules, exchanges with language models, and worlds: in folders, or as files.

    An episode of which there are both a certificate (``.json``) and a trajectory (``.parquet``) is
    taken once. Recordings that a given file of rules names are read, too.

    Args:
        paths: Folders and files.
        trained: Training runs that are in these folders, too.

    Raises:
        InputError: There is nothing, or one of them is wrong.
    """
    given = [path for path in paths if path.is_file()]
    every = [file for path in paths for file in _episodes_in(path)]
    proposed = [*every, *(file for path in paths for file in sorted(path.glob("*.yaml")))]
    rules = {file: load_rules(file) for file in dict.fromkeys(proposed) if is_rules(file)}
    own = [file for file in given if file.suffix in WORLDS and file not in rules]
    every += _named_by(rules[file] for file in given if file in rules)
    _refuse_others(file for file in given if file not in rules)
    of_games = [file for file in every if _is_of_game(file)]
    known = {*of_games, *rules, *own}
    files = [file for file in _each_once(every) if file not in known and file.suffix in _EPISODES]
    stated = {each: stated_schema(each, MAX_BYTES) for each in files if each.suffix == ".json"}
    files = [file for file in files if stated.get(file) != TRAINING]
    strange = [file for file in files if stated.get(file, SCHEMA) != SCHEMA]
    for file in strange:
        if file in given:
            certificate.load(file)  # it says what is wrong
    world_of = cache(_world)
    found: dict[tuple[object, ...], tuple[Path, Certificate]] = {}
    for file, each in _certificates((file for file in files if file not in strange), world_of):
        found.setdefault((each.world.digest, each.agent, each.seed, each.episode), (file, each))
    exchanges = sessions(paths)
    if not (found or of_games or rules or own or exchanges or trained):
        raise InputError(f"{paths[0]}:1: folder: there is no episode; allowed: {ALLOWED}")
    kept = _numbered(list(found.values()), world_of)
    return Material(
        title=paths[0].resolve().name,
        place=paths[0] if paths[0].is_dir() else paths[0].parent,
        rows=tuple(each.row for each in kept),
        kept=tuple(kept),
        left_out=tuple(f"{file}: this is no certificate" for file in strange),
        games=_games(of_games),
        rules={file.name: each for file, each in rules.items()},
        trained=tuple(trained),
        sessions=exchanges,
        own={world.name: world for world in map(load_world, own)},
    )


def _refuse_others(given: Iterable[Path]) -> None:
    """Refuse files that are nothing a page can tell of."""
    for file in given:
        if file.suffix not in (*_EPISODES, *WORLDS) and not is_exchanges(file):
            raise InputError(f"{file}:1: file: it is nothing to report; allowed: {ALLOWED}")


def _episodes_in(path: Path) -> list[Path]:
    """The files of a folder that may be episodes or rules; a file is one itself."""
    if path.is_file():
        return [path]
    return sorted(file for ending in _EPISODES for file in path.glob(f"*{ending}"))


def _named_by(rules: Iterable[Rules]) -> list[Path]:
    """The recordings that rules name as places of counterexamples, as far as they are there."""
    against = (each for some in rules for rule in some.rules for each in rule.counterexamples)
    named = (each.trajectory.partition(store.SUFFIX)[0] for each in against if each.trajectory)
    files = [Path(name + store.SUFFIX) for name in dict.fromkeys(named)]
    return [file for file in files if file.is_file()]


def _each_once(files: Iterable[Path]) -> list[Path]:
    # realpath, since resolve raises in loops of links, which the reader of files refuses.
    return [*{os.path.realpath(file): file for file in reversed([*files])}.values()][::-1]


def _is_of_game(file: Path) -> bool:
    """Whether a file says of itself that it is an episode of a game."""
    return is_game_certificate(file) if file.suffix == ".json" else is_game_trajectory(file)


def _world(reference: WorldReference, folder: Path) -> World | None:
    """The world of episodes in a folder; None if it is another one by now, or is not found."""
    try:
        found = load_world_beside(reference.name, folder)
    except WorldError:
        return None
    return found if found.digest == reference.digest else None


def _certificates(files: Iterable[Path], world_of: WorldOf) -> Iterator[tuple[Path, Certificate]]:
    """Certificates as they are, and episodes of trajectories as certificates."""
    for file in files:
        if file.suffix == ".json":
            yield file, certificate.load(file)
        else:
            for each in store.load_all(file):
                claimed = of_trajectory(each)
                world = world_of(claimed.world, file.parent)
                if world is not None and world.goals:  # a trajectory holds all achievements
                    reached = certificate.verify(claimed, world).unlocked
                    claimed = claimed.model_copy(update={"unlocked": reached})
                yield file, claimed


def of_trajectory(recorded: Trajectory) -> Certificate:
    """The claims of a recorded episode, as a certificate."""
    about = recorded.about
    unlocked = {
        name: step
        for step, row in enumerate(recorded.unlocked, 1)
        for name, new in zip(about.words.achievements, row, strict=True)
        if new
    }
    return Certificate(
        schema=SCHEMA,
        world=WorldReference(name=about.world, digest=about.digest),
        dynamics=about.dynamics,
        adds=AddedNames.of(about.words),
        seed=about.seed,
        episode=about.episode,
        agent=about.agent,
        actions=tuple(recorded.action.tolist()),
        unlocked=unlocked,
        steps=len(recorded),
        reward=math.fsum(recorded.reward.tolist()),
        versions=dict(about.versions),
    )


def _numbered(found: Sequence[tuple[Path, Certificate]], world_of: WorldOf) -> list[KeptEpisode]:
    """The episodes in the order of agents, worlds and seeds; each a unit of its own."""
    ordered = sorted(
        found, key=lambda pair: (pair[1].agent, pair[1].world.name, pair[1].seed, pair[1].episode)
    )
    names_of = _distinct_names((each.world.name, each.world.digest) for _, each in ordered)
    return [
        kept_episode(path, each, names_of[each.world.digest], world_of(each.world, path.parent))
        for path, each in ordered
    ]


def kept_episode(path: Path, each: Certificate, name: str, world: World | None) -> KeptEpisode:
    """An episode with the row that tells its results.

    Args:
        path: The file that it is from.
        each: The episode.
        name: What to call its world.
        world: Its world, if it is at hand.
    """
    agent = each.agent or "unknown"
    row = Row(
        unit=f"{name}__{agent}__s{each.seed}e{each.episode}",
        agent=agent,
        world=each.world.name,
        world_name=name,
        world_digest=each.world.digest,
        dynamics=each.dynamics,
        seed=each.seed,
        episode=each.episode,
        steps=each.steps,
        reward=each.reward,
        unlocked=each.unlocked,
        goals=family_of(world).own_goals(world) if world is not None else None,
        certificate=path.name,
        agent_name=agent,
        belief=each.belief,
    )
    return KeptEpisode(row, path, partial(_same, each), world=world)


def _games(files: Sequence[Path]) -> GameMaterial:
    """Certificates and trajectories of games; an episode of which there are both is taken once.

    Raises:
        InputError: One of them is wrong.
    """
    found: dict[tuple[str, str, int], tuple[Path, GameCertificate]] = {}
    for path in files:
        each = (
            load_game_certificate(path)
            if path.suffix == ".json"
            else of_game_trajectory(load_game_trajectory(path))
        )
        found.setdefault((each.game.digest, each.player.label, each.seed), (path, each))
    ordered = sorted(found.values(), key=_place)
    names = _distinct_names((each.game.name, each.game.digest) for _, each in ordered)
    kept = [_kept_game(path, each, names[each.game.digest]) for path, each in ordered]
    folders = dict.fromkeys(path.parent for path in files)
    theories = {of: theory for folder in folders for of, theory in theories_in(folder).items()}
    return GameMaterial(tuple(each.row for each in kept), tuple(kept), theories)


def _place(pair: tuple[Path, GameCertificate]) -> tuple[str, str, int]:
    _, each = pair
    return each.game.name, each.player.label, each.seed


def _kept_game(path: Path, each: GameCertificate, name: str) -> KeptGame:
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
    return KeptGame(row, path, partial(_same, each))


def of_game_trajectory(recorded: GameTrajectory) -> GameCertificate:
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
        data = recorded_actions(recorded, known)
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
            theory = load_if_game(path)
        except InputError:
            continue  # a file of the user's that nothing here asks for
        if theory is not None:
            found[theory.digest] = theory
    return found


def _distinct_names(found: Iterable[tuple[str, str]]) -> dict[str, str]:
    """A name for each digest; what has the same name is told apart by its digest.

    Args:
        found: Names, or paths they were loaded from, with digests.
    """
    digests: dict[str, dict[str, None]] = {}
    for name, digest in found:
        digests.setdefault(Path(name).stem, {})[digest] = None
    return {
        digest: f"{name} {digest[:8]}" if len(several) > 1 else name
        for name, several in digests.items()
        for digest in several
    }


def _same(each: Claimed) -> Claimed:
    return each
