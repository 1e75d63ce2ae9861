"""Sampled worlds in a folder: a world file and a summary of its proof for each."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mars_logic.errors import InputError
from mars_logic.files import write_atomically
from mars_logic.logic import Proof
from mars_logic.sampling.request import Request
from mars_logic.sampling.sampler import Sample, Sampler
from mars_logic.world.diff import diff
from mars_logic.world.dump import to_yaml
from mars_logic.world.load import load_world
from mars_logic.world.words import tell

_ABOUT = "request.json"
"""The file that says what the worlds of a folder were sampled for."""

_UNSAID = {"livable": False}
"""What holds for folders begun before a request said so."""

Summary = dict[str, Any]
"""What is told of a sampled world, as plain data."""


class Folder:
    """A folder of worlds sampled for one request with one seed; it can grow, but not change."""

    def __init__(self, path: Path, request: Request, seed: int):
        """Open it, or begin it.

        Raises:
            InputError: It holds the worlds of another request, or cannot be written to.
        """
        self._path = path
        self._seed = seed
        self._sampler = Sampler(request)
        self._about = {"schema": "mars-logic request 1", "seed": seed} | request.to_json()
        kept = _read(path / _ABOUT)
        if kept is not None and _UNSAID | kept != self._about:
            raise InputError(
                f"{path / _ABOUT}:1: file: the worlds here were sampled for another request; "
                "allowed: another folder"
            )

    def add(self, number: int) -> Summary:
        """The world with this number: as it is kept, or sampled, proved and kept now.

        Raises:
            ImpossibleError: There is no world as requested.
            InputError: Something else bears its name, or it cannot be written.
        """
        file = self._path / f"sample_{self._seed}_{number}.yaml"
        beside = file.with_suffix(".json")
        kept = _read(beside)
        if file.exists():
            if kept is None or load_world(file).digest != kept["digest"]:
                raise InputError(
                    f"{file}:1: file: this is another world than the one to be written here; "
                    "allowed: another folder, or to remove the file"
                )
            return kept
        sample = self._sampler.draw(self._seed, number, proved=True)
        assert sample.proof is not None
        summary = _summary(sample, sample.proof) | {"file": file.name}
        # The world comes last: where there is one, everything about it is there.
        if not (self._path / _ABOUT).exists():
            _write(self._path / _ABOUT, self._about)
        _write(beside, summary)
        _write(file, to_yaml(sample.world))
        return summary


def _summary(sample: Sample, proof: Proof) -> Summary:
    """What differs in a sampled world, in words, and what is proved about it."""
    world = sample.world
    assert world.base is not None
    changed = [difference.after for difference in diff(world.base, world)]
    return {
        "schema": "mars-logic sampled world 1",
        "world": world.name,
        "digest": world.digest,
        "modifications": list(sample.modifications),
        "difficulty": len(changed),
        "changed": {rule.id: tell(rule) for rule in changed},
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
    try:
        found = json.loads(path.read_text())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        what = (getattr(error, "strerror", None) or str(error)).lower()
        raise InputError(f"{path}:1: file: {what}; allowed: a file written by sample") from None
    if not isinstance(found, dict):
        raise InputError(f"{path}:1: file: it holds no object; allowed: a file written by sample")
    return found


def _write(path: Path, content: Summary | str) -> None:
    text = content if isinstance(content, str) else json.dumps(content, indent=2) + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text)
    except OSError as error:
        what = (error.strerror or str(error)).lower()
        raise InputError(f"{path}:1: file: {what}; allowed: a file that can be written") from None
