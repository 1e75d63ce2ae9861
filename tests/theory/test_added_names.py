"""Evidence, checks and revisions in worlds that add names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mars_logic.data.recorder import Recorder
from mars_logic.sim import Scene, Simulator
from mars_logic.theory import check, revise
from mars_logic.theory.candidates import candidates
from mars_logic.theory.check import CheckReport
from mars_logic.theory.claims import Field
from mars_logic.theory.signatures import Eating, Held, Making
from mars_logic.world.adds import Adds
from mars_logic.world.load import parse_theory
from mars_logic.world.theory import World
from mars_logic.world.uncertain import UNKNOWN, Alternatives
from tests.theory.own_worlds import ADDS, DEFAULT, own_evidence, own_world
from tests.theory.test_check import by_hand, empty

SEEDS = range(4)
_HANGING_ON_OTHERS = ("uses", "yields", "nearby")
"""Fields that are narrowed given other fields, of which several values may be right."""
_MANY = Adds(
    tuple(replace(ADDS.materials[0], name=f"m{n}") for n in range(51)),
    tuple(f"i{n}" for n in range(48)),
    ("m49", "m50"),
    tuple(f"i{n}" for n in range(20, 46)),
    ("i46", "i47"),
)
"""As many names as there can be."""


def own_fields(world: World) -> list[Field]:
    """The fields of rules about added names."""
    names = (*world.adds.material_names, *world.adds.items)
    rules = (rule for rule in world.rules() if rule.subject in names)
    return [(rule.id, name) for rule in rules for name in rule.field_names()]


def value(theory: Any, field: Field) -> Any:
    return getattr(theory[field[0]], field[1])


@pytest.mark.parametrize("seed", SEEDS)
def test_true_rules_are_never_contradicted(seed: int) -> None:
    report = check(own_world(seed), own_evidence(seed))
    assert not report.conflicts
    supported = {each.id for each in report.rules if each.verdict == "supported"}
    assert {"walk.kiln", "make.pie", "place.kiln", "eat.pie"} <= supported


@pytest.mark.parametrize("seed", SEEDS)
def test_own_values_are_among_the_candidates(seed: int) -> None:
    world, seen = own_world(seed), own_evidence(seed)
    found = candidates(DEFAULT.adding(ADDS), seen, own_fields(world))
    assert [name for name in found if value(world, name) not in found[name]] == []


def test_wrong_rules_are_contradicted() -> None:
    world, seen = own_world(0), own_evidence(0)
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("walk.ore", {"walkable": not world.walk["ore"].walkable}),
        ("place.kiln", {"where": ["water"]}),
        ("eat.pie", {"food": -9 if world.eat["pie"].food >= 0 else 9}),
        ("eat.pie", {"leaves": "brick"}),
    ]
    for rule, fields in wrong:
        theory = world.with_rules(world[rule].with_fields(fields, world.vocabulary))
        conflicts = check(theory, seen).conflicts
        blamed = {each for conflict in conflicts for each in conflict.rules}
        assert rule in blamed, (rule, fields)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_a_belief_without_the_names_is_completed_and_revised(seed: int) -> None:
    world, seen = own_world(seed), own_evidence(seed)
    found = revise(DEFAULT, seen)
    assert found.theory.adds == ADDS and not found.unexplained
    assert not check(found.theory, seen, jointly=False).conflicts
    for field in own_fields(world):
        learned, true = value(found.theory, field), value(world, field)
        if isinstance(learned, Alternatives):
            assert true in learned.values or field[1] in _HANGING_ON_OTHERS, field
    learned = [value(found.theory, field) for field in own_fields(world)]
    assert sum(each is not UNKNOWN for each in learned) > 20


def test_names_have_no_meaning() -> None:
    """The same play of a renamed world says the same."""
    other = {"ore": "zinc", "kiln": "oven", "slime": "goo", "gem": "bead", "brick": "tile"}
    other |= {"hammer": "mallet", "pie": "tart"}

    def renamed(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(other[name] for name in names)

    materials = tuple(replace(each, name=other[each.name]) for each in ADDS.materials)
    parts = (ADDS.items, ADDS.placed, ADDS.made, ADDS.eaten)
    adds = Adds(materials, *map(renamed, parts))
    world = own_world(0)
    blank = DEFAULT.adding(adds)
    rules = []
    for rule in world.rules():
        data = _renamed(rule.model_dump(mode="json"), other)
        rules.append(type(rule).model_validate(data, context=blank.vocabulary))
    twin = World.from_rules("mars", rules, name=world.name, **(world.own | {"adds": adds}))
    seen, again = own_evidence(0), _evidence_of(twin)
    assert len(seen.rows) == len(again.rows) and (seen.rows["words"] == again.rows["words"]).all()
    assert _verdicts(check(twin, again)) == [
        (".".join(other.get(part, part) for part in rule.split(".")), verdict, count)
        for rule, verdict, count in _verdicts(check(world, seen))
    ]


def _renamed(data: Any, other: dict[str, str]) -> Any:
    if isinstance(data, dict):
        return {other.get(key, key): _renamed(each, other) for key, each in data.items()}
    if isinstance(data, list):
        return [_renamed(each, other) for each in data]
    return other.get(data, data) if isinstance(data, str) else data


def _evidence_of(world: World) -> Any:
    from mars_logic.theory import Evidence
    from mars_logic.theory.signatures import Start
    from tests.theory.own_worlds import own_play

    return Evidence.of(own_play(world), threads=1).without(Start)


def _verdicts(report: CheckReport) -> list[tuple[str, str, int]]:
    return [(each.id, each.verdict, each.consistent) for each in report.rules]


@pytest.mark.slow
def test_the_most_names_that_there_can_be() -> None:
    world, seen = own_world(0, _MANY), own_evidence(0, _MANY)
    report = check(world, seen)
    assert not report.conflicts
    assert report["eat.i47"].verdict == "supported" and report["make.i45"].consistent
    made = [each for each in seen.signatures if isinstance(each, Making)]
    assert any("m50" in each.nearby for each in made)
    assert all(len(each.held) == 60 and each.held.items[-1] == "i47" for each in made)


def test_eating_is_read_as_it_happened() -> None:
    words = DEFAULT.adding(ADDS).vocabulary
    world = own_world(0)
    rule = world.eat["pie"].with_fields({"food": 3, "drink": -1, "health": 2}, words)
    world = world.with_rules(rule)
    scene = empty(world).player(inventory={"pie": 2, "food": 4, "drink": 5, "health": 5})
    eat = words.actions.index("eat_pie")
    from mars_logic.theory import Evidence

    seen = Evidence.of([by_hand(world, eat, eat, eat, scene=scene)])
    eaten = [each for each in seen.signatures if isinstance(each, Eating)]
    assert [each.held.amount("pie") for each in eaten] == [2, 1]
    assert [each.held_after.amount("pie") for each in eaten] == [1, 0]
    assert [each.food for each in eaten] == [(3, 3), (2, 99)]
    assert [each.drink for each in eaten] == [(-1, -1), (-1, -1)]
    assert [(each.health.before, each.health.after) for each in eaten] == [(5, 7), (7, 9)]
    assert not check(world, seen).conflicts


def test_what_is_held_knows_its_items() -> None:
    import pickle

    held = next(s for s in own_evidence(0).signatures if isinstance(s, Making)).held
    again = pickle.loads(pickle.dumps(held))
    assert again == held and again.items == held.items and again.amount("nothing") == 0
    assert Held((1,) + (0,) * 11).amount("sapling") == 1


def test_the_void_around_a_drawing_does_not_hide_what_is_nearby() -> None:
    """At the edge of a drawing, the simulator counts what is nearby."""
    text = "base: default\nmap:\n  drawn: |\n    ...\n    @t.\n    ...\n"
    world = parse_theory(text, "edge.yaml")
    assert isinstance(world, World)
    simulator = Simulator(world)
    simulator.reset(0)
    scene = Scene(simulator.snapshot()).player(inventory={"wood": 5})
    recorder = Recorder(world, 0, agent="hand")
    simulator.restore(scene.snapshot())
    recorder.begin(simulator.observe())
    for _ in range(2):
        action = world.vocabulary.actions.index("make_wood_pickaxe")
        reward, done = simulator.step([action])
        recorder.note(action, float(reward[0]), (), bool(done[0]), simulator.observe())
    play = recorder.trajectory()
    assert play.views.inventory[-1, world.vocabulary.items.index("wood_pickaxe")] == 2
    assert not check(world, [play]).contradicted
