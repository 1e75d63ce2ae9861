"""Checking: the truth is never contradicted, and what is wrong is found and blamed."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic import bundled_worlds, load_world
from mars_logic.data import Recorder, Trajectory, from_crafter
from mars_logic.errors import InputError
from mars_logic.play.agent import Episode
from mars_logic.sim import Scene, Simulator
from mars_logic.theory import CheckReport, Evidence, check
from mars_logic.theory.rate_tests import LEVEL, Rate, log_evidence
from mars_logic.theory.signatures import Start
from mars_logic.world import names
from mars_logic.world.rules import Collect, Creature, Drink, Make, Place, Walk
from mars_logic.world.theory import Theory, World
from mars_logic.world.uncertain import UNKNOWN, Alternatives
from tests.theory.play import Busy, evidence, play
from tests.theory.worlds import fields, random_world, with_field, wrong_values

DEFAULT = load_world("default")
TRUTH = load_world("all_three")
DO, SLEEP, PLACE_TABLE, MAKE_WOOD_PICKAXE = (
    names.ACTIONS.index(name) for name in ("do", "sleep", "place_table", "make_wood_pickaxe")
)


# --- The truth ----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", bundled_worlds())
def test_the_truth_is_never_contradicted(name: str) -> None:
    for seen in (evidence(name, 40), evidence(name, 10, random=True)):
        report = check(load_world(name), seen)
        assert report.conflicts == ()
        assert report.transitions > 800


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**30))
def test_the_truth_of_any_world_is_never_contradicted(seed: int) -> None:
    world = random_world(seed)
    assert check(world, play(world, range(seed, seed + 2))).conflicts == ()


def test_the_original_game_contradicts_none_of_its_rules() -> None:
    """Play that our simulator did not produce: PyPI crafter's."""
    crafter = pytest.importorskip("crafter")
    trajectories = []
    for seed in (1, 2, 3):
        agent = Busy()
        agent.begin(Episode(seed, "crafter", 600))
        env = crafter.Env(seed=seed, length=600)
        trajectories.append(from_crafter(env, agent.act, agent="busy"))
    report = check(load_world("crafter"), trajectories)
    assert report.conflicts == () and report.transitions > 400
    assert sum(finding.consistent > 0 for finding in report.rules) >= 12


# --- What is wrong ------------------------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.sampled_from(bundled_worlds()), st.integers(0, 2**30))
def test_every_conflict_names_something_wrong(name: str, seed: int) -> None:
    truth, random = load_world(name), Random(seed)
    theory, wrong = Theory.from_world(truth), set()
    for field in random.sample(fields(truth), 12):
        if values := wrong_values(truth, field):
            theory = with_field(theory, field, random.choice(values))
            wrong.add(field)
    for conflict in check(theory, evidence(name)).conflicts:
        assert wrong & set(conflict.fields)
        assert conflict.did and conflict.saw and conflict.count > 0


WRONG = [
    ("neighbour.player", "material", "sand"),
    ("walk.diamond", "walkable", False),
    ("walk.path", "walkable", True),
    ("walk.sand", "health", 0),
    ("walk.grass", "health", 1),
    ("walk.water", "deadly", False),
    ("creature.cow", "shoots", False),
    ("collect.iron", "requires", {"stone_pickaxe": 1}),
    ("collect.stone", "requires", {"wood_pickaxe": 1}),
    ("collect.grass", "requires", {}),
    ("collect.stone", "yields", {"wood": 1}),
    ("collect.stone", "leaves", "path"),
    ("collect.iron", "leaves", "path"),
    ("collect.iron", "collectable", False),
]


@pytest.mark.parametrize(("rule", "name", "value"), WRONG, ids=[f"{r}.{n}" for r, n, _ in WRONG])
def test_a_wrong_rule_is_found(rule: str, name: str, value: object) -> None:
    report = check(with_field(TRUTH, (rule, name), value), evidence("all_three"))
    assert report.contradicted
    expected = "undecided" if rule == "neighbour.player" else "contradicted"
    assert report[rule].verdict == report[rule].verdict_on(name) == expected
    assert {f.id for f in report.rules if f.verdict == "contradicted"} <= {rule}
    told = str(report).splitlines()
    assert expected in told[0] and f"{report.transitions} transitions" in told[0]
    assert any(line.startswith(f"{rule}: {expected}: ") for line in told)
    assert any(line.startswith("  but ") for line in told)
    assert len(repr(report)) < 120


@pytest.mark.slow
def test_most_wrong_values_of_what_is_supported_are_found() -> None:
    """What remains was never put to the test: an item that was never held, say."""
    seen = evidence("terr_surv", 20)
    truth = load_world("terr_surv")
    report = check(truth, seen)
    found: dict[bool, int] = {True: 0, False: 0}
    for field in fields(truth):
        if report[field[0]].fields[field[1]].consistent:
            for value in wrong_values(truth, field)[:4]:
                found[check(with_field(truth, field, value), seen).contradicted] += 1
    assert found[True] > 2 * found[False]


