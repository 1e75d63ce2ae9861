"""What a learner finds out about worlds with rules of their own, by family of rules.

    python -m mars_logic.benchmarks.own_rules WORLD... [--seeds 2] [--episodes 5] [--length N]

Prints a table: of the facts that differ from Crafter's rules, how many there are, how many the
learner found, and how many false ones it claims; in the same words as ``mars-logic score``. When
interrupted, it prints the table of what was learned until then.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mars_logic.experiments.learned import learn
from mars_logic.experiments.tables import in_markdown
from mars_logic.system.display import percent
from mars_logic.theory.atoms import atoms, atoms_with_fields
from mars_logic.theory.score import Measure, compared
from mars_logic.world.load import load_world
from mars_logic.world.theory import Theory, World

HEADS = ("", "facts", "found", "not found", "wrong")


@dataclass(frozen=True)
class FamilyOutcome:
    """What was learned about one family of rules.

    Attributes:
        true: Facts that are true, and no rules of Crafter's.
        found: Those of them that are claimed.
        wrong: Facts claimed that are false.
    """

    true: int = 0
    found: int = 0
    wrong: int = 0

    def __add__(self, other: FamilyOutcome) -> FamilyOutcome:
        return FamilyOutcome(
            self.true + other.true, self.found + other.found, self.wrong + other.wrong
        )


def by_family(theory: Theory, world: World, prior: Theory) -> dict[str, FamilyOutcome]:
    """What a theory says of a world, by the family of the rules, in their order.

    Args:
        theory: What was learned.
        world: The truth.
        prior: What was believed at first; facts that it has are not counted as found.
    """
    asserted, true = compared(theory, world)
    families = {**_families(theory.most_likely()), **_families(world)}
    new = true - atoms(prior)
    counts = {
        "true": Counter(families[atom] for atom in new),
        "found": Counter(families[atom] for atom in new & asserted),
        "wrong": Counter(families[atom] for atom in asserted - true),
    }
    return {
        family: FamilyOutcome(**{name: count[family] for name, count in counts.items()})
        for family in dict.fromkeys(rule.family for rule in world.rules())
        if any(count[family] for count in counts.values())
    }


def _families(world: World) -> dict[str, str]:
    """By fact, the family of the rule that it is about."""
    return {atom: fields[0][0].partition(".")[0] for atom, fields in atoms_with_fields(world)}


def studied(
    worlds: Sequence[str], seeds: int, episodes: int, length: int | None
) -> Iterator[tuple[str, Measure, dict[str, FamilyOutcome]]]:
    """For each world and seed from 1 on: its name, the score of all rules, and the families."""
    for name in worlds:
        world = load_world(name)
        for seed in range(1, seeds + 1):
            learned = learn(world, episodes, seed=seed, length=length)
            found = by_family(learned.theory, world, learned.prior)
            yield Path(name).stem, learned.scores[-1].overall, found


def table(families: Mapping[str, FamilyOutcome]) -> str:
    """A table of families, with their sum."""
    rows = [*families.items(), ("all", sum(families.values(), FamilyOutcome()))]
    cells = [
        (family, str(one.true), str(one.found), str(one.true - one.found), str(one.wrong))
        for family, one in rows
    ]
    return in_markdown(HEADS, cells)


def together(outcomes: Iterable[Mapping[str, FamilyOutcome]]) -> dict[str, FamilyOutcome]:
    """The sums by family."""
    total: dict[str, FamilyOutcome] = {}
    for families in outcomes:
        for family, one in families.items():
            total[family] = total.get(family, FamilyOutcome()) + one
    return total


def main() -> None:
    """Learn, and print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("worlds", nargs="+", help="files of worlds")
    parser.add_argument("--seeds", type=int, default=2, help="learners in each world")
    parser.add_argument("--episodes", type=int, default=5, help="episodes of learning")
    parser.add_argument("--length", type=int, help="steps after which an episode ends")
    options = parser.parse_args()
    found: dict[str, list[dict[str, FamilyOutcome]]] = {}
    with suppress(KeyboardInterrupt):
        for name, score, families in studied(
            options.worlds, options.seeds, options.episodes, options.length
        ):
            shares = f"precision {percent(score.precision)}, recall {percent(score.recall)}"
            print(f"{name}: {shares}", flush=True)
            found.setdefault(name, []).append(families)
    for name, outcomes in found.items():
        print(f"\n{name}\n\n{table(together(outcomes))}")
    if len(found) > 1:
        every = (each for outcomes in found.values() for each in outcomes)
        print(f"\nall worlds\n\n{table(together(every))}")


if __name__ == "__main__":
    main()
