"""The oracle agent on many maps of nine worlds, and of sampled ones: what it reaches, and why not.

Usage: python -m mars_logic.benchmarks.oracle --seeds 200 --clairvoyant --sampled 100

Every episode is kept in the folder as a certificate, with its outcome beside it; a run that was
interrupted goes on when it is started again. When all are played, oracle.json and README.md are
written there. A failure is an achievement that is reachable on its map, not by a finite chance
only, and was not unlocked. With --clairvoyant, an agent that may look ahead plays the episodes that
the oracle lost: where it reaches everything, the loss is bad play, else it is called bad luck.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

from mars_logic.cli.output import make_folder
from mars_logic.errors import InputError
from mars_logic.experiments import plots
from mars_logic.experiments.measurement.machine import machine
from mars_logic.system.files import write_atomically
from mars_logic.world.load import RELEASED_WORLDS

from .oracle_episodes import OracleJob, OracleOutcome, Who, played, warm_up
from .oracle_page import document, gap_chart, page
from .units import in_processes, sampled_worlds

SAMPLED_EPISODES = 2
"""Episodes in each sampled world."""
INTERRUPTED = 130


def main() -> int:
    """Play all that is not kept yet, and write the tables; return the exit status."""
    options = _options()
    facts = machine()  # before the work: the load is others', not ours
    episodes = options.out / "episodes"
    try:
        make_folder(episodes)
        seeds = range(options.first, options.first + options.seeds)
        places = [(name, name, seed) for name, seed in product(options.worlds, seeds)]
        places += _sampled(options.out / "worlds", options.sampled, options.first)
        jobs = [OracleJob("oracle", *place, episodes) for place in places]
        outcomes = _all(jobs, options.processes)
        if options.clairvoyant:
            outcomes += _all(_lost("clairvoyant", jobs, outcomes), options.processes)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted; the same command goes on", file=sys.stderr)
        return INTERRUPTED
    found = document(outcomes, facts)
    write_atomically(options.out / "oracle.json", json.dumps(found, indent=1) + "\n")
    if chart := gap_chart(outcomes):
        write_atomically(options.out / f"{chart.name}.png", plots.as_png(plots.chart(chart)))
    write_atomically(options.out / "README.md", page(found))
    print(page(found))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=20, help="episodes in each world")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument(
        "--worlds", nargs="*", default=RELEASED_WORLDS, help="by default nine bundled ones"
    )
    parser.add_argument("--sampled", type=int, default=0, help="also so many sampled worlds")
    parser.add_argument("--clairvoyant", action="store_true", help="judge what the oracle lost")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("results/oracle"), help="the folder")
    return parser.parse_args()


def _sampled(folder: Path, count: int, first: int) -> Iterator[tuple[str, str, int]]:
    """Sampled worlds, each with the seeds of its episodes; they are kept in a folder."""
    for number, file in enumerate(sampled_worlds(folder, count)):
        for i in range(SAMPLED_EPISODES):
            yield (
                "sampled",
                f"../{folder.name}/{file.name}",
                first + SAMPLED_EPISODES * number + i,
            )


def _lost(
    who: Who, jobs: Sequence[OracleJob], outcomes: Sequence[OracleOutcome]
) -> list[OracleJob]:
    """The jobs of episodes that were not completed, for someone else."""
    both = zip(jobs, outcomes, strict=True)
    return [
        OracleJob(who, job.group, job.world, job.seed, job.folder)
        for job, outcome in both
        if not outcome.complete
    ]


def _all(jobs: list[OracleJob], processes: int) -> list[OracleOutcome]:
    label = f"{jobs[0].who}, episodes" if jobs else ""
    return in_processes(played, jobs, processes, label, warm_up)


if __name__ == "__main__":
    sys.exit(main())
