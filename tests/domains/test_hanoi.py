"""The tower of Hanoi: plans against a breadth-first search, slips, and the rules."""

from __future__ import annotations

import itertools
import time
from collections import deque
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic.domains import domain_of, load_game
from mars_logic.domains.chance import Seeded
from mars_logic.domains.hanoi.players import HanoiPlanner
from mars_logic.domains.hanoi.rules import MOVES, RODS, Hanoi
from mars_logic.domains.playing import play
from mars_logic.domains.protocol import ActionError
from mars_logic.errors import InputError
from tests.domains.texts import parse_game_theory


def neighbours(pegs):
    """By the rules in other words: the rods as stacks, the top on the right."""
    stacks = [[d for d in reversed(range(len(pegs))) if pegs[d] == rod] for rod in range(3)]
    for origin, target in MOVES:
        if stacks[origin] and (not stacks[target] or stacks[origin][-1] < stacks[target][-1]):
            moved = list(pegs)
            moved[stacks[origin][-1]] = target
            yield tuple(moved)


def distances(disks, goal=2):
    """Moves to the goal from every state."""
    found, waiting = {(goal,) * disks: 0}, deque([(goal,) * disks])
    while waiting:
        state = waiting.popleft()
        for other in neighbours(state):
            if other not in found:
                found[other] = found[state] + 1
                waiting.append(other)
    return found


def run(simulator, pegs, plan):
    simulator.reset(Seeded(0))
    simulator.restore(type(simulator.snapshot())(pegs))
    return [simulator.step(action, Seeded(0)) for action in plan]


@pytest.mark.parametrize("disks", [3, 4])
def test_from_every_state_as_short_as_a_search_finds(disks):
    game = load_game(f"Hanoi{disks}Disk")
    simulator, planner = domain_of(game).simulator(game), HanoiPlanner(game)
    expected = distances(disks)
    assert len(expected) == 3**disks
    for pegs in itertools.product(range(3), repeat=disks):
        plan = planner.plan(pegs)
        assert len(plan) == expected[pegs]
        if plan:
            outcomes = run(simulator, pegs, plan)
            assert [each.done for each in outcomes] == [False] * (len(plan) - 1) + [True]
            assert all(each.reward >= 0 for each in outcomes)


@pytest.mark.parametrize(("disks", "moves", "most"), [(3, 7, 0.1), (4, 15, 0.3), (5, 31, 10)])
def test_from_the_start(disks, moves, most):
    game = load_game(f"Hanoi{disks}Disk")
    HanoiPlanner(load_game("Hanoi3Disk")).plan((2, 2, 2))  # what is imported and loaded once
    start = time.process_time()
    plan = HanoiPlanner(game).plan((0,) * disks)
    assert time.process_time() - start < most
    assert len(plan) == moves


@pytest.mark.parametrize(("start", "goal"), [*itertools.permutations(RODS, 2)])
def test_from_any_rod_to_any_other(start, goal):
    text = f"domain: hanoi\nlength: 30\ndisks: 3\nstart: {start}\ngoal: {goal}\n"
    game = parse_game_theory(text, "t.yaml")
    player = domain_of(game).player("oracle", game)
    found = play(domain_of(game).simulator(game), player, 0, 30)
    assert len(found.actions) == 7 and found.score == 3 and sum(found.rewards) == 100


def test_slips_are_mended():
    game = load_game("Hanoi3Disk")
    player = domain_of(game).player("oracle", game)
    simulator = domain_of(game).simulator(game)
    found = [play(simulator, player, seed, 200, noise=0.2) for seed in range(20)]
    assert all(each.last.completed for each in found)
    assert max(len(each.actions) for each in found) > 7


def test_the_last_score_counts():
    game = load_game("Hanoi3Disk")
    simulator = domain_of(game).simulator(game)
    simulator.reset(Seeded(0))
    assert simulator.step(1, Seeded(0)).score == 1  # A to C
    assert simulator.step(5, Seeded(0)).score == 0  # C to B
    outcome = simulator.step(4, Seeded(0))  # from C, which is empty
    assert (outcome.reward, outcome.done, outcome.completed) == (-1, False, False)
    assert "nothing has changed" in simulator.text()
    assert "- A: |bottom, [2, 1], top|\n- B: |bottom, [0], top|\n- C: |bottom, [], top|" in (
        simulator.text()
    )


def test_a_step_after_the_end_is_refused():
    game = load_game("Hanoi3Disk")
    simulator = domain_of(game).simulator(game)
    plan = HanoiPlanner(game).plan((0, 0, 0))
    assert run(simulator, (0, 0, 0), plan)[-1].reward == 100
    before = simulator.snapshot()
    with pytest.raises(ActionError, match="the episode is over"):
        simulator.step(0, Seeded(0))
    assert simulator.snapshot() == before


def test_a_plan_needs_a_goal():
    theory = parse_game_theory("domain: hanoi\nlength: 30\ndisks: 3\ngoal: unknown\n", "t.yaml")
    with pytest.raises(InputError, match="goal: a plan needs a goal; allowed: A, B, C"):
        domain_of(theory).player("oracle", theory)


def best_play(simulator, length):
    """The largest (reward, score, -steps), by trying all plays; slow, and by the rules alone."""

    @cache
    def best(pegs, left):
        goal = RODS.index(simulator.game.goal)
        if left == 0 or all(peg == goal for peg in pegs):
            return 0, pegs.count(goal), 0
        found = []
        for action in range(len(MOVES)):
            outcome = run(simulator, pegs, [action])[0]
            reward, score, steps = best(simulator.snapshot().pegs, left - 1)
            found.append((outcome.reward + reward, score, steps - 1))
        return max(found)

    return best((RODS.index(simulator.game.start),) * simulator.game.disks, length)


rewards = st.sampled_from([-100, -1, 0, 1, 100])


@settings(max_examples=25, deadline=None)
@given(
    disks=st.integers(1, 3),
    length=st.integers(1, 12),
    rods=st.sampled_from([*itertools.permutations(RODS, 2)]),
    illegal=rewards,
    solved=rewards,
)
def test_the_value_is_that_of_the_best_of_all_plays(disks, length, rods, illegal, solved):
    fields = {"disks": disks, "length": length, "start": rods[0], "goal": rods[1]}
    game = Hanoi.model_validate(fields | {"illegal": illegal, "solved": solved})
    domain = domain_of(game)
    reward, score, steps = best_play(domain.simulator(game), length)
    for prior in ("told", "none"):
        found = domain.value(game, prior)
        assert (found.reward, found.score, found.steps) == (reward, score, -steps)
        assert found.expected == found.reward


@pytest.mark.parametrize(("disks", "moves"), [(3, 7), (4, 15), (5, 31)])
def test_the_value_of_the_bundled_games(disks, moves):
    game = load_game(f"Hanoi{disks}Disk")
    found = domain_of(game).value(game, "none")
    assert (found.score, found.reward, found.steps) == (disks, 100, moves)
    names = [each.rpartition(": ")[2] for each in found.moves]
    simulator = domain_of(game).simulator(game)
    run(simulator, (0,) * disks, [simulator.actions.index(name) for name in names])
    assert distances(disks)[simulator.snapshot().pegs] == moves - len(names)
