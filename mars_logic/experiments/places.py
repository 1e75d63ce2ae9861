"""The worlds of an experiment: bundled, from files, and sampled; its folder keeps all others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mars_logic.errors import InputError
from mars_logic.experiments.spec import Sampled, Spec
from mars_logic.files import write_atomically
from mars_logic.world.dump import to_yaml
from mars_logic.world.load import bundled_worlds, load_world
from mars_logic.world.world import World

FOLDER: Final = "worlds"


@dataclass(frozen=True)
class Place:
    """A world of an experiment.

    Attributes:
        label: What it is called in names of units.
        path: How it can be loaded: a bundled name, or a path from the experiment's folder.
        world: The world.
        stated: What the spec calls it; None of sampled ones.
    """

    label: str
    path: str
    world: World
    stated: str | None = None


def places_of(
    spec: Spec, beside: Path, out: Path, sampled: Callable[[], None] = lambda: None
) -> list[Place]:
    """Load, sample and keep the worlds of an experiment.

    Args:
        spec: The experiment.
        beside: The folder from which paths in the spec lead.
        out: The experiment's folder.
        sampled: Called after each sampled world.

    Raises:
        InputError: A world is wrong, two have one name, or there is none as requested.
    """
    found: dict[str, Place] = {}
    for where in spec.worlds:
        stated = where.world
        some = [_stated(stated, beside, out)] if stated else _sampled(where.sample, out, sampled)
        for place in some:
            if place.label in found:
                raise InputError(
                    f"worlds: two worlds are called '{place.label}'; "
                    "allowed: a name of its own for each file"
                )
            found[place.label] = place
    return list(found.values())


def as_kept(spec: Spec, places: Iterable[Place]) -> Spec:
    """The spec as it can be read from the experiment's folder, where its worlds lie too."""
    paths: dict[str | None, str] = {place.stated: place.path for place in places if place.stated}
    worlds = [where.model_copy(update={"world": paths.get(where.world)}) for where in spec.worlds]
    return spec.model_copy(update={"worlds": tuple(worlds)})


def _stated(name: str, beside: Path, out: Path) -> Place:
    if name in bundled_worlds():
        return Place(name, name, load_world(name), name)
    world = load_world(beside / name)
    label = re.sub(r"[^A-Za-z0-9.+-]+", "_", world.name).strip("._") or "world"
    if label in bundled_worlds():
        label = f"{label}-{world.digest[:8]}"
    path = out / FOLDER / f"{label}.yaml"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, to_yaml(world))
    elif load_world(path).digest != world.digest:
        raise InputError(
            f"{path}:1: file: this is another world than {name}; "
            "allowed: another folder, or another name for the changed world"
        )
    return Place(label, f"{FOLDER}/{label}.yaml", world, name)


def _sampled(asked: Sampled | None, out: Path, sampled: Callable[[], None]) -> Iterator[Place]:
    from mars_logic.sampling import ImpossibleError, Request
    from mars_logic.sampling.folder import Folder

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
    folder = Folder(out / name, request, asked.seed)
    for number in range(asked.count):
        try:
            file = f"{name}/{folder.add(number)['file']}"
        except ImpossibleError:
            raise InputError(
                "worlds.sample: there is no such world; "
                "allowed: a request that mars-logic sample can fulfil (it says why it cannot)"
            ) from None
        sampled()
        yield Place(Path(file).stem, file, load_world(out / file))
