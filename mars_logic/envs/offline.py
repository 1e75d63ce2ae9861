"""Trajectories as data sets of Minari, the format of offline reinforcement learning, and back.

The spaces are those of the environments' symbolic observations. What these leave out, or hold less
precisely, is in the infos, and where an episode comes from is in its metadata: so the way to Minari
and back changes nothing. Needs the package's extra "minari".
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter, ValidationError

from mars_logic.data import About, Privileged, Trajectories, Trajectory, Views, from_arrays
from mars_logic.data.trajectory import HIDDEN, NEEDS, SEEN, freeze, layout_for
from mars_logic.envs.registration import environment_id
from mars_logic.errors import InputError
from mars_logic.system.extras import install_hint
from mars_logic.system.files import require_regular
from mars_logic.world import names
from mars_logic.world.load import all_bundled_worlds, load_world
from mars_logic.world.theory import World

_ABOUT: Final = "mars_logic"
"""The key of an episode's origin in its metadata."""
_METADATA: Final = "metadata.json"
_ALLOWED: Final = "what `mars-logic export --to minari` wrote"
_MAX_BYTES: Final = 4_000_000_000


def save_minari(trajectories: Iterable[Trajectory], folder: Path, *, public: bool = False) -> None:
    """Write trajectories as a data set, whole or not at all.

    Args:
        trajectories: The episodes, of one world.
        folder: A new folder; its name, such as ``random-v0``, is that of the data set.
            ``minari.load_dataset`` finds it if it lies in the folder of Minari's data sets.
        public: Leave out what is privileged.

    Raises:
        InputError: Minari is not installed, the folder exists, its name is none for a data set, or
            the episodes are of several worlds.
    """
    minari = _minari()
    kept = Trajectories.of(trajectories)
    kept = kept.public() if public else kept
    about = kept.abouts[0]
    if len({each.digest for each in kept.abouts}) > 1:
        raise InputError(f"{folder}: these are episodes of several worlds; allowed: one")
    _require_name(folder)
    place = folder.absolute().parent  # Minari mixes up relative paths
    with tempfile.TemporaryDirectory(dir=place, prefix=f".{folder.name}.") as held:
        made = Path(held) / folder.name
        made.mkdir()
        storage = _storage(made / "data", about)
        storage.update_metadata(
            {
                "dataset_id": folder.name,
                "algorithm_name": about.agent,
                "description": f"Play in the world {about.world} of mars-logic ({about.dynamics}).",
                "minari_version": minari.__version__,
                "requirements": [f"mars-logic=={about.versions.get('mars-logic', '')}"],
            }
        )
        storage.update_episodes(_buffer(episode) for episode in kept)
        storage.update_episode_metadata([{_ABOUT: asdict(each)} for each in kept.abouts])
        made.rename(folder)


def load_minari(folder: Path, world: World | None = None) -> Trajectories:
    """Read a data set that :func:`save_minari` wrote, or one whose observations are such arrays.

    Args:
        folder: The data set.
        world: What was played, where episodes do not say it. Their observations are then the arrays
            that :func:`mars_logic.data.from_arrays` takes, of which some may be missing.

    Raises:
        InputError: Minari is not installed, or this is no such data set, or too large a one.
    """
    _require_bounded(folder)
    minari = _minari()
    data = folder / "data" if (folder / "data").is_dir() else folder
    try:
        dataset = minari.MinariDataset(data)
        found = [_trajectory(each, meta, folder, world) for each, meta in _episodes(dataset)]
    except InputError:
        raise
    except Exception as error:  # whatever an unfit file leads to, in packages not ours
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(
            f"{folder}: this is no data set of Minari made from trajectories ({reason}); "
            f"allowed: {_ALLOWED}"
        ) from None
    if not found:
        raise InputError(f"{folder}: there is no episode; allowed: one or more")
    return Trajectories.of(found)


def _require_bounded(folder: Path) -> None:
    """Refuse files that Minari could not read to their end, or not within memory."""
    from mars_logic.data.parquet import Parquet

    for place, _, names_of_files in os.walk(folder):
        for name in names_of_files:
            path = Path(place) / name
            require_regular(path, _ALLOWED, _MAX_BYTES)
            if path.suffix == ".parquet":
                Parquet.open(path, _ALLOWED).require_bounded()


def is_minari(folder: Path) -> bool:
    """Whether a folder looks like a data set of Minari."""
    return any((folder / part / _METADATA).is_file() for part in (".", "data"))


def _minari() -> Any:
    try:
        import minari
    except ImportError:
        raise InputError(
            f"minari: the package is not installed; allowed: first {install_hint('minari')}"
        ) from None
    return minari


def _require_name(folder: Path) -> None:
    from minari.dataset.minari_dataset import parse_dataset_id

    if folder.exists():
        raise InputError(f"{folder}: it exists already; allowed: a new name")
    if not folder.parent.is_dir():
        raise InputError(f"{folder}: no such folder; allowed: a name in an existing folder")
    try:
        parse_dataset_id(folder.name)
    except ValueError:
        raise InputError(
            f"{folder}: {folder.name!r} is no name of a data set; allowed: letters, digits, '_' "
            "and '-', and a version at the end, as in random-v0"
        ) from None


