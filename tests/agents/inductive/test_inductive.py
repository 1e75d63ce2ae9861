"""The agent that learns rules: what reaches it, what surprises it, what it learns."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.agents.inductive.belief import DOUBTFUL, LEVEL, Belief
from mars_logic.agents.inductive.shooter_evidence import ShooterEvidence
from mars_logic.errors import InputError
from mars_logic.plan.observed_map import UNSEEN
from mars_logic.play.agent import Episode, load_agent
from mars_logic.play.episodes import play
from mars_logic.play.isolated_agent import IsolatedAgent
from mars_logic.play.journal import journal
from mars_logic.play.learning import study
from mars_logic.sim import Observation, Simulator
from mars_logic.theory import Evidence, check
from mars_logic.theory.rate_tests import attempts
from mars_logic.world import names
from mars_logic.world.rules import Collect, Creature, Yield
from mars_logic.world.theory import Theory
from tests.theory.play import Busy
from tests.theory.play import play as record
from tests.theory.test_check import by_hand, empty

DEFAULT = load_world("default")
ALL_THREE = load_world("all_three")


def flat(thing: Any) -> list[Any]:
    """Everything that a message consists of."""
    if isinstance(thing, tuple | list | frozenset):
        return [part for each in thing for part in flat(each)]
    return [thing]


@pytest.mark.slow
def test_only_what_a_player_sees_crosses_to_the_agent() -> None:
    sent: list[Any] = []
    simulator = Simulator(ALL_THREE)
    with IsolatedAgent("inductive") as agent:
        agent.watch = sent.append
        played = play(agent, simulator, 918_273, ALL_THREE.achievements, limit=25)
        agent.freeze()
        assert agent.told().trials
    assert len(sent) == 2 * played.steps + 4
    for what, arguments in sent:
        for part in flat(arguments):
            assert part != 918_273 and getattr(part, "seed", None) != 918_273
            assert isinstance(part, int | float | str | bool | Episode | Observation | np.generic)
            if isinstance(part, Episode):
                assert (part.world, part.state, part.goals, part.simulator) == (
                    None,
                    None,
                    (),
                    None,
                )
            if isinstance(part, str):
                assert part in ALL_THREE.achievements
            if isinstance(part, Observation):
                assert all(len(array) == 1 for array in part.arrays)
        assert b"World" not in pickle.dumps(arguments), what


@pytest.mark.slow
def test_an_agent_apart_plays_as_one_at_hand() -> None:
    simulator = Simulator(DEFAULT)
    at_hand = play(load_agent("inductive")(), simulator, 3, DEFAULT.achievements, limit=40)
    with IsolatedAgent("inductive") as agent:
        apart = play(agent, simulator, 3, DEFAULT.achievements, limit=40)
    assert apart == at_hand


def test_a_failure_of_the_agent_is_told() -> None:
    simulator = Simulator(DEFAULT)
    simulator.reset(0)
    with IsolatedAgent("inductive") as agent, pytest.raises(RuntimeError, match="the agent failed"):
        agent.act(simulator.observe())


def test_a_belief_is_revised_when_it_is_contradicted_and_not_before() -> None:
    (trajectory,) = record(ALL_THREE, [3], Busy())
    belief = Belief.begin(DEFAULT)
    found = belief.look(trajectory, 1)
    assert belief.surprises
    assert not check(belief.theory, found).conflicts
    changed = {change.id for surprise in belief.surprises for change in surprise.changes}
    assert changed <= {rule.id for rule in DEFAULT.rules() if belief.theory[rule.id] != rule}
    before = belief.theory
    assert len(belief.look(trajectory, 1).rows) == 0, "nothing is new"
    assert belief.theory is before
    true = Belief.begin(ALL_THREE)
    true.look(trajectory, 1)
    assert true.surprises == [] and true.theory is ALL_THREE


def test_what_never_comes_is_doubted_though_nothing_contradicts_it() -> None:
    truth = DEFAULT.with_rules(Collect(subject="grass", leaves="grass"))
    prior = DEFAULT.with_rules(
        Collect(subject="grass", leaves="grass", yields={"sapling": Yield(probability=0.1)})
    )
    belief = Belief.begin(prior)
    tries = 0
    for number, trajectory in enumerate(record(truth, range(8), Busy()), 1):
        belief.look(trajectory, number)
        belief.close(np.full((64, 64), UNSEEN, np.uint8), number, trajectory)
        tries = sum(seen.count for _, seen in attempts(belief.seen, "grass"))
        doubted = belief.doubts == {("grass", "sapling")}
        assert doubted == (0.9**tries < DOUBTFUL) or belief.surprises
        if doubted:
            assert "sapling" in belief.theory.collect["grass"].yields
            assert "sapling" not in belief.practical().collect["grass"].yields
            return
    raise AssertionError(f"not doubted after {tries} tries")


@pytest.mark.parametrize("world", ["default", "all_three"])
def test_who_never_shoots_is_found_out(world: str) -> None:
    """Skeletons shoot in one of these worlds, cows in the other, zombies in neither."""
    truth, shots = load_world(world), ShooterEvidence()
    trajectories = record(truth, range(12), Busy())
    for trajectory in trajectories:
        shots.add(trajectory)
    for signature in Evidence.of(trajectories).signatures:
        shots.see(signature)
    for creature in names.CREATURES:
        if truth.creature[creature].shoots:
            assert not shots.harmless(creature, 0.5) or creature not in shots.near
    assert shots.harmless("zombie", 0.5) == (0.96 ** shots.near["zombie"] < 0.5)
    assert not ShooterEvidence().harmless("cow", 0.5), "nothing was seen"


def test_once_skeletons_are_known_not_to_shoot_their_hits_are_laid_to_others() -> None:
    """Arrows of cows hurt; while skeletons were thought to shoot, they explained it."""
    truth = DEFAULT.with_rules(
        Creature(subject="cow", eatable=True, walks=True, shoots=True, arrow_health_factor=-1),
        Creature(subject="skeleton", eatable=True, walks=True),
    )
    belief = Belief.begin(DEFAULT)
    hurt = empty(truth).put("cow", 36, 32, health=3)
    watched = empty(truth).fill("path", 36, 32).put("skeleton", 36, 32, health=3)
    for episode, scene in enumerate((hurt, *[watched] * 5), 1):
        trajectory = by_hand(truth, *[0] * 120, scene=scene)
        belief.look(trajectory, episode)
        before = belief.theory
        belief.close(np.full((64, 64), UNSEEN, np.uint8), episode, trajectory)
    assert before.creature["cow"].shoots and before.creature["cow"].arrow_health_factor >= 0
    assert belief.theory.creature["skeleton"].shoots is False
    assert belief.theory.creature["cow"].arrow_health_factor == -1
    assert not check(belief.theory, belief.seen).conflicts


def test_arrows_that_hit_while_no_skeleton_was_in_sight_are_laid_to_others() -> None:
    truth = DEFAULT.with_rules(
        Creature(subject="cow", eatable=True, walks=True, shoots=True, arrow_health_factor=-1)
    )
    belief = Belief.begin(DEFAULT)
    scene = empty(truth).put("cow", 36, 32, health=3)
    for episode in range(1, 6):
        trajectory = by_hand(truth, *[0] * 120, scene=scene)
        belief.look(trajectory, episode)
        belief.close(np.full((64, 64), UNSEEN, np.uint8), episode, trajectory)
        assert belief.theory.creature["skeleton"] == DEFAULT.creature["skeleton"]
        convicted = belief.shots.absent("skeleton", LEVEL)
        assert (belief.theory.creature["cow"].arrow_health_factor == -1) == convicted
    assert convicted and not belief.shots.absent("cow", 0.5)
    assert not check(belief.theory, belief.seen).conflicts


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {"prior": "none"},
        {"experiments": "random"},
        {"experiments": "none"},
        {"revise": False},
        {"passive": True},
        {"ties": "reachable"},
    ],
    ids=str,
)
def test_the_parts_that_can_be_left_out(options: dict[str, Any]) -> None:
    agent: Any = load_agent("inductive")(**options)
    simulator = Simulator(ALL_THREE)
    played = play(agent, simulator, 4, ALL_THREE.achievements, limit=60)
    again: Any = load_agent("inductive")(**options)
    assert play(again, simulator, 4, ALL_THREE.achievements, limit=60) == played
    told = agent.tell()
    assert bool(told.surprises) == options.get("revise", True)
    if options.get("passive") or options.get("experiments") == "none":
        assert not told.trials
    else:
        assert told.trials
    if options.get("prior") == "none":
        assert told.theory.uncertain, "not all can be known by now"
        assert told.theory.neighbour["player"].material == "diamond"
    agent.freeze()
    play(agent, simulator, 5, ALL_THREE.achievements, limit=20)
    assert agent.decision.layer != "random"


def test_who_knows_nothing_plans_with_a_draw_of_what_is_possible() -> None:
    belief = Belief.begin(Theory.unknown("mars"))
    guess = belief.practical()
    rules = [(a, b) for a, b in zip(guess.rules(), DEFAULT.rules(), strict=True) if a != b]
    assert not guess.uncertain and len(rules) > 20, "not Crafter's rules"
    belief.theory = belief.theory.with_rules(DEFAULT["walk.grass"], name="belief")
    known = belief.practical()
    assert known["walk.grass"] == DEFAULT["walk.grass"]
    others = [rule.id for rule in known.rules() if rule != guess[rule.id]]
    assert set(others) <= {"walk.grass"}, "the rest is guessed as before"
    (trajectory,) = record(DEFAULT, [3], Busy())
    belief.close(np.full((64, 64), UNSEEN, np.uint8), 1, trajectory)
    assert belief.practical() != known, "in another episode, another guess"


def test_what_the_dialect_fixes_is_believed_whatever_is_seen() -> None:
    crafter = load_world("crafter")
    belief = Belief.begin(crafter)
    trajectory = by_hand(crafter, *[0] * 30)
    belief.look(trajectory, 1)
    belief.shots.near["skeleton"] = 10_000
    belief.close(np.full((64, 64), UNSEEN, np.uint8), 1, trajectory)
    assert belief.shots.harmless("skeleton", LEVEL)
    assert belief.theory.creature == crafter.creature
    assert belief.told().theory.creature == crafter.creature


def test_unknown_options_are_refused() -> None:
    make: Any = load_agent("inductive")
    with pytest.raises(InputError, match="experiments: there is no 'some'; allowed: informative"):
        make(experiments="some")
    with pytest.raises(InputError, match="ties: there is no 'best'; allowed: usual, reachable"):
        make(ties="best")
    with pytest.raises(InputError, match="prior: there is no 'mine'"):
        make(prior="mine")


@pytest.mark.slow
def test_a_study_learns_and_its_journal_tells_of_it() -> None:
    found = study(ALL_THREE, 102, 2, 1, limit=60, consequences=True)
    again = study(ALL_THREE, 102, 2, 1, limit=60)
    played = [[lesson.played for lesson in each.lessons] for each in (found, again)]
    assert played[0] == played[1] and found.tests == again.tests
    assert found.theory == again.theory and again.lessons[-1].consequences is None
    first, last = found.lessons
    assert last.score.changes and last.score.changes.right > 0
    assert first.played.steps <= 60 and len(found.tests) == 1
    text = "\n".join(journal(found))
    assert "experiment on `" in text and "Saw: " in text
    assert "\nCertain since this episode:\n" in text
    assert "\n- `walk.diamond`: walkable yes" in text
    assert "\nStill open, with the values that remain:\n" in text
    assert "## Episode 2" in text and "`walk.diamond`" in text
    assert "Believed: Diamond cannot be walked on." in text
    assert "Believe now: Diamond can be walked on." in text
