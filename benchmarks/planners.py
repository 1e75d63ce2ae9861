"""Two planners on the same maps: episodes of both, played in turn, kept, and their failures named.

A planner is an agent of an installed checkout, ``AGENT[,OPTION=VALUE…][@PYTHON]``: with PYTHON, the
agent of the checkout to which that interpreter belongs. So a branch is compared with another, or
two settings of an agent of one. What a map allows is proved once, here, for both.
"""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter

from mars_logic.errors import InputError
from mars_logic.experiments.proving import prove
from mars_logic.experiments.runs import EpisodeResult, goals
from mars_logic.play.agent import load_agent
from mars_logic.play.certificate import certify
from mars_logic.play.episodes import Ended, Played
from mars_logic.system.file_names import name_as_text
from mars_logic.system.files import write_atomically
from mars_logic.system.printable import in_one_line
from mars_logic.world.load import load_world

from .failures import doing, failure
from .units import in_processes, kept, sampled_worlds

DEVELOPMENT, TEST = 0, 1000
"""First seeds: of maps to develop with, and of maps that are played once for each claim."""
SAMPLED = "sampled worlds"
_WORKER = Path(__file__).with_name("planner_worker.py")
_FORM = "AGENT[,OPTION=VALUE...][@PYTHON], such as oracle@../main/.venv/bin/python"


@dataclass(frozen=True)
class PlannerSpec:
    """One of the two planners.

    Attributes:
        text: As it was named.
        agent: As the agent is registered.
        options: What its class takes, as JSON.
        python: The interpreter of its checkout.
    """

    text: str
    agent: str
    options: str
    python: str

    @classmethod
    def of(cls, text: str) -> PlannerSpec:
        """The planner of a text ``AGENT[,OPTION=VALUE...][@PYTHON]``.

        Raises:
            InputError: It has another form, or there is no such interpreter.
        """
        named, _, python = text.partition("@")
        agent, *pairs = named.split(",")
        options = dict(_option(text, pair) for pair in pairs)
        if not agent:
            raise _refusal(text, "no agent is named")
        if not python:
            load_agent(agent)
        elif not Path(python).is_file():
            raise _refusal(text, f"there is no file {python}")
        # Not resolved: the interpreter of a virtual environment is often a link.
        where = str(Path(python).absolute()) if python else sys.executable
        return cls(text, agent, json.dumps(options, sort_keys=True), where)


def _option(text: str, pair: str) -> tuple[str, Any]:
    """Name and value of an option; what is no JSON is text."""
    name, equals, value = pair.partition("=")
    if not (equals and name.isidentifier()):
        raise _refusal(text, f"'{pair}' is no option")
    try:
        return name, json.loads(value)
    except (ValueError, RecursionError):
        return name, value


def _refusal(text: str, what: str, allowed: str = _FORM) -> InputError:
    return InputError(in_one_line(f"planners: '{text}': {what}; allowed: {allowed}"))


@dataclass(frozen=True)
class Map:
    """A map that both play.

    Attributes:
        group: The row of the table: a bundled world's name, or :data:`SAMPLED`.
        world: The world's name, or the path of its file.
        seed: The environment's seed.
    """

    group: str
    world: str
    seed: int


@dataclass(frozen=True)
class Job:
    """A map, with all that its episodes depend on.

    Attributes:
        map: Which.
        planners: Both.
        length: Steps after which an episode ends, if before the world's own length.
        folder: Where outcomes are kept.
    """

    map: Map
    planners: tuple[PlannerSpec, PlannerSpec]
    length: int | None
    folder: Path


@dataclass(frozen=True)
class PlannerOutcome:
    """An episode of one planner.

    Attributes:
        schema: Name and version of this format.
        planner: As it was named.
        code: The digest of the code that played.
        group: The row of the table.
        world: The world's name, or its file's.
        digest: The world's digest.
        seed: The environment's seed.
        length: Steps after which it ended at the latest, if before the world's own length.
        ended: How it ended.
        actions: The code of every action.
        unlocked: The step at which each achievement was reached.
        reward: The sum of rewards.
        missed: Achievements that are reachable on this map, not only by a finite chance, and were
            not unlocked.
        needed: The step at which all that is not left to luck was reached; None if it was not.
        failure: The class of the failure; None if nothing was missed.
        doing: What the agent was doing when it failed: a layer of its decisions.
        milliseconds: A decision in the mean.
        slowest: The slowest decision in milliseconds.
        slowest_replan: The slowest one that made a new plan; None if none is known of.
    """

    schema: Literal["mars-logic planner outcome 1"]
    planner: str
    code: str
    group: str
    world: str
    digest: str
    seed: int
    length: int | None
    ended: Ended
    actions: tuple[int, ...] = field(repr=False)
    unlocked: dict[str, int]
    reward: float
    missed: tuple[str, ...]
    needed: int | None
    failure: str | None
    doing: str | None
    milliseconds: float
    slowest: float
    slowest_replan: float | None

    @property
    def complete(self) -> bool:
        """Whether everything was reached but what is left to luck."""
        return not self.missed

    @property
    def died(self) -> bool:
        """Whether the player died before that."""
        return self.ended == "death" and not self.complete


