from __future__ import annotations

from itertools import product
from random import Random

import pytest

from mars_logic.logic.lexicographic import Lexicographic
from mars_logic.logic.solve import LimitReachedError

ATOMS = 9


def random_clauses(random: Random) -> list[list[int]]:
    return [
        [random.choice([1, -1]) * atom for atom in random.sample(range(1, ATOMS + 1), 3)]
        for _ in range(random.randint(10, 36))
    ]


def session(clauses: list[list[int]]) -> tuple[Lexicographic, dict[int, int]]:
    """A session whose models satisfy some clauses, and what it calls their atoms."""
    rules = [
        ":- " + ", ".join(f"not x({atom})" if atom > 0 else f"x({-atom})" for atom in clause) + "."
        for clause in clauses
    ]
    made = Lexicographic((), "\n".join((f"{{ x(1..{ATOMS}) }}.", *rules)))
    return made, {int(row[0]): literal for row, literal in made.literals("x")}


def best(clauses: list[list[int]], order: list[int], given: list[int]) -> list[int] | None:
    """By looking at all valuations."""
    found = [
        values
        for held in product([True, False], repeat=ATOMS)
        for values in (dict(enumerate(held, start=1)),)
        if all(any(values[abs(a)] == (a > 0) for a in clause) for clause in clauses)
        and all(values[abs(a)] == (a > 0) for a in given)
    ]
    if not found:
        return None
    first = max(found, key=lambda values: [values[atom] for atom in order])
    return [atom for atom in order if first[atom]]


@pytest.mark.parametrize("seed", range(25))
def test_no_wish_is_given_up_for_later_ones(seed: int) -> None:
    """Nor does it matter what was asked before."""
    random = Random(seed)
    clauses = random_clauses(random)
    asked, names = session(clauses)
    for _ in range(8):
        order = random.sample(range(1, ATOMS + 1), random.randint(1, ATOMS))
        given = [random.choice([1, -1]) * atom for atom in random.sample(range(1, ATOMS + 1), 2)]
        literals = [names[abs(atom)] * (1 if atom > 0 else -1) for atom in given]
        found = asked.first([names[atom] for atom in order], literals)
        wanted = best(clauses, order, given)
        assert found == (None if wanted is None else [names[atom] for atom in wanted])
        assert asked.satisfiable(literals) == (wanted is not None)


def test_the_search_has_a_limit() -> None:
    pigeons = "{ in(P, H) : H = 1..8 } = 1 :- P = 1..9.\n:- in(P, H), in(Q, H), P < Q.\n"
    asked = Lexicographic((), pigeons, conflicts=10)
    with pytest.raises(LimitReachedError):
        asked.first([literal for _, literal in asked.literals("in")], [])
