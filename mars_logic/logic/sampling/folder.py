"""Sampled worlds in a folder: a world file and a summary of its proof for each."""

from __future__ import annotations

import json
import os
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mars_logic.errors import InputError
from mars_logic.logic import Proof
from mars_logic.logic.sampling.made_up import MadeUpSampler
from mars_logic.logic.sampling.sampler import Sample, Sampler
from mars_logic.system.files import write_atomically
from mars_logic.system.json_files import read_json
from mars_logic.world.diff import diff
from mars_logic.world.dump import to_yaml
from mars_logic.world.load import load_world
from mars_logic.world.theory import World
from mars_logic.world.words import tell

_ABOUT = "request.json"
"""The file with the request of a folder's worlds."""

_ALLOWED = "a file written by sample"
_MOST_BYTES = 1_000_000

_UNSAID = {"livable": False}
"""Defaults of requests in folders of earlier versions."""

Summary = dict[str, Any]
"""Summary of a sampled world, as plain data."""


class SampleFolder:
    """A folder of worlds sampled for one request with one seed; append-only."""

    def __init__(self, path: Path, sampler: Sampler | MadeUpSampler, seed: int):
        """Open it, or begin it.

        Raises:
            InputError: It holds the worlds of another request, or cannot be written to.
        """
        self._path = path
        self._seed = seed
        self._sampler = sampler
        self._about = {"schema": "mars-logic request 1", "seed": seed} | sampler.request.to_json()
        kept = _read(path / _ABOUT)
        unsaid = {name: value for name, value in _UNSAID.items() if name in self._about}
        if kept is not None and unsaid | kept != self._about:
            raise InputError(
                f"{path / _ABOUT}:1: file: the worlds here were sampled for another request; "
                "allowed: another folder"
            )

    def add(self, number: int) -> Summary:
        """The world with this number: stored, or sampled, proved and stored now.

        Raises:
            ImpossibleError: No world satisfies the request.
            InputError: Something else bears its name, or it cannot be written.
        """
        file = self._path / f"sample_{self._seed}_{number}.yaml"
        beside = file.with_suffix(".json")
        kept = _read(beside)
        if file.exists():
            if kept is None or not _tells(kept, file, load_world(file)):
                raise InputError(
                    f"{file}:1: file: this is another world than the one to be written here; "
                    "allowed: another folder, or to remove the file"
                )
            return kept
        sample = self._sampler.draw(self._seed, number, proved=True)
        assert sample.proof is not None
        summary = _summary(sample, sample.proof) | {"file": file.name}
        # The world is written last, so its presence implies complete files.
        if not (self._path / _ABOUT).exists():
            _write(self._path / _ABOUT, self._about)
        _write(beside, summary)
        _write(file, to_yaml(sample.world))
        return summary


def _summary(sample: Sample, proof: Proof) -> Summary:
    """The changed rules of a sampled world, in words, and its proof in short."""
    world = sample.world
    assert world.base is not None
    changed = [rule.after for rule in diff(world.base, world) if rule.after]
    return {
        "schema": "mars-logic sampled world 1",
        "world": world.name,
        "digest": world.digest,
        "modifications": list(sample.modifications),
        "difficulty": len(changed),
        "changed": {rule.id: tell(rule, world.vocabulary) for rule in changed},
        "all_reachable": proof.all_reachable,
        "living_on": proof.upkeep.verdict,
        "achievements": {
            name: {
                "verdict": verdict.verdict,
                "certainty": verdict.certainty,
                "interactions": verdict.interactions,
            }
            for name, verdict in proof.achievements.items()
        },
        "versions": {"mars-logic": version("mars-logic"), "clingo": version("clingo")},
    }


def _read(path: Path) -> Summary | None:
    """A JSON file, if there is one.

    Raises:
        InputError: It is no such file.
    """
    if not os.path.lexists(path):
        return None
    found = read_json(path, _ALLOWED, _MOST_BYTES)
    if not isinstance(found, dict):
        raise InputError(f"{path}:1: file: it holds no object; allowed: {_ALLOWED}")
    return found


def _tells(kept: Summary, file: Path, world: World) -> bool:
    """Whether a summary is complete and belongs to the world in a file."""
    verdicts = kept.get("achievements")
    return (
        (kept.get("file"), kept.get("digest")) == (file.name, world.digest)
        and isinstance(kept.get("difficulty"), int)
        and isinstance(kept.get("all_reachable"), bool)
        and isinstance(verdicts, dict)
        and verdicts.keys() == set(world.achievements)
        and all(isinstance(each, dict) and "verdict" in each for each in verdicts.values())
    )


def _write(path: Path, content: Summary | str) -> None:
    text = content if isinstance(content, str) else json.dumps(content, indent=2) + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text)
    except OSError as error:
        what = (error.strerror or str(error)).lower()
        raise InputError(f"{path}:1: file: {what}; allowed: a file that can be written") from None
