"""Reads episodes that lie in a folder as ``run`` leaves them: certificates and trajectories."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from mars_logic.data import store
from mars_logic.data.game_store import is_game_trajectory
from mars_logic.data.trajectory import Trajectory
from mars_logic.domains.certificates import is_game_certificate
from mars_logic.errors import InputError
from mars_logic.json_files import read_json
from mars_logic.play import certificate
from mars_logic.play.certificate import MAX_BYTES, SCHEMA, AddedNames, Certificate, WorldReference
from mars_logic.theory.rulesets.artefact import is_rules, load_rules
from mars_logic.views.report import game_data
from mars_logic.views.report.distinct_names import distinct_names
from mars_logic.views.report.report_data import KeptEpisode, Material, ReportRow

ALLOWED: Final = (
    "the folder of an experiment, a folder of certificates or trajectories, or one such file"
)


def read(path: Path) -> Material:
    """Read certificates (``.json``) and trajectories (``.parquet``), a folder of them or one file.

    An episode of which there are both is taken once.

    Raises:
        InputError: There is none, or one of them is wrong.
    """
    every = [path] if path.is_file() else sorted([*path.glob("*.json"), *path.glob("*.parquet")])
    of_games = [file for file in every if _is_of_game(file)]
    proposed = [] if path.is_file() else [*path.glob("*.yaml"), *every]
    rules = [file for file in sorted(proposed) if is_rules(file)]
    files = [file for file in every if file not in (*of_games, *rules)]
    strange = [file for file in files if file.suffix == ".json" and not _is_certificate(file)]
    if path.is_file() and strange:
        certificate.load(path)  # it says what is wrong
    found: dict[tuple[object, ...], tuple[Path, Certificate]] = {}
    for file, each in _certificates(file for file in files if file not in strange):
        found.setdefault((each.world.digest, each.agent, each.seed, each.episode), (file, each))
    if not found and not of_games:
        raise InputError(f"{path}:1: folder: there is no episode; allowed: {ALLOWED}")
    kept = _numbered(list(found.values()))
    return Material(
        title=path.resolve().name,
        place=path if path.is_dir() else path.parent,
        rows=tuple(each.row for each in kept),
        kept=tuple(kept),
        left_out=tuple(f"{file}: this is no certificate" for file in strange),
        games=game_data.of_files(of_games),
        rules={file.name: load_rules(file) for file in rules},
    )


def _is_of_game(file: Path) -> bool:
    """Whether a file says of itself that it is an episode of a game."""
    return is_game_certificate(file) if file.suffix == ".json" else is_game_trajectory(file)


def _is_certificate(file: Path) -> bool:
    """Whether a file says of itself that it is one; if so, what is wrong in it is told."""
    try:
        found = read_json(file, ALLOWED, MAX_BYTES)
    except InputError:
        return False
    return isinstance(found, dict) and found.get("schema") == SCHEMA


def _certificates(files: Iterable[Path]) -> Iterator[tuple[Path, Certificate]]:
    """Certificates as they are, and episodes of trajectories as certificates."""
    for file in files:
        if file.suffix == ".json":
            yield file, certificate.load(file)
        else:
            yield from ((file, of_trajectory(each)) for each in store.load_all(file))


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


def _numbered(found: Sequence[tuple[Path, Certificate]]) -> list[KeptEpisode]:
    """The episodes in the order of agents, worlds and seeds; each a unit of its own."""
    ordered = sorted(
        found, key=lambda pair: (pair[1].agent, pair[1].world.name, pair[1].seed, pair[1].episode)
    )
    names_of = distinct_names((each.world.name, each.world.digest) for _, each in ordered)
    kept = []
    for path, each in ordered:
        name = names_of[each.world.digest]
        agent = each.agent or "unknown"
        unit = f"{name}__{agent}__s{each.seed}e{each.episode}"
        row = ReportRow(
            unit=unit,
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
            certificate=path.name,
            agent_name=agent,
            belief=each.belief,
        )
        kept.append(KeptEpisode(row, 1, path, partial(_same, each)))
    return kept


def _same(each: Certificate) -> Certificate:
    return each
