"""Whether checking can be trusted: true rules are never contradicted, and wrong ones are.

Usage: python -m mars_logic.benchmarks.verification --out docs/results/checking

In nine bundled worlds and in sampled ones, three agents play: one at random, one that tries things
out, and the oracle. The world's own rules are checked against all of it; then every world that
differs from it in one field. It counts as exercised where something that was done might have come
out otherwise by it, whether that is certain or a matter of chance. Besides, every claim about one
field is judged alone, with all other fields open. What was found in each world is kept in the
folder, so a run that was interrupted goes on when it is started again; in the end
verification.json and README.md are written there.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from mars_logic.cli.output import make_folder
from mars_logic.errors import InputError
from mars_logic.experiments.measurement.machine import machine
from mars_logic.play.agent import Agent, Episode, load_agent
from mars_logic.play.recording import record
from mars_logic.sim import Observation, Simulator
from mars_logic.system.files import write_atomically
from mars_logic.theory import Evidence, check, movement_model
from mars_logic.theory.claims import Field
from mars_logic.theory.rate_tests import LEVEL
from mars_logic.theory.signature_claims import signature_claims
from mars_logic.theory.signatures import Motion
from mars_logic.world import names
from mars_logic.world.field_values import domain
from mars_logic.world.load import RELEASED_WORLDS, load_world
from mars_logic.world.theory import Theory, World

from .exercised import exercises
from .units import in_processes, sampled_worlds
from .verification_alone import judged_alone
from .verification_page import page

INTERRUPTED = 130


@dataclass(frozen=True)
class VerificationJob:
    """A world to verify checking in.

    Attributes:
        group: Its name in the table; sampled worlds share one.
        world: Its name or file.
        transitions: How many to play, at least.
        oracle: How many episodes of these the oracle plays.
        kept: Where the result is kept.
    """

    group: str
    world: str
    transitions: int
    oracle: int
    kept: Path


@dataclass
class VerificationResult:
    """The results for a world.

    Attributes:
        group: As in the job.
        world: As in the job.
        transitions: How many were played, by agent.
        false: What contradicts the true rules, in words: it should be nothing.
        rates: How many stated probabilities were tested.
        detected: How many wrong values were contradicted, by field, such as ``collect.leaves``.
        exercised: How many could have been.
        missed: Wrong values that were not, with the reason.
        unseen: How many wrong values were not exercised.
        equal: How many would not be wrong: they change nothing that can be observed anywhere.
        alone: Claims about one field, judged with all others open.
    """

    group: str
    world: str
    transitions: dict[str, int] = field(default_factory=dict)
    false: list[str] = field(default_factory=list)
    rates: int = 0
    detected: dict[str, int] = field(default_factory=dict)
    exercised: dict[str, int] = field(default_factory=dict)
    missed: list[dict[str, Any]] = field(default_factory=list)
    unseen: int = 0
    equal: int = 0
    alone: dict[str, Any] = field(default_factory=dict)


class Curious:
    """Walks about and does things to whatever it meets; now and then anything else."""

    def begin(self, episode: Episode) -> None:
        """Prepare for an episode."""
        self._random = Random(episode.seed)

    def act(self, observation: Observation) -> int:  # noqa: ARG002
        """Choose an action."""
        chance = self._random.random()
        if chance < 0.45:
            return names.ACTIONS.index("do")
        return self._random.randrange(1, 5) if chance < 0.8 else self._random.randrange(17)

    def end(self, episode: Episode) -> None:
        """Nothing to keep."""


def verified(job: VerificationJob) -> VerificationResult:
    """The result of a job: kept, or found now."""
    if job.kept.exists():
        return VerificationResult(**json.loads(job.kept.read_text(encoding="utf-8")))
    world = load_world(job.world)
    result = VerificationResult(job.group, Path(job.world).stem)
    evidence = _played(world, job, result)
    report = check(world, evidence)
    result.false = [f"{', '.join(c.rules)}: {c.did}: {c.saw}" for c in report.conflicts]
    supported = {
        (rule.id, name): found.consistent
        for rule in report.rules
        for name, found in rule.fields.items()
    }
    result.rates = sum(len(rule.yields) + len(rule.spawns) for rule in world.collect.values())
    _mutate(world, evidence, supported, result)
    result.alone = asdict(judged_alone(world, evidence))
    write_atomically(job.kept, json.dumps(asdict(result), indent=1) + "\n")
    return result


def _played(world: World, job: VerificationJob, result: VerificationResult) -> Evidence:
    """Play: the oracle a few episodes, and the others half of the rest each."""
    simulator, evidence = Simulator(world), Evidence(world.dynamics)
    oracle, random = load_agent("oracle"), load_agent("random")

    def play(name: str, agent: Agent, seed: int) -> None:
        _, trajectory = record(agent, simulator, seed, agent_name=name)
        evidence.add(trajectory)
        result.transitions[name] = result.transitions.get(name, 0) + len(trajectory)

    for seed in range(job.oracle):
        play("oracle", oracle(), seed)
    seed = 0
    while sum(result.transitions.values()) < job.transitions:
        play("curious", Curious(), seed)
        play("random", random(), seed)
        seed += 1
    return evidence


def _mutate(
    world: World, evidence: Evidence, supported: dict[Field, int], result: VerificationResult
) -> None:
    """Check every world that differs in one field, by what was seen of that field's rule."""
    theory = Theory.from_world(world)
    parts, nothing = _by_rule(evidence), evidence.of_rows(evidence.rows[:0])
    for rule in world.rules():
        for name in rule.field_names():
            kind = f"{rule.family}.{name}"
            for value in domain(rule.id, name):
                if value == getattr(rule, name):
                    continue
                changed = type(rule).model_validate(rule.model_dump() | {name: value})
                wrong = theory.with_rules(changed)
                if wrong.digest == world.digest:
                    result.equal += 1
                    continue
                seen = parts.get(rule.id, nothing)
                detected = bool(check(wrong, seen).conflicts)
                if not detected and not exercises(seen, theory, changed, name):
                    result.unseen += 1
                    continue
                result.exercised[kind] = result.exercised.get(kind, 0) + 1
                if detected:
                    result.detected[kind] = result.detected.get(kind, 0) + 1
                else:
                    result.missed.append(
                        {
                            "field": f"{rule.id}.{name}",
                            "true": str(getattr(rule, name)),
                            "wrong": str(value),
                            "support": supported[rule.id, name],
                        }
                    )


