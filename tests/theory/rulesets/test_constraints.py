"""Hypotheses as logic programs over transitions."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.errors import InputError
from mars_logic.system import resources
from mars_logic.theory.rulesets.constraints import Judged, read_program, run
from mars_logic.theory.rulesets.transitions import Transitions
from mars_logic.theory.rulesets.vocabulary import ARITY
from mars_logic.world import names
from tests.theory.play import play

TRUTH = load_world("default")
PLAY = play(TRUTH, range(5))
DO = names.ACTIONS.index("do")


def judge(text: str) -> dict[str, Judged]:
    return {each.constraint.id: each for each in run(read_program(text, "rules.lp"), PLAY)}


def test_the_page_describes_just_the_predicates_that_there_are() -> None:
    text = (resources.folder("encodings") / "facts/transitions.lp").read_text(encoding="utf-8")
    declared = re.findall(r"^#defined (\w+)/(\d)\.$", text, re.MULTILINE)
    assert {name: int(arity) for name, arity in declared} == ARITY


def test_counts_are_those_of_the_record() -> None:
    found = judge(
        """
        violated("trees give no wood") :- did(T, do), faces(T, tree), gained(T, wood, N), N > 0.
        applicable("trees give no wood", T) :- did(T, do), faces(T, tree).
        """
    )["trees give no wood"]
    tried = came = 0
    for trajectory in PLAY:
        facing = trajectory.before.facing.astype(int)
        rows = np.arange(len(trajectory))
        ahead = trajectory.before.materials[rows, 4 + facing[:, 0], 3 + facing[:, 1]]
        on = trajectory.before.objects[rows, 4 + facing[:, 0], 3 + facing[:, 1]]
        asleep = trajectory.before.sleeping & (trajectory.before.inventory[:, 3] < 9)
        tree = names.MATERIALS.index("tree")
        trying = (trajectory.action == DO) & (ahead == tree) & (on == 0) & ~asleep
        wood = names.ITEMS.index("wood")
        gained = trajectory.after.inventory[:, wood] > trajectory.before.inventory[:, wood]
        tried, came = tried + trying.sum(), came + (trying & gained).sum()
    assert found.applicable == tried >= came > 0  # nine wood is the most
    assert sum(group.count for group in found.violations) == came
    first = found.violations[0].first
    assert any(first.source == trajectory.about.world for trajectory in PLAY)


def test_programs_about_added_names() -> None:
    world = load_world(resources.folder("worlds") / "gallery" / "copper.yaml")
    seen = play(world, range(4))
    about = seen[0].about.words
    text = """
        violated("copper ore stays") :- faces(T, copper), becomes(T, path), gained(T, copper, N).
        violated("stands") :- near(T, copper), did(T, place_kiln), before(T, copper, 0), moved(T).
        applicable("stands", T) :- sees(T, copper).
        violated("never made") :- unlocked(T, make_copper_pickaxe).
    """
    found = {each.constraint.id: each for each in run(read_program(text, "r.lp", about), seen)}
    copper = about.materials.index("copper")
    visible = sum(int((each.before.materials == copper).any((1, 2)).sum()) for each in seen)
    assert found["stands"].applicable == visible > 0
    with pytest.raises(InputError, match="copper is unknown"):
        read_program(text, "r.lp")


def test_silence_is_told_from_support() -> None:
    found = judge(
        """
        violated("silent") :- did(T, noop), moved(T).
        violated("supported") :- did(T, noop), moved(T).
        applicable("supported", T) :- did(T, noop).
        violated("untested") :- did(T, noop), unlocked(T, eat_plant).
        applicable("untested", T) :- unlocked(T, eat_plant).
        """
    )
    assert [found[name].applicable for name in ("silent", "untested")] == [None, 0]
    applicable = found["supported"].applicable
    assert applicable and not any(each.violations for each in found.values())


@pytest.mark.slow
def test_the_transition_is_found_behind_other_predicates() -> None:
    found = judge(
        """
        hit(M, T) :- did(T, do), faces(T, M).
        felled(T) :- hit(tree, T), gained(T, wood, _).
        violated(never) :- felled(T).
        violated(named, T) :- felled(T).
        violated(ever(I)) :- gained(T, I, _), I != health.
        """
    )
    assert found["never"].violations == found["named"].violations != ()
    assert (
        "ever(wood)" in found and found["never"].constraint.text == "violated(never) :- felled(T)."
    )


@pytest.mark.slow
def test_a_rule_on_the_record_as_a_whole() -> None:
    found = judge('violated("few") :- 1 #count { T : did(T, do) }.')["few"]
    assert found.everywhere and found.violations == ()


def test_every_predicate_tells_something_true() -> None:
    transitions = Transitions(dict.fromkeys(ARITY))
    for trajectory in PLAY[:2]:
        transitions.add(trajectory)
    assert sum(group.count for group in transitions.groups) == sum(map(len, PLAY[:2]))
    told = Counter(fact.partition("(")[0] for fact in transitions.facts)
    seen = set(ARITY) - {"threat", "need", "ends"}
    assert seen <= set(told) and told["transition"] == len(transitions.groups) == told["did"]
    for fluent in (*names.ITEMS, "sleeping", "daylight", "ground", "facing"):
        number = sum(f",{fluent}," in fact for fact in transitions.facts if "before" in fact)
        assert number == len(transitions.groups)


def test_only_what_is_asked_for_tells_transitions_apart() -> None:
    few = Transitions({"did": None})
    for trajectory in PLAY:
        few.add(trajectory)
    assert len(few.groups) <= 17 and len(few.facts) == 2 * len(few.groups)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\nviolated(x :- a.", "rules.lp:2: program"),
        ("a.\n\nviolated(x) :- not did(T, do).", "rules.lp:3: program: .*unsafe"),
        ("#script (python)\nx = 1\n#end.", "a script is not allowed"),
        ("#external a.", "an external atom is not allowed"),
        ("#program step(t).", "a part of its own is not allowed"),
        ("{ a }. violated(x) :- a, did(T, do).", "several models"),
        ("violated(x) :- moved(T). :- did(T, A).", "no model"),
        ("\nviolated(x) :- didd(T, do).", "rules.lp:2: .*derives didd/2, did you mean 'did'"),
        ("violated(x) :- gained(T, wood).", "derives gained/2; allowed: gained/3"),
        ("violated(x) :- p(T), moved(T). p(T, 1) :- moved(T).", "derives p/1; allowed: p/2"),
        ("violated(x) :- did(T, dance).", "did: dance is unknown; allowed: noop, "),
        ('violated(x) :- did(T, "do").', "did: \"do\" is unknown, did you mean 'do'"),
        ("violated(x) :- faces(T, (tree; stoen)).", "stoen is unknown, did you mean 'stone'"),
        ("violated(x) :- before(T, hunger, 1).", "before: hunger is unknown; allowed: health, "),
        ("p(T) :- did(T, do).", "nothing derives violated"),
        ("near(T, tree) :- did(T, do). violated(x) :- near(T, tree).", "near is what was seen"),
        ("violated(x, 99999) :- did(T, do).", "violated: there is no transition 99999"),
        ("violated(x, -1) :- did(T, do).", "violated: there is no transition -1"),
        ("applicable(x, 0..9999). violated(x, 0) :- did(T, do).", "there is no transition"),
        ("violated(x, do) :- did(T, do).", "violated: 'do' is no transition"),
        ("#script (python)\n#end.", "rules.lp:1: program: a script is not allowed"),
        (f"violated(x) :- p(X), X = {'+'.join(['1'] * 100_000)}. p(1).", "nested too deeply"),
        ("a.\n" * 6_000, "it has 6,000 statements; allowed: at most 5,000"),
        ("p(1..100000000). violated(x) :- p(A), did(T, do).", "more than"),
    ],
)
def test_bad_programs_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        run(read_program(text, "rules.lp"), PLAY[:1], megabytes=64, seconds=20)


def test_programs_may_define_names_of_their_own() -> None:
    found = judge(
        """
        #const deed = do.
        #defined never/1.
        tried(T, A) :- did(T, A).
        { odd(A) : did(T, A) } 0.
        seen(A) : chose(T, A) :- odd(A).
        violated(own) :- did(T, deed), tried(T, deed), not never(T), not odd(do).
        """
    )
    assert found["own"].violations


def test_no_file_is_included(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(str(tmp_path))
    with open("secret.lp", "w", encoding="utf-8") as file:  # noqa: PTH123
        file.write("a.")
    with pytest.raises(InputError, match="a file is included"):
        read_program('#include "secret.lp".', "rules.lp")


def test_names_that_are_nested_deeply_are_no_danger() -> None:
    found = judge("p(0, a). p(N+1, f(X)) :- p(N, X), N < 5000. violated(X) :- p(5000, X).")
    (deep,) = found.values()
    assert deep.everywhere and deep.constraint.id.count("f(") == 5000
