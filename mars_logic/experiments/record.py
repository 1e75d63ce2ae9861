"""Records of a unit: one row per episode, certificates, decisions, and learning results."""

from __future__ import annotations

import hashlib
import io
import json
import multiprocessing
import re
import statistics
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, Literal

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import BaseModel

from mars_logic.domains.registry import family_of
from mars_logic.experiments.layout import ABOUT, ROWS
from mars_logic.experiments.runs import EpisodeResult
from mars_logic.experiments.units import Unit
from mars_logic.system.installed import installed_version
from mars_logic.theory import Score

SCHEMA: Final = "mars-logic results 1"
TIMES: Final = ("seconds_per_decision", "seconds", "peak_memory_mib")
"""The columns that differ when the same is done again; they come last."""

Phase = Literal["play", "learn", "evaluate"]
Files = dict[str, bytes]
"""The files of a unit by their paths inside of its folder."""

COLUMNS: Final = pa.schema(
    [
        ("unit", pa.string()),
        ("number", pa.int32()),
        ("agent", pa.string()),
        ("agent_name", pa.string()),
        ("options", pa.string()),
        ("belief", pa.string()),
        ("world", pa.string()),
        ("world_name", pa.string()),
        ("world_digest", pa.string()),
        ("dynamics", pa.string()),
        ("seed", pa.int64()),
        ("episode", pa.int32()),
        ("phase", pa.string()),
        ("steps", pa.int32()),
        ("reward", pa.float64()),
        ("ended", pa.string()),
        ("unlocked", pa.map_(pa.string(), pa.int32())),
        ("unreachable", pa.list_(pa.string())),
        ("goals", pa.list_(pa.string())),
        ("complete", pa.bool_()),
        ("score", pa.float64()),
        ("normalised", pa.float64()),
        ("precision", pa.float64()),
        ("recall", pa.float64()),
        ("changes_recall", pa.float64()),
        ("revisions", pa.int32()),
        ("certificate", pa.string()),
        ("seconds_per_decision", pa.float64()),
        ("seconds", pa.float64()),
        ("peak_memory_mib", pa.float64()),
    ],
    metadata={"schema": SCHEMA},
)
"""docs/experiments.md says what they hold."""


class Record:
    """Takes down the episodes of a unit."""

    def __init__(self, unit: Unit) -> None:
        """Begin, and measure time and memory from now on."""
        self._unit = unit
        self._rows: list[dict[str, Any]] = []
        self._files: Files = {}
        _forget_peak()
        self._since = time.perf_counter()

    def cost(self) -> dict[str, float]:
        """Seconds since this was asked last, and the most memory in use since the beginning."""
        before, self._since = self._since, time.perf_counter()
        return {"seconds": self._since - before, "peak_memory_mib": _peak()}

    def add(
        self,
        phase: Phase,
        result: EpisodeResult,
        cost: Mapping[str, float],
        thoughts: list[dict[str, Any]],
        score: Score | None = None,
        revisions: int | None = None,
    ) -> None:
        """Take down an episode in a world.

        Args:
            phase: What it was played for.
            result: The episode.
            cost: Of :meth:`cost`.
            thoughts: What the agent had in mind; empty if it does not tell.
            score: How much of the truth was believed after it.
            revisions: How many rules changed during it.
        """
        kept = result.certificate
        changes = score.changes if score else None
        columns = {
            "seed": kept.seed,
            "episode": kept.episode,
            "steps": kept.steps,
            "reward": kept.reward,
            "ended": result.ended,
            "unlocked": list(kept.unlocked.items()),
            "unreachable": result.unreachable,
            "complete": result.complete,
            "precision": score.overall.precision if score else None,
            "recall": score.overall.recall if score else None,
            "changes_recall": changes.recall if changes else None,
            "revisions": revisions,
            "certificate": self.certificate(kept),
            "seconds_per_decision": statistics.fmean(result.seconds),
            **cost,
        }
        self.take_down(phase, columns, thoughts)

    def certificate(self, kept: BaseModel) -> str | None:
        """Keep the certificate of the episode that is taken down next, if the unit's are kept.

        Returns:
            Its path in the experiment's folder; None if it is not kept.
        """
        if not self._unit.certificates:
            return None
        path = f"certificates/e{len(self._rows) + 1}.json"
        self._files[path] = (kept.model_dump_json(by_alias=True) + "\n").encode()
        return f"units/{self._unit.name}/{path}"

    def take_down(
        self, phase: Phase, columns: Mapping[str, Any], thoughts: list[dict[str, Any]]
    ) -> None:
        """Take down an episode in a world or a game.

        Args:
            phase: What it was played for.
            columns: What came of it, by columns; those left out are null.
            thoughts: What the agent had in mind; empty if it does not tell.
        """
        unit, number = self._unit, len(self._rows) + 1
        if unit.thoughts and thoughts:
            about = {"schema": "mars-logic thoughts 1", "thoughts": thoughts}
            self.write(f"thoughts/e{number}.json", about)
        self._rows.append(
            {
                "unit": unit.name,
                "number": number,
                "agent": unit.label,
                "agent_name": unit.agent,
                "options": unit.options,
                "belief": unit.belief.digest if unit.belief is not None else None,
                "world": unit.world_path,
                "world_name": unit.world_label,
                "world_digest": unit.world.digest,
                "dynamics": unit.dynamics,
                "goals": family_of(unit.world).own_goals(unit.world),
                "phase": phase,
                **columns,
            }
        )

    def write(self, path: str, content: str | Any) -> None:
        """Keep a text, or plain data as JSON."""
        text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
        self._files[path] = text.encode()

    def files(self) -> Files:
        """All files of the unit."""
        about = {
            "schema": "mars-logic unit 1",
            "identity": self._unit.identity(),
            "program": installed_version(),
            "files": {name: digest(content) for name, content in self._files.items()},
        }
        files = self._files | {ABOUT: (json.dumps(about, indent=1) + "\n").encode()}
        return files | {ROWS: as_parquet(pa.Table.from_pylist(self._rows, COLUMNS))}


def digest(content: bytes) -> str:
    """The SHA-256 of a unit's file, which detects damage."""
    return hashlib.sha256(content).hexdigest()


def as_parquet(table: pa.Table) -> bytes:
    """The content of a Parquet file."""
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()


def together(tables: Iterable[pa.Table]) -> pa.Table:
    """Rows of several units in one table; columns that older ones lack are null in their rows."""
    plain = (
        table.cast(pa.schema([COLUMNS.field(name) for name in table.schema.names]))
        for table in tables
    )
    return pa.concat_tables([COLUMNS.empty_table(), *plain], promote_options="default")


def _forget_peak() -> None:
    """Let the system measure this process's memory anew, where it can."""
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")
    except OSError:
        return


def _peak() -> float:
    """The most memory that this process and its children had in use, in MiB, summed up."""
    children = [child.pid for child in multiprocessing.active_children()]
    found = [_high_water(f"/proc/{pid}/status") for pid in ("self", *children)]
    return sum(found) / 1024 if found[0] else _by_resource()


def _high_water(status: str) -> int:
    """A process's largest resident set in KiB; 0 where that is not told."""
    try:
        match = re.search(
            r"^VmHWM:\s*(\d+) kB", Path(status).read_text(encoding="utf-8"), re.MULTILINE
        )
    except OSError:
        return 0
    return int(match[1]) if match else 0


def _by_resource() -> float:
    try:
        import resource
    except ImportError:
        return 0.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
