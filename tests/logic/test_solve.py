"""Sessions of clingo: what is read of a model, and what is excluded."""

from __future__ import annotations

import pytest

from mars_logic import load_world
from mars_logic.logic.reachability_model import OPTIMISTIC, ReachabilityModel
from mars_logic.logic.solve import Assumption, Relations, Session

NESTED = """
p(1..%s). q. r(f(a, g(b, -1)), (c, d), 2). r(x, (h(y),), 3). { s(1..3) }. :- not s(2). last(1).
#minimize { 1, X : s(X) }.
"""


@pytest.mark.parametrize("many", [1, 94, 199, 200, 201, 1000])
def test_every_atom_of_a_model_is_read(many: int) -> None:
    found = Session([], NESTED % many).relations([])
    assert found is not None
    assert found["p"] == [(str(n),) for n in range(1, many + 1)]
    assert found["q"] == [()]
    assert set(found["r"]) == {("f(a,g(b,-1))", "(c,d)", "2"), ("x", "(h(y),)", "3")}
    assert (found["s"], found["last"], found["nothing"]) == ([("2",)], [("1",)], [])


def test_relations_are_those_that_are_read_one_by_one() -> None:
    reachability = ReachabilityModel(load_world("all_three"))
    session = reachability._session
    names = {*session._shown}
    one_by_one = session.solve(names, reachability._aims((), None))
    together: Relations = reachability.relations
    assert one_by_one is not None and len(names) > 50
    partly = {"enter", "found", "reach", "laid"}  # at some levels, or of one arity
    for name in partly:
        assert together[name] and {*together[name]} < {*one_by_one[name]}
    assert all(together[name] == one_by_one[name] for name in names - partly)
    assert {row[0] for row in together["reach"]} == {OPTIMISTIC}
    with pytest.raises(KeyError, match="arrive is not shown"):
        together["arrive"]


def test_what_is_excluded_is_not_found_again() -> None:
    session = Session([], "1 { s(1..3) } 1. #minimize { X : s(X) }.")
    assert session.solve(["s"], []) == {"s": [("1",)]}
    session.exclude([Assumption("s", ("1",), True), Assumption("s", ("9",), False)])
    assert session.solve(["s"], []) == {"s": [("2",)]}
    session.exclude([Assumption("s", ("9",), True)])
    assert session.solve(["s"], []) == {"s": [("2",)]}
    assert session.solve(["s"], [Assumption("s", ("9",), True)]) is None