def test_a_report_in_detail() -> None:
    wrong = with_field(TRUTH, ("collect.iron", "requires"), {"stone_pickaxe": 1})
    report = check(wrong, evidence("all_three"))
    finding = report["collect.iron"]
    (conflict,) = {c.did: c for c in finding.conflicts}.values()
    assert conflict.fields == (("collect.iron", "requires"),)
    assert conflict.did == "collecting from iron holding nothing"
    assert conflict.saw == "+1 iron, tree in its place"
    assert str(conflict.where) == "all_three step 106"
    assert finding.text.startswith("Collecting from iron needs a stone pickaxe")
    assert report["make.iron_sword"].fields["gives"].consistent == 0
    with pytest.raises(KeyError):
        report["make.nothing"]


# --- What is left open --------------------------------------------------------------------------


def test_what_is_unknown_is_not_judged() -> None:
    stone = TRUTH["collect.stone"]
    unknown = dict.fromkeys(stone.field_names(), UNKNOWN)
    theory = Theory.from_world(TRUTH).with_rules(
        type(stone).model_validate({"subject": "stone"} | unknown)
    )
    report = check(theory, evidence("all_three"))
    assert not report.contradicted and report["collect.stone"].verdict == "untested"


def test_alternatives_are_judged_as_one_claim() -> None:
    def verdict(*leaves: str) -> str:
        options = Alternatives.of((name, 1.0) for name in leaves)
        theory = with_field(Theory.from_world(TRUTH), ("collect.stone", "leaves"), options)
        return check(theory, evidence("all_three"))["collect.stone"].verdict_on("leaves")

    assert verdict("path", "sand") == "supported"
    assert verdict("path", "grass") == "contradicted"


def test_a_joint_effect_is_blamed_on_no_one_alone() -> None:
    """Drinking gives 2 in default: 1 by the drink's effect, 1 by the yield."""
    world = DEFAULT.with_rules(Drink(subject="water", drink=3))
    seen = shown(scene_at_water(DEFAULT))
    report = check(world, seen)
    assert report["drink.water"].verdict == report["collect.water"].verdict == "undecided"
    assert not check(DEFAULT, seen).contradicted
    other = DEFAULT.with_rules(
        Drink(subject="water", drink=0), Collect(subject="water", yields={"drink": 2})
    )
    assert not check(other, seen).contradicted, "only the sum can be seen"


# --- By hand ------------------------------------------------------------------------------------


def shown(trajectory: Trajectory) -> Evidence:
    """What a recording by hand shows; how it begins says nothing of the start area."""
    return Evidence.of([trajectory]).without(Start)


def by_hand(world: World, *actions: int, scene: Scene | None = None, seed: int = 1) -> Trajectory:
    """A recording that begins with a scene instead of a reset; counters are at 0.

    The seed tells recordings apart that are otherwise the same.
    """
    simulator = Simulator(world)
    simulator.reset(1)
    if scene:
        simulator.restore(scene.snapshot())
    recorder = Recorder(world, seed, agent="hand")
    recorder.begin(simulator.observe())
    reached = set()
    for action in actions:
        reward, done = simulator.step(action)
        counts = zip(world.achievements, simulator.achievements[0], strict=True)
        now = {name for name, count in counts if count}
        recorder.note(action, float(reward[0]), now - reached, bool(done[0]), simulator.observe())
        reached |= now
        if done[0]:
            break
    return recorder.trajectory()


def empty(world: World, ground: str = "grass") -> Scene:
    simulator = Simulator(world)
    simulator.reset(1)
    return Scene(simulator.snapshot(), words=world.vocabulary).clear(ground)


def scene_at_water(world: World) -> Trajectory:
    scene = empty(world).fill("water", 33, 32).player(facing=(1, 0), inventory={"drink": 3})
    return by_hand(world, DO, scene=scene)


def test_hunger_thirst_and_recovery_are_blamed_on_nothing() -> None:
    quiet = DEFAULT.with_rules(
        *(Creature(subject=name, eatable=False) for name in names.CREATURES),
        Collect(subject="grass", yields={}, leaves="grass"),
    )
    scene = empty(quiet).player(facing=(1, 0), inventory={"health": 3})
    trajectory = by_hand(quiet, *[DO, 1, 2] * 100, scene=scene)
    status = trajectory.views.inventory[:, :4]
    assert status[-1, 1] == 0 and np.count_nonzero(np.diff(status[:, 0])) > 5, (
        "it starves, and heals before"
    )
    report = check(quiet, shown(trajectory))
    assert not report.contradicted
    assert report["walk.grass"].fields["health"].consistent == 200


def test_a_creature_is_not_mistaken_for_the_ground() -> None:
    scene = empty(DEFAULT).put("zombie", 34, 32, health=5).player(facing=(0, 1))
    trajectory = by_hand(DEFAULT, *[1, 2] * 6, scene=scene)
    assert trajectory.after.inventory[-1, 0] < 9, "it was bitten"
    assert not check(DEFAULT, shown(trajectory)).contradicted
    hurting = DEFAULT.with_rules(Walk(subject="grass", walkable=True, health=-2))
    assert check(hurting, shown(trajectory))["walk.grass"].verdict != "supported"


