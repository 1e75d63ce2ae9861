"""How well theories predict whole states: ``score --protocol``."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from mars_logic.cli.output import print_json, print_table, progress, say, say_wrong
from mars_logic.errors import InputError
from mars_logic.system.extras import install_hint
from mars_logic.world.known_names import require_no_traces

if TYPE_CHECKING:
    from mars_logic.experiments.state_ranking.ranking import StateMetrics
    from mars_logic.world.theory import Theory, World

_SCHEMA = "mars-logic state ranking 1"
_PACKAGE = "jsonpatch"


def require_jsonpatch(option: str) -> None:
    """Refuse the protocol where states cannot be compared.

    Raises:
        InputError: jsonpatch is not installed.
    """
    if find_spec(_PACKAGE) is None:
        message = f"the package '{_PACKAGE}' is not installed"
        raise InputError(f"{option}: {message}; allowed: first {install_hint('onelife')}")


def score_states(
    theory: Theory,
    truth: World,
    names: tuple[str, str],
    transitions: int,
    trials: int,
    *,
    as_json: bool,
) -> None:
    """Print how a theory ranks true next states.

    Args:
        theory: What is believed.
        truth: The true world.
        names: The names of both, as they were given.
        transitions: Of each scenario.
        trials: Of each transition.
        as_json: Whether to print JSON.

    Raises:
        InputError: A world adds names, or a package is missing.
    """
    require_jsonpatch("--protocol")
    require_no_traces(theory, "score", "the protocol")
    require_no_traces(truth, "score", "the protocol")
    from mars_logic.experiments.state_ranking.models import in_dialect
    from mars_logic.experiments.state_ranking.page import PUBLISHED
    from mars_logic.experiments.state_ranking.ranking import StateRankingTest

    if theory.dynamics != truth.dynamics:
        told = f"the theory is of the dialect {theory.dynamics}, the truth of {truth.dynamics}"
        say_wrong(
            f"warning: {names[0]}:1: dynamics: {told}: its rules are read as rules of the latter"
        )
    believed = in_dialect(theory, truth)
    if believed.adds != truth.adds:
        told = f"it has names that {names[1]} lacks"
        raise InputError(f"{names[0]}:1: adds: {told}; allowed: a theory of that world")
    test = StateRankingTest(truth, transitions, trials)
    with progress() as shown:
        bar = shown.add_task("scenarios", total=len(test.names))
        found = test.rank(believed, lambda _: shown.advance(bar))
    if as_json:
        about = {"schema": _SCHEMA, "protocol": "onelife", "theory": names[0], "truth": names[1]}
        print_json(about | found.to_json())
        return
    means = {name: each.mean for name, each in found.scenarios.items()}
    means["all scenarios"] = found.mean
    means |= {f"{name} (published, Crafter-OO)": mean for name, mean in PUBLISHED.items()}
    heads = ("scenario", "MRR", "Rank@1", "edit distance", "normalised")
    print_table(heads, ((name, *_cells(mean)) for name, mean in means.items()))
    if found.left_out:
        say(f"left out, since {names[1]} has no case of it: {', '.join(found.left_out)}")


def _cells(mean: StateMetrics) -> tuple[str, ...]:
    return (
        f"{mean.mrr:.3f}",
        f"{mean.rank_1:.1%}",
        f"{mean.raw:.2f}",
        f"{mean.normalised:.4f}",
    )