# --- To Minari ------------------------------------------------------------------------------------


def _storage(path: Path, about: About) -> Any:
    import gymnasium
    from minari.dataset.minari_storage import MinariStorage

    from mars_logic.envs.viewing import Symbolic

    spec = None
    if about.world in all_bundled_worlds() and load_world(about.world).digest == about.digest:
        spec = deepcopy(gymnasium.spec(environment_id(about.world)))  # that of the registry
        spec.kwargs["observation"] = "symbolic"
    actions = gymnasium.spaces.Discrete(len(names.ACTIONS))
    return MinariStorage.new(path, Symbolic(1).space, actions, spec, data_format="parquet")


def _buffer(episode: Trajectory) -> Any:
    from minari.data_collector.episode_buffer import EpisodeBuffer

    views = episode.views
    infos: dict[str, NDArray[Any]] = {
        "daylight": views.daylight,
        "unlocked": _shifted(episode.unlocked),
    }
    if episode.privileged is not None:
        # The last moment of all is not recorded, and repeats what was true before.
        for name, array in episode.privileged.arrays.items():
            infos[f"privileged_{name}"] = np.concatenate([array, array[-1:]])
    return EpisodeBuffer(
        seed=episode.about.seed,
        observations={
            "daylight": views.daylight[:, None].astype(np.float32),
            "facing": views.facing,
            "inventory": views.inventory.astype(np.int16),
            "materials": views.materials,
            "objects": views.objects,
            "sleeping": views.sleeping[:, None].astype(np.int8),
        },
        actions=episode.action.astype(np.int64),
        rewards=episode.reward,
        terminations=episode.terminated,
        truncations=episode.truncated,
        infos={name: array.reshape(len(array), -1) for name, array in infos.items()},
    )


def _shifted(array: NDArray[Any]) -> NDArray[Any]:
    """Infos belong to moments: what a step brought is told with the moment after it."""
    return np.concatenate([np.zeros_like(array[:1]), array])


# --- From Minari ----------------------------------------------------------------------------------


def _episodes(dataset: Any) -> Iterable[tuple[Any, dict[str, Any]]]:
    indices = list(dataset.episode_indices)
    described = dataset.storage.get_episode_metadata(indices)
    return zip(dataset.iterate_episodes(indices), described, strict=True)


def _trajectory(
    episode: Any, metadata: dict[str, Any], folder: Path, world: World | None
) -> Trajectory:
    if world is not None and _ABOUT not in metadata:
        return _of_others(episode, folder, world)
    try:
        about = TypeAdapter(About).validate_python(metadata.get(_ABOUT))
    except ValidationError:
        raise InputError(
            f"{folder}: episode {episode.id} does not say where it comes from; "
            "allowed: with --world WORLD, or what `mars-logic export --to minari` wrote"
        ) from None
    infos = episode.infos
    seen = dict(episode.observations) | {"daylight": infos["daylight"]}
    views = {
        name: np.asarray(seen[name]).reshape(-1, *shape).astype(dtype)
        for name, (dtype, shape) in SEEN.items()
    }
    hidden = None
    if f"privileged_{NEEDS[0]}" in infos:
        hidden = Privileged(
            **freeze(
                {
                    name: np.asarray(infos[f"privileged_{name}"]).reshape(-1)[:-1].astype(dtype)
                    for name, (dtype, _) in HIDDEN.items()
                }
            )
        )
    return Trajectory(
        about=about,
        views=Views(**freeze(views)),
        action=np.asarray(episode.actions).astype(np.uint8),
        reward=np.asarray(episode.rewards, np.float64),
        unlocked=np.asarray(infos["unlocked"])[1:].astype(np.bool_),
        terminated=np.asarray(episode.terminations, np.bool_),
        truncated=np.asarray(episode.truncations, np.bool_),
        privileged=hidden,
        source=f"{folder} episode {episode.id}",
    )


def _of_others(episode: Any, folder: Path, world: World) -> Trajectory:
    """An episode that another program recorded, as far as it tells of a view.

    Raises:
        InputError: Its observations are no such arrays.
    """
    source = f"{folder} episode {episode.id}"
    seen = episode.observations
    if not isinstance(seen, dict):
        told = "its observations are no arrays by name"
        raise InputError(f"{source}:1: observations: {told}; allowed: {', '.join(SEEN)}")
    layout = layout_for(SEEN, world.vocabulary)
    arrays = {
        name: np.asarray(array).reshape(len(array), *layout[name][1])
        for name, array in seen.items()
        if name in layout
    }
    unlocked = episode.infos.get("unlocked") if isinstance(episode.infos, dict) else None
    return from_arrays(
        world,
        arrays,
        np.asarray(episode.actions),
        np.asarray(episode.rewards),
        None if unlocked is None else np.asarray(unlocked)[1:],
        terminated=bool(episode.terminations[-1]),
        truncated=bool(episode.truncations[-1]),
        episode=int(episode.id) + 1,
        agent="recorded",
        source=source,
    )