_OUTCOME = TypeAdapter(PlannerOutcome)
Pair = tuple[PlannerOutcome, PlannerOutcome]


def maps(worlds: Sequence[str], seeds: range, sampled: int, folder: Path) -> list[Map]:
    """The maps of a comparison.

    Each sampled world has one map, so that all pairs are independent. Worlds of other first seeds
    are other ones.

    Args:
        worlds: Bundled worlds.
        seeds: Of the maps of each.
        sampled: How many sampled worlds.
        folder: Where these are kept.
    """
    found = [Map(name_as_text(name), name, seed) for name in worlds for seed in seeds]
    files = sampled_worlds(folder, sampled, first=seeds.start)
    return [*found, *(Map(SAMPLED, str(f), seeds.start + i) for i, f in enumerate(files))]


def compare(jobs: Sequence[Job], processes: int) -> list[Pair]:
    """The episodes of both planners on each map: as they are kept, or played and kept now.

    Raises:
        InputError: A planner cannot play, or a kept file holds another episode.
    """
    return in_processes(played, jobs, processes, "maps, each played by both", _ignore_interruption)


def _ignore_interruption() -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def played(job: Job) -> Pair:
    """The episodes of both on one map; who begins alternates with the seed."""
    order = (0, 1) if job.map.seed % 2 == 0 else (1, 0)
    found = {side: _episode(job, side) for side in order}
    return found[0], found[1]


def _episode(job: Job, side: int) -> PlannerOutcome:
    planner, place = job.planners[side], job.map
    name = f"{Path(place.world).stem}__{'AB'[side]}__s{place.seed}.json"
    world, kept_at, worker = load_world(place.world), job.folder / name, _worker(planner)
    if kept_at.exists():
        about = {"planner": planner.text, "code": worker.code, "digest": world.digest}
        return kept(_OUTCOME, kept_at, **about, seed=place.seed, length=job.length)
    proof = prove(world, map_seed=place.seed)
    answer = worker.play(
        world=place.world,
        agent=planner.agent,
        options=json.loads(planner.options),
        seed=place.seed,
        goals=sorted(goals(world, proof)),
        length=job.length,
    )
    outcome = _outcome(job, planner, worker.code, answer, proof)
    write_atomically(kept_at, _OUTCOME.dump_json(outcome, indent=1).decode() + "\n")
    return outcome


def _outcome(
    job: Job, planner: PlannerSpec, code: str, answer: dict[str, Any], proof: Any
) -> PlannerOutcome:
    place, world = job.map, load_world(job.map.world)
    played = Played(
        *(place.seed, 1, tuple(answer["actions"]), answer["unlocked"]),
        *(answer["reward"], answer["ended"]),
    )
    name = name_as_text(Path(place.world).stem)
    certificate = certify(played, world, name_as_text(place.world), planner.agent)
    sure = EpisodeResult(certificate, played.ended, proof).sure_goals
    missed = tuple(sorted(sure - set(played.unlocked)))
    return PlannerOutcome(
        "mars-logic planner outcome 1",
        *(planner.text, code, place.group, name, world.digest, place.seed),
        *(job.length, played.ended, played.actions, played.unlocked, played.reward, missed),
        None if missed else max((played.unlocked[name] for name in sure), default=0),
        failure(world, played) if missed else None,
        doing(answer["layers"], died=played.ended == "death") if missed else None,
        *(answer["milliseconds"], answer["slowest"], answer["slowest_replan"]),
    )


class _Worker:
    """A process of a planner's interpreter that plays one episode at a time."""

    def __init__(self, planner: PlannerSpec) -> None:
        self._planner = planner
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115
        self._process = subprocess.Popen(
            [planner.python, "-P", str(_WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            encoding="utf-8",
        )
        atexit.register(self.close)
        self.code: str = self._answer()["code"]

    def close(self) -> None:
        """End the process; a second call does nothing."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()
        self._errors.close()
        atexit.unregister(self.close)

    def play(self, **job: Any) -> dict[str, Any]:
        """The answer of ``planner_worker.py``; the process compiles before its first episode."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            self._errors.seek(0)
            wrong = " ".join(self._errors.read().strip().splitlines()[-1:])
            self.close()
            allowed = "one with mars-logic"
            raise _refusal(self._planner.text, f"its interpreter failed: {wrong}", allowed)
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            self.close()
            raise _refusal(self._planner.text, answer["error"])
        return answer


_workers: dict[PlannerSpec, _Worker] = {}


def _worker(planner: PlannerSpec) -> _Worker:
    """The process of a planner; each process of the pool has its own."""
    if planner not in _workers:
        _workers[planner] = _Worker(planner)
    return _workers[planner]
