"""What a learner found, counted by family of rules."""

from __future__ import annotations

from mars_logic import load_world
from mars_logic.benchmarks.own_rules import FamilyOutcome, by_family, table, together
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import UNKNOWN
from tests.paths import REPOSITORY

WINTER = load_world(REPOSITORY / "worlds" / "gallery" / "winter.yaml")
PRIOR = Theory.unknown("mars", WINTER.adds)


def test_the_truth_has_all_facts_and_an_unknown_theory_none() -> None:
    full = by_family(WINTER, WINTER, PRIOR)
    assert {"walk", "make", "behaviour", "hunt", "need"} <= {*full}
    assert all(one.found == one.true and not one.wrong for one in full.values())
    none = by_family(PRIOR, WINTER, PRIOR)
    assert all(not one.found and not one.wrong for one in none.values())


def test_what_the_prior_knows_is_not_counted() -> None:
    assert by_family(WINTER, WINTER, WINTER) == {}


def test_false_and_missing_facts_are_told_apart() -> None:
    coat = WINTER["make.coat"].with_fields({"uses": {"pelt": 1}}, WINTER.vocabulary)
    found = by_family(WINTER.with_rules(coat), WINTER, PRIOR)["make"]
    true = by_family(WINTER, WINTER, PRIOR)["make"].true
    assert found == FamilyOutcome(true, true - 1, 1)
    open_ = coat.model_copy(update={"uses": UNKNOWN})
    theory = Theory.from_world(WINTER).with_rules(open_)
    assert by_family(theory, WINTER, PRIOR)["make"] == FamilyOutcome(true, true - 1, 0)


def test_the_table_has_a_line_for_each_family_and_their_sum() -> None:
    one, other = (
        {"make": FamilyOutcome(3, 2, 1)},
        {"make": FamilyOutcome(1), "eat": FamilyOutcome(2)},
    )
    lines = table(together([one, other])).splitlines()
    assert lines[2:] == [
        "| make | 4 | 2 | 2 | 1 |",
        "| eat | 2 | 0 | 2 | 0 |",
        "| all | 6 | 2 | 4 | 1 |",
    ]