def test_harm_without_a_cause_contradicts_what_could_have_caused_it() -> None:
    hurting = DEFAULT.with_rules(Walk(subject="grass", walkable=True, health=-2))
    trajectory = by_hand(hurting, 1, 2, scene=empty(hurting))
    report = check(DEFAULT, shown(trajectory))
    assert {c.rules for c in report.conflicts} == {("walk.grass",)}
    assert report["walk.grass"].conflicts[0].saw == "health went from 9 to 7"


def test_a_tool_gate_is_supported_where_it_holds_something_back() -> None:
    scene = empty(DEFAULT).fill("stone", 33, 32).player(facing=(1, 0))
    report = check(DEFAULT, shown(by_hand(DEFAULT, DO, scene=scene)))
    assert report["collect.stone"].fields["requires"].consistent == 1
    assert report["collect.stone"].fields["leaves"].consistent == 0


def test_placing_and_making() -> None:
    scene = empty(DEFAULT).player(facing=(1, 0), inventory={"wood": 9})
    trajectory = by_hand(DEFAULT, PLACE_TABLE, MAKE_WOOD_PICKAXE, scene=scene)
    assert not check(DEFAULT, shown(trajectory)).contradicted

    def verdicts(*rules: Place | Make) -> CheckReport:
        return check(DEFAULT.with_rules(*rules), shown(trajectory))

    table, pickaxe = DEFAULT.place["table"], DEFAULT.make["wood_pickaxe"]
    cheap = verdicts(table.model_copy(update={"uses": {"wood": 3}}))
    assert cheap["place.table"].verdict_on("uses") == "contradicted"
    assert verdicts(Place(subject="table", uses=table.uses, where=["sand"]))[
        "place.table"
    ].verdict_on("where") == ("contradicted")
    lavish = verdicts(pickaxe.model_copy(update={"gives": 2}))
    assert lavish["make.wood_pickaxe"].verdict_on("gives") == "contradicted"
    far = verdicts(pickaxe.model_copy(update={"nearby": ("table", "furnace")}))
    assert far["make.wood_pickaxe"].verdict_on("nearby") == "contradicted"
    assert far.conflicts[0].did == "making a wood pickaxe near table holding " + (
        f"{9 - table.uses['wood']} wood"
    )


def test_nothing_can_be_made_at_the_edge_of_the_map() -> None:
    scene = empty(DEFAULT).fill("table", 1, 5).player(at=(0, 5), inventory={"wood": 9})
    trajectory = by_hand(DEFAULT, MAKE_WOOD_PICKAXE, scene=scene)
    assert trajectory.after.inventory[0, 10] == 0
    assert not check(DEFAULT, shown(trajectory)).contradicted


def test_a_kill_is_known_by_the_sword_or_by_the_first_of_its_kind() -> None:
    scene = (
        empty(DEFAULT)
        .put("cow", 33, 32, health=3, cooldown=5)
        .player(facing=(1, 0), inventory={"stone_sword": 1, "food": 2})
    )
    trajectory = by_hand(DEFAULT, DO, scene=scene)
    assert not check(DEFAULT, shown(trajectory)).contradicted
    cow = DEFAULT.creature["cow"]
    for wrong in ({"eatable": False}, {"eaten_food_factor": 0}):
        report = check(DEFAULT.with_rules(cow.model_copy(update=wrong)), shown(trajectory))
        assert report["creature.cow"].verdict == "contradicted"


# --- Chances ------------------------------------------------------------------------------------


def test_that_something_did_not_happen_refutes_no_possibility() -> None:
    assert not Rate("sapling", 0.1, 0, 50).refuted()
    assert not Rate("sapling", 1e-9, 0, 10**6).refuted()
    assert Rate("sapling", 0.5, 0, 50).refuted()
    assert Rate("sapling", 0.1, 400, 1000).refuted()
    assert not Rate("sapling", 0.1, 0, 0).refuted()


def test_a_true_probability_is_hardly_ever_given_up_however_often_one_looks() -> None:
    random, bound = Random(1), 0.01
    wrong = 0
    for _ in range(300):
        times = 0
        for of in range(1, 200):
            times += random.random() < 0.1
            if log_evidence(0.1, times, of) > -math.log(bound):
                wrong += 1
                break
    assert wrong <= 300 * bound + 3
    assert LEVEL == 1e-6


# --- Input --------------------------------------------------------------------------------------


def test_dialects_must_agree() -> None:
    crafter = load_world("crafter")
    with pytest.raises(InputError, match=r"dynamics: the theory's are crafter.*allowed: mars"):
        check(crafter, evidence("default"))
    mixed = [*play(crafter, [0]), *play(DEFAULT, [0])]
    with pytest.raises(InputError, match="allowed: trajectories of one dialect"):
        check(crafter, mixed)


def test_there_must_be_a_trajectory() -> None:
    with pytest.raises(InputError, match="there are none"):
        check(DEFAULT, [])


def test_an_episode_without_a_step_shows_nothing() -> None:
    assert check(DEFAULT, [by_hand(DEFAULT)]).transitions == 0
