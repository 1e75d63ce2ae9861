"""A learner of AMLGym in a process of its own, in a folder with ``domain.pddl`` and traces.

It writes ``model.pddl``, and prints the processor time it took. Learners write files beside them,
and start processes: so this is run in a folder of its own, and ended with all that it started.
"""

from __future__ import annotations

import json
import logging
import os
import resource
import sys
import time
import warnings
from pathlib import Path
from typing import Any


class _Errors(logging.Handler):
    """The errors that a learner logs, and does not raise."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.found.append(record.getMessage())


def main(
    learner: str,
    options: dict[str, Any],
    traces: int,
    steps: int,
    seed: int,
    limit: int,
    memory: int,
) -> None:
    """Learn in the current folder.

    Args:
        learner: Its name in AMLGym.
        options: Of its class.
        traces: Number of traces, for one that learns from these.
        steps: Actions, for one that acts.
        seed: Of its choices.
        limit: Seconds of processor time, after which the process is ended.
        memory: Most bytes of data, of each process.
    """
    from amlgym.algorithms import get_algorithm, registry
    from amlgym.algorithms.PassiveAlgorithmAdapter import PassiveAlgorithmAdapter
    from amlgym.util.util import empty_domain
    from unified_planning.io import PDDLReader
    from unified_planning.shortcuts import SequentialSimulator, get_environment

    warnings.simplefilter("ignore")
    errors = _Errors()
    logging.getLogger().addHandler(errors)
    get_environment().credits_stream = None
    empty = empty_domain("domain.pddl")
    start = time.process_time()
    last = int(start) + limit
    resource.setrlimit(resource.RLIMIT_CPU, (last, last + 1))
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    if issubclass(registry[learner.lower()], PassiveAlgorithmAdapter):
        paths = [f"{number}_traj" for number in range(traces)]
        model, used = get_algorithm(learner, **options).learn(empty, paths), steps
    else:
        problem = PDDLReader().parse_problem("domain.pddl", "problem.pddl")
        agent = get_algorithm(learner, input_domain_path=empty, **options)
        model, trace = agent.learn(SequentialSimulator(problem), max_steps=steps, seed=seed)
        used = len(trace.actions)
    if errors.found:  # it went on without a part of its work
        sys.exit(errors.found[0])
    Path("model.pddl").write_text(model, encoding="utf-8")
    took = os.times()  # planners and pools of processes are of it
    seconds = took.user + took.system + took.children_user + took.children_system - start
    print(json.dumps({"seconds": seconds, "transitions": used}))


if __name__ == "__main__":
    main(sys.argv[1], json.loads(sys.argv[2]), *map(int, sys.argv[3:]))
