"""The results of the benchmark ``sight`` as a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from mars_logic.experiments.tables import in_markdown

FULL = 10
"""Learners in each world of a full run."""
_NOTES = """\
Each cell: mean reward; share of episodes that unlocked everything that is proved reachable on the
map, without achievements that depend on a limited number of random tries; share that died before
that. All rows of a column were played on the same maps. The first row is the oracle, the third the
informed agent, and the last the learner, judged after learning. *learned rules* are those that the
learner believes then; where it leaves a field open, the first two of its rows take the likeliest
value. *whole terrain, things in view*: all materials are known, creatures and plants as the learner
knows them. A unit is a learner with its maps of evaluation, so episodes of one unit are not
independent.
"""


def page(found: dict[str, Any], command: str) -> str:
    """The results as a page in Markdown.

    Args:
        found: The document.
        command: How it was made.
    """
    facts = ", ".join(f"{name} {fact}" for name, fact in found["machine"].items())
    worlds = [*found["units"]]
    size = ", ".join(
        f"{world}: {units} units, {_episodes(found, world)} episodes a cell"
        for world, units in found["units"].items()
    )
    few = min(found["units"].values()) < FULL
    reduced = f"**A reduced run**: fewer than {FULL} learners in a world.\n" if few else ""
    lengths = "".join(f" Episodes ended after {n:,} steps." for n in found["lengths"])
    table = in_markdown(("rules", "sight", *worlds), (_row(row, worlds) for row in found["rows"]))
    return "\n".join(
        [
            "# Sight and knowledge\n",
            f"Made by `{command}`.\n",
            *filter(None, [reduced]),
            table,
            f"{_NOTES}\nLearning took {found['lessons']} episodes. {size}.{lengths}\n",
            "## Failures\n",
            in_markdown(("rules", "sight", "failure", "doing", "episodes"), _failures(found)),
            f"## Machine\n\n{facts}.\n",
        ]
    )


def _episodes(found: dict[str, Any], world: str) -> int:
    number: int = found["rows"][0]["worlds"][world]["episodes"]
    return number


def _row(row: dict[str, Any], worlds: list[str]) -> tuple[str, ...]:
    return (row["rules"], row["sight"], *(_cell(row["worlds"][world]) for world in worlds))


def _cell(cell: dict[str, Any]) -> str:
    complete, died = (cell[name] / cell["episodes"] for name in ("complete", "died"))
    return f"{cell['reward']:.1f}; {complete:.0%}; {died:.0%}"


def _failures(found: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """Of each row, in all worlds together, the most frequent first."""
    for row in found["rows"]:
        counts = Counter[tuple[str, str]]()
        for cell in row["worlds"].values():
            for each in cell["failures"]:
                counts[each["failure"], each["doing"]] += each["episodes"]
        for (what, where), number in counts.most_common():
            yield row["rules"], row["sight"], what, where, str(number)
