"""The worlds, games and beliefs of an experiment: its folder keeps those that are not bundled."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mars_logic.domains.game import Game
from mars_logic.domains.library import bundled_games, games_of, names_a_game
from mars_logic.domains.load import load_rules, load_rules_theory
from mars_logic.domains.registry import family_of
from mars_logic.errors import InputError
from mars_logic.experiments.games import named_belief
from mars_logic.experiments.settings import learns
from mars_logic.experiments.spec import Sampled, Spec
from mars_logic.play.agent import require_dialect, require_player, require_same_names
from mars_logic.system.files import write_atomically
from mars_logic.world.load import all_bundled_worlds, bundled_worlds, load_theory, load_world
from mars_logic.world.theory import Theory, World

FOLDER: Final = "worlds"
BELIEFS: Final = "beliefs"


@dataclass(frozen=True)
class ExperimentWorld:
    """A world or a game of an experiment.

    Attributes:
        label: What it is called in names of units.
        path: How it can be loaded: a bundled name, or a path from the experiment's folder.
        world: The world or the game.
        stated: What the spec calls it; None of sampled ones.
    """

    label: str
    path: str
    world: World | Game
    stated: str | None = None


def places_of(
    spec: Spec, beside: Path, out: Path, sampled: Callable[[], None] = lambda: None
) -> list[ExperimentWorld]:
    """Load, sample and keep the worlds of an experiment.

    Args:
        spec: The experiment.
        beside: The folder from which paths in the spec lead.
        out: The experiment's folder.
        sampled: Called after each sampled world.

    Raises:
        InputError: A world is wrong, two have one name, there is none as requested, or an agent
            does not know a world's names.
    """
    found: dict[str, ExperimentWorld] = {}
    for where in spec.worlds:
        stated = where.world
        some = (
            [_stated(each, beside, out) for each in _each(stated)]
            if stated
            else _sampled(where.sample, out, sampled)
        )
        for place in some:
            if place.label in found:
                raise InputError(
                    f"worlds: two worlds are called '{place.label}'; "
                    "allowed: a name of its own for each file"
                )
            found[place.label] = place
            if isinstance(place.world, World):
                for setting in spec.agents:
                    require_player(setting.name, place.world)
    return list(found.values())


@dataclass(frozen=True)
class Given:
    """The belief of an agent's setting.

    Attributes:
        path: How it can be loaded: a bundled name, or a path from the experiment's folder.
        theory: The rules.
    """

    path: str
    theory: Theory | Game


def beliefs_of(
    spec: Spec, places: Iterable[ExperimentWorld], beside: Path, out: Path
) -> dict[str, Given]:
    """Load and keep the beliefs that agents are given, by the labels of their settings.

    Args:
        spec: The experiment.
        places: Its worlds.
        beside: The folder from which paths in the spec lead.
        out: The experiment's folder.

    Raises:
        InputError: A belief is wrong, or of another dialect than a world.
    """
    worlds = [place.world for place in places if isinstance(place.world, World)]
    dialects = {world.dynamics for world in worlds}
    found = {}
    for setting in spec.agents:
        name = setting.belief
        if name is None:
            continue
        bundled = name in (*bundled_worlds(), *bundled_games())
        theory: Theory | Game
        if worlds:
            theory = load_theory(name if bundled else beside / name)
            for dynamics in sorted(dialects):
                require_dialect(theory, dynamics, name)
            for world in () if learns(setting.name) else worlds:
                require_same_names(theory, world, name)
        else:
            theory = named_belief(name, beside)
        path = name if bundled else f"{BELIEFS}/{setting.label}.yaml"
        if not bundled:
            _keep(theory, out / path, name)
        found[setting.label] = Given(path, theory)
    return found


def as_kept(spec: Spec, places: Iterable[ExperimentWorld], beliefs: Mapping[str, Given]) -> Spec:
    """The spec as it can be read from the experiment's folder, where its files lie too."""
    paths: dict[str | None, str] = {place.stated: place.path for place in places if place.stated}
    worlds = [
        where.model_copy(update={"world": paths.get(where.world, where.world)})
        for where in spec.worlds
    ]
    agents = [
        setting.model_copy(update={"belief": beliefs[setting.label].path})
        if setting.label in beliefs
        else setting
        for setting in spec.agents
    ]
    return spec.model_copy(update={"worlds": tuple(worlds), "agents": tuple(agents)})


def _each(name: str) -> Sequence[str]:
    return games_of(name) if names_a_game(name) else (name,)


def _stated(name: str, beside: Path, out: Path) -> ExperimentWorld:
    bundled = (*bundled_worlds(), *bundled_games())
    is_bundled = name in bundled or names_a_game(name)
    known = is_bundled or name in all_bundled_worlds()
    world = load_rules(name if known else beside / name)
    if name in bundled:
        return ExperimentWorld(name, name, world, name)
    label = re.sub(r"[^A-Za-z0-9.+-]+", "_", world.name).strip("._") or "world"
    if is_bundled:
        return ExperimentWorld(label, name, world, name)
    if label in bundled:
        label = f"{label}-{world.digest[:8]}"
    path = f"{FOLDER}/{label}.yaml"
    _keep(world, out / path, name)
    return ExperimentWorld(label, path, world, name)


def _keep(theory: Theory | Game, path: Path, name: str) -> None:
    """Keep a world, a game or a belief in the experiment's folder, unless it lies there already."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, family_of(theory).as_yaml(theory))
    elif load_rules_theory(path).digest != theory.digest:
        raise InputError(
            f"{path}:1: file: these are other rules than those of {name}; "
            "allowed: another folder, or another name for the changed rules"
        )


def _sampled(
    asked: Sampled | None, out: Path, sampled: Callable[[], None]
) -> Iterator[ExperimentWorld]:
    from mars_logic.logic.sampling import ImpossibleError, Request, Sampler
    from mars_logic.logic.sampling.folder import SampleFolder

    assert asked is not None
    request = Request.of(
        asked.changes,
        asked.difficulty,
        asked.certainty,
        asked.must,
        asked.forbid,
        livable=asked.livable,
    )
    name = f"{FOLDER}/sampled_{asked.seed}"
    folder = SampleFolder(out / name, Sampler(request), asked.seed)
    for number in range(asked.count):
        try:
            file = f"{name}/{folder.add(number)['file']}"
        except ImpossibleError:
            raise InputError(
                "worlds.sample: there is no such world; "
                "allowed: a request that mars-logic sample can fulfil (it says why it cannot)"
            ) from None
        sampled()
        yield ExperimentWorld(Path(file).stem, file, load_world(out / file))