def _by_rule(evidence: Evidence) -> dict[str, Evidence]:
    """For each rule: what was seen that may speak of it."""
    places: dict[str, list[int]] = {}
    for place, signature in enumerate(evidence.signatures):
        rules = {
            rule
            for claim in signature_claims(signature, evidence.dynamics)
            for rule, _ in claim.reads
        }
        if isinstance(signature, Motion):
            rules.add(f"creature.{signature.being}")
        if movement_model.tells_ground(signature, evidence.dynamics):
            rules |= {f"creature.{being}" for being in names.BEINGS}
        for rule in rules:
            places.setdefault(rule, []).append(place)
    return {rule: evidence.of_rows(evidence.rows[rows]) for rule, rows in places.items()}


# --- All worlds ---------------------------------------------------------------------------------


def main() -> int:
    """Verify in all worlds, and write the tables; return the exit status."""
    options = _options()
    facts = machine()
    kept = options.out / "worlds"
    try:
        make_folder(kept)
        jobs = [
            VerificationJob(name, name, options.transitions, options.oracle, kept / f"{name}.json")
            for name in RELEASED_WORLDS
        ]
        for file in sampled_worlds(options.out / "sampled", options.sampled):
            result = kept / f"{file.stem}.json"
            jobs.append(
                VerificationJob("sampled", str(file), options.transitions, options.oracle, result)
            )
        results = in_processes(verified, jobs, options.processes, "worlds")
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted; the same command goes on", file=sys.stderr)
        return INTERRUPTED
    document = {"schema": "mars-logic verification 1", "machine": facts, "level": LEVEL}
    document["results"] = [asdict(each) for each in results]
    write_atomically(options.out / "verification.json", json.dumps(document, indent=1) + "\n")
    write_atomically(options.out / "README.md", page(document))
    print(page(document))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--transitions", type=int, default=200_000, help="in each world")
    parser.add_argument("--oracle", type=int, default=3, help="episodes of the oracle in each")
    parser.add_argument("--sampled", type=int, default=50, help="so many sampled worlds")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("results/checking"), help="the folder")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
