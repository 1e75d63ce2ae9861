from __future__ import annotations

import clingo
import pytest

from mars_logic import load_world
from mars_logic.logic import map_facts
from mars_logic.logic.program import program
from mars_logic.logic.reachability_model import ReachabilityModel
from mars_logic.logic.solve import Session
from mars_logic.sim import generate_map
from mars_logic.system import resources
from tests.logic.mutants import mutant


def everything(reachability: ReachabilityModel) -> set[str]:
    """All that follows from the whole program, as the shell would have it."""
    control = clingo.Control(["--warn=none"])
    for name in reachability.programs:
        control.load(str(resources.folder("encodings") / name))
    control.add("base", [], reachability.facts)
    control.ground([("base", [])])
    found: set[str] = set()
    control.solve(on_model=lambda model: found.update(map(str, model.symbols(atoms=True))))
    return found


def told(reachability: ReachabilityModel, wanted: tuple[str, ...]) -> set[str]:
    levels = ("reach/levels.lp", "reach/luck.lp", "reach/optimistic.lp")
    model = reachability.session(*levels, wanted=wanted).solve(wanted, [])
    assert model is not None
    return {
        f"{name}({','.join(row)})" if row else name for name, rows in model.items() for row in rows
    }


@pytest.mark.parametrize("name", ["crafter", "task_dep", "terr_surv", "all_three"])
@pytest.mark.parametrize("wanted", [("unlock",), ("reach", "enter"), ("protected", "haunts")])
def test_what_is_left_out_does_not_matter(name: str, wanted: tuple[str, ...]) -> None:
    reachability = ReachabilityModel(load_world(name))
    expected = {atom for atom in everything(reachability) if atom.partition("(")[0] in wanted}
    assert told(reachability, wanted) == expected


def test_what_is_left_out_does_not_matter_on_a_map() -> None:
    world = load_world("terr_surv")
    found = generate_map(world, 2)
    reachability = ReachabilityModel(world, map_facts(found.materials, found.creatures))
    expected = {atom for atom in everything(reachability) if atom.startswith("unlock(")}
    assert told(reachability, ("unlock",)) == expected


@pytest.mark.parametrize("seed", range(12))
def test_what_is_left_out_does_not_matter_in_changed_worlds(seed: int) -> None:
    reachability = ReachabilityModel(mutant(seed))
    expected = {atom for atom in everything(reachability) if atom.startswith("unlock(")}
    assert told(reachability, ("unlock",)) == expected


def test_much_is_left_out() -> None:
    reachability = ReachabilityModel(load_world("default"))
    whole, _ = program(reachability.programs, reachability.facts)
    part, text = program(reachability.programs, reachability.facts, ["unlock"])
    assert len(part.statements) < len(whole.statements)
    assert "ripe_age(30)." in reachability.facts
    assert "ripe_age(30)." not in text
    assert {"lifted", "front"} & part.reads == set()


@pytest.mark.parametrize(
    ("text", "wanted", "kept"),
    [
        ("a(1).\nb(2).\n", ["a"], "a(1).\n"),
        ("a(1..3).\nb.\n", ["b"], "b.\n"),
        ("c :- a(1).\na(1).\nb(2).\n", ["c"], "c :- a(1).\na(1).\n"),
        ("1 { a(1..2) } 1 :- b.\nb.\nd.\n", ["a"], "1 { a(1..2) } 1 :- b.\nb.\n"),
        (":- a, not b(1).\na.\nb(1).\n", [], ":- a, not b(1).\na.\nb(1).\n"),
        ("a. b.\nc.\n", ["b"], "a. b.\n"),
    ],
)
def test_rules_stay_and_facts_that_they_read(text: str, wanted: list[str], kept: str) -> None:
    assert program((), text, wanted)[1] == kept


def test_choices_and_preferences_stay() -> None:
    reachability = ReachabilityModel(load_world("default"))
    part, _ = program([*reachability.programs, "explain/unsure.lp"], reachability.facts, ["trusts"])
    assert any(each.startswith("#minimize") for each in part.statements)
    assert {"wanted", "unlock", "doubt"} <= part.reads


def test_an_open_question_has_the_same_answer_whatever_is_left_out() -> None:
    text = (
        "{ a; b; c }.\n:- not a, not b.\n#minimize { 1, X : x(X) }.\nx(1) :- a.\nx(2) :- b.\nd.\n"
    )
    for wanted in (None, ("a", "b")):
        model = Session((), text, wanted=wanted).solve(["a", "b"], [])
        assert model is not None
        assert len(model["a"]) + len(model["b"]) == 1
