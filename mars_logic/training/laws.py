"""The laws that reward a training run: learned, true, as printed in the paper, or shuffled."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Final

from mars_logic.errors import InputError
from mars_logic.theory.action_models import Clause, Predicates, clauses, learn, read
from mars_logic.theory.action_models.paper_rewards import paper_rewards
from mars_logic.world.theory import World

Clauses = dict[str, list[Clause]]
TRUE: Final = "true"
PRINTED: Final = "printed"


def clauses_of(sources: Sequence[str], world: World, shuffled: int | None) -> Clauses | None:
    """The clauses of some laws; None for the true ones, which the simulator evaluates.

    Args:
        sources: ``true``, ``printed``, or files and folders of records.
        world: Where they are to reward.
        shuffled: The seed by which each achievement gets the clauses of another one, if any.

    Raises:
        InputError: A file is missing or wrong, the records are of another dialect, or what is
            asked for does not go together.
    """
    if TRUE in sources or PRINTED in sources:
        if len(sources) > 1:
            raise InputError("--laws: more than one source; allowed: true or printed alone")
        if sources[0] == TRUE:
            if shuffled is not None:
                raise InputError(
                    "--shuffle-laws: true laws cannot be shuffled; allowed: with learned laws"
                )
            return None
        printed = paper_rewards(world.dynamics)
        return _shuffled({goal: each.clauses for goal, each in printed.items()}, shuffled)
    found = learn(read([Path(each) for each in sources]))
    if found.dynamics != world.dynamics:
        raise InputError(
            f"{sources[0]}:1: dynamics: these laws are of the dialect {found.dynamics}; "
            f"allowed: {world.dynamics}, that of the world '{world.name}'"
        )
    return _shuffled(clauses(found), shuffled)


def _shuffled(found: Clauses, seed: int | None) -> Clauses:
    if seed is None:
        return found
    goals = list(found)
    dealt = goals.copy()
    Random(seed).shuffle(dealt)
    return {goal: found[other] for goal, other in zip(goals, dealt, strict=True)}


def digest(found: Clauses | None) -> str:
    """A digest of clauses, by which the same laws are told from others."""
    plain = None
    if found is not None:
        plain = {
            goal: [[sorted(each.targets), dict(each.needs), each.occupied] for each in every]
            for goal, every in found.items()
        }
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:16]


def predicates_of(found: Clauses | None) -> Predicates | None:
    """The compiled clauses; None for the true laws."""
    return None if found is None else Predicates(found)
