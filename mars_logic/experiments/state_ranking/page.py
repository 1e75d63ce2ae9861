"""The comparison with OneLife as data and as a page."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from mars_logic.experiments.cells import table
from mars_logic.experiments.state_ranking.models import RankingSpec, RankingUnit, UnitResult
from mars_logic.experiments.state_ranking.ranking import StateMetrics
from mars_logic.experiments.state_ranking.scenarios import scenarios

Results = Mapping[RankingUnit, UnitResult]
PUBLISHED: Final[Mapping[str, StateMetrics]] = {
    "OneLife": StateMetrics(0.479, 0.187, 8.76, 0.058),
    "OneLife's laws, inference of PoE-World": StateMetrics(0.351, 0.108, 10.6, 0.071),
    "WorldCoder": StateMetrics(0.264, 0.0, 27.2, 0.181),
    "random": StateMetrics(0.322, 0.085, 121.5, 0.809),
}
"""Published in Crafter-OO after one episode (arXiv 2510.12088; means over ten trials)."""
_HEAD: Final = ("model", "steps", "MRR", "Rank@1", "raw", "normalised")
_ABOUT: Final = """\
A model ranks the true next state of the game among its own sample and mutated states, by its
likelihood: *MRR* is the mean reciprocal rank of the true one, *Rank@1* how often it is first. *Raw*
is the number of JSON Patch operations that make the true state of the model's sample, *normalised*
the same by the number of the state's leaves. {transitions} transitions a scenario, {trials} trials,
scenarios of equal weight. Ranges are over {seeds} seeds of play; *steps* is the mean length of that
play. A model with *no prior* starts without rules, others from Crafter's; *passive* ones act at
random; *revised* is `revise` after one recorded episode of the oracle, a demonstration.
*Nothing known* shows what the game's constants alone predict.
"""
_DIFFERENCES: Final = """\
## What differs from the published setting

- **The simulator is given.** Theories know what all worlds of a dialect share: hunger, movement,
  daylight, how creatures act. OneLife learns code for all of this, so that the published numbers
  are not comparable with ours as they stand; compare with *nothing known*.
- **No language model** takes part. One has read about Crafter; a theory without a prior has not.
- **The scenarios** are written anew from the list of mechanics, in 9 × 9 cells as there. Our runs
  begin with random directions, times of day, needs and counters; theirs with one state.
- **What the player has** in a successful variant is what the true world's rule needs, and one item
  or station less in the other; a world without such a need has no such scenario.
- **Mutators** change the true next state; in the published code they change the state before, which
  leaves its clocks behind. Ours include an action without effect, without cost, and one that works
  although it should not.
- **The state** has no chunks and no events; hidden counters are included. A state has about 140
  leaves.
- **Likelihood**: {futures} simulated futures with random streams of the model's own (open fields:
  {worlds} worlds, in which unknown fields take any of their usual values); a factor's probability
  is its share, and the state's the product. The published truth repeats the true random stream;
  ours does not, so that chance lowers its row too.
- **Known without a prior**: what no world of the Mars paper varies has one usual value, Crafter's.
  These are what tools, stone and plants are made of, and where stone and stations are placed. Rows
  without a prior know it, *nothing known* included.
- **Not covered**: rules of map generation, and how a plan fares in the model.
"""


def page(
    found: Results, spec: RankingSpec, command: str, versions: Mapping[str, str], sizes: Any
) -> str:
    """The results as a page in Markdown.

    Args:
        found: Results of all units.
        spec: The comparison.
        command: How they were made.
        versions: Of the programs that took part.
        sizes: Numbers that the text states, by name.
    """
    numbers = {"transitions": spec.transitions, "trials": spec.trials, "seeds": len(spec.seeds)}
    parts = [
        f"# Predicting whole states: OneLife's protocol\n\nMade by `{command}`.\n",
        _ABOUT.format(**numbers),
    ]
    for world, models in _models(found).items():
        parts.append(f"## {world}\n")
        rows = [_row(model, runs) for model, runs in models.items()]
        if world == "crafter":
            rows += [_published(name, each) for name, each in PUBLISHED.items()]
        parts.append(table(_HEAD, rows))
        left_out = next(iter(models.values()))[0].ranking.left_out
        if left_out:
            parts.append(f"This world has no case of {', '.join(left_out)}.\n")
    parts.append(_DIFFERENCES.format(**sizes))
    for world, models in _models(found).items():
        parts.append(f"## Scenarios of {world}: MRR\n")
        parts.append(table(("scenario", *models), _scenario_rows(models)))
    told = ", ".join(f"{name} {version}" for name, version in versions.items())
    parts.append(f"Versions: {told}.\n")
    return "\n".join(parts)


def as_data(found: Results) -> list[dict[str, Any]]:
    """The results as plain data, a mapping for each unit."""
    return [
        {
            "world": unit.world,
            "model": unit.model,
            "seed": unit.seed,
            "steps": each.steps,
            **each.ranking.to_json(),
        }
        for unit, each in found.items()
    ]


def _models(found: Results) -> dict[str, dict[str, list[UnitResult]]]:
    """By world and model, the results of all seeds."""
    grouped: dict[str, dict[str, list[UnitResult]]] = {}
    for unit, each in found.items():
        grouped.setdefault(unit.world, {}).setdefault(unit.model, []).append(each)
    return grouped


def _row(model: str, runs: Sequence[UnitResult]) -> tuple[str, ...]:
    steps = statistics.fmean(run.steps for run in runs)
    means = [*zip(*(run.ranking.mean for run in runs), strict=True)]
    mrr, first, raw, normalised = means
    return (
        model,
        f"{steps:.0f}" if steps else "",
        _with_range(mrr, "{:.3f}"),
        _with_range(first, "{:.1%}"),
        _with_range(raw, "{:.2f}"),
        f"{statistics.fmean(normalised):.4f}",
    )


def _with_range(values: Sequence[float], form: str) -> str:
    mean = form.format(statistics.fmean(values))
    if len(values) == 1:
        return mean
    return f"{mean} ({form.format(min(values))}–{form.format(max(values))})"


def _published(name: str, each: StateMetrics) -> tuple[str, ...]:
    numbers = f"{each.mrr:.3f}", f"{each.rank_1:.1%}", f"{each.raw:g}", f"{each.normalised:.3f}"
    return (f"{name} (published)", "", *numbers)


def _scenario_rows(models: Mapping[str, Sequence[UnitResult]]) -> Iterable[tuple[str, ...]]:
    for name in scenarios():
        held = [[run.ranking.scenarios.get(name) for run in runs] for runs in models.values()]
        if all(held[0]):
            means = [statistics.fmean(each.mean.mrr for each in some if each) for some in held]
            yield name, *(f"{mean:.2f}" for mean in means)
