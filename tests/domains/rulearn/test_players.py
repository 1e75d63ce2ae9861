"""Players of puzzles: what they reach, and that they read nothing but what they are shown."""

from __future__ import annotations

import itertools
import multiprocessing
import statistics

import pytest

from mars_logic.domains import domain_of, games_of, load_game
from mars_logic.domains.chance import Seeded
from mars_logic.domains.idea_players import IdeaPlayer
from mars_logic.domains.playing import play
from mars_logic.domains.rulearn.door import judged
from mars_logic.domains.rulearn.reactor.rules import products
from mars_logic.induction.notebook import told_entry
from mars_logic.play.agent import Episode
from tests.domains.texts import parse_game_theory


def played(puzzle, agent="idea", seed=0, **options):
    domain = domain_of(puzzle)
    theory = puzzle if agent == "told" else domain.untold(puzzle)
    player = domain.player(agent, theory, **options)
    return play(domain.simulator(puzzle), player, seed, puzzle.length), player


def solved(names, agent="idea", **options):
    """The steps of each puzzle, all of which are solved."""
    found = [played(load_game(name), agent, **options) for name in names]
    assert all(each.last.completed for each, _ in found)
    assert not any(player.repeated for _, player in found)
    return [each.steps for each, _ in found]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "most"), [("function_operator", 1.8), ("escape_room", 1.8), ("reactor", 6.5)]
)
def test_a_round_is_solved_in_few_steps(family, most):
    assert statistics.fmean(solved(games_of(f"rulearn/{family}@round=1"))) < most


def holding(pipe, name):
    """A process that holds a puzzle, and shows what a player sees."""
    puzzle = load_game(name)
    domain = domain_of(puzzle)
    simulator, chance = domain.simulator(puzzle), Seeded(0)
    simulator.reset(chance)
    pipe.send((domain.untold(puzzle).to_yaml(), puzzle.length))
    done = False
    while True:
        pipe.send((dict(simulator.observe()), done))
        if done:
            pipe.send(simulator.score)
            return
        done = simulator.step(domain.read_action(pipe.recv()), chance).done


@pytest.mark.parametrize("name", ["rulearn/fo_r5_19", "rulearn/er_r2_13", "rulearn/re_r1_06"])
def test_it_plays_what_another_process_holds(name):
    """It gets the manual as a theory, and observations; the puzzle lies in the other process."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=holding, args=(there, name))
    process.start()
    stated, length = here.recv()
    theory = parse_game_theory(stated, "told.yaml")
    assert theory.uncertain
    seen, done = here.recv()
    player, domain, taken = IdeaPlayer(theory), domain_of(theory), []
    player.begin(Episode(0, None, length, observation=lambda: seen))
    while not done:
        taken.append(player.act(seen))
        here.send(domain.action_data(taken[-1]))
        seen, done = here.recv()
    player.end(Episode(0, None, length, observation=lambda: seen))
    assert here.recv() == 1
    process.join()
    assert tuple(taken) == played(load_game(name))[0].actions


@pytest.mark.slow
def test_the_order_of_digits_makes_no_difference_on_average():
    orders = list(itertools.permutations(range(3)))
    means = []
    for order in orders:
        steps = []
        for name in games_of("rulearn/escape_room@round=2"):
            puzzle = load_game(name)
            digits = tuple(puzzle.rule.digits[each] for each in order)
            rule = puzzle.rule.model_copy(update={"digits": digits})
            found, _ = played(puzzle.model_copy(update={"rule": rule}))
            assert found.last.completed
            steps.append(found.steps)
        means.append(statistics.fmean(steps))
    assert max(means) - min(means) < 0.8 and statistics.fmean(means) < 2


def test_codes_keep_within_the_attempts():
    """The values of parameters do not change although no evaluation tells four codes apart."""
    for seed in range(3):
        found, player = played(load_game("rulearn/fo_r5_19"), seed=seed)
        assert found.last.completed
        wrong = [each for each in found.actions if each.do == "enter_code"][:-1]
        assert len(wrong) < 4 and player.repeated == 0


def test_with_one_step_left_it_enters_a_code():
    puzzle = load_game("rulearn/fo_r1_09").model_copy(update={"length": 1})
    found, _ = played(puzzle)
    assert [each.do for each in found.actions] == ["enter_code"]
    two = puzzle.model_copy(update={"length": 3})
    assert played(two)[0].last.completed


def test_a_false_hint_is_refuted_by_one_reaction():
    found, player = played(load_game("rulearn/re_r1_06"), notes=True)
    first, second = player.notebook[:2]
    assert found.last.completed
    assert first.induction.refuted and first.induction.bits > 1
    assert first.abduction.hypotheses[0].sentences != second.abduction.hypotheses[0].sentences
    assert second.abduction.hypotheses[0].sentences == (
        "Always: the second input followed by the first input.",
    )


def test_the_notebook_agrees_with_the_puzzle():
    """What is written down is what the simulator shows, and the last hypotheses predict it."""
    for name in ("rulearn/fo_r2_12", "rulearn/er_r3_15", "rulearn/re_r2_11"):
        puzzle = load_game(name)
        found, player = played(puzzle, notes=True)
        entries = player.notebook
        assert len(entries) == len(found.actions)
        assert entries[-1].induction.solved and not entries[0].induction.solved
        for entry, after in itertools.pairwise(entries):
            assert entry.induction.left == after.abduction.count
            assert entry.abduction.count - entry.induction.excluded == entry.induction.left
            assert sum(share for _, share in entry.experiment.outcomes) <= 1 + 1e-9
            assert told_entry(entry)[0] == f"Step {entry.number}"
        assert entries[0].data["abduction"]["hypotheses"][0]["predicts"]


def test_what_was_learned_of_a_puzzle_opens_it():
    puzzle = load_game("rulearn/fo_r1_09")
    _, player = played(puzzle)
    learned = player.learned()
    code = "".join(map(str, puzzle.values.values()))
    assert judged("".join(map(str, learned.values.values())), code).correct
    _, player = played(load_game("rulearn/re_r1_06"))
    rule = player.learned().rule.options[0][0]
    assert products(rule, "C", "A") == ("AC",)


@pytest.mark.slow
def test_the_player_that_is_told_needs_fewer_steps():
    names = games_of("rulearn/escape_room@round=1")
    assert statistics.fmean(solved(names, "told")) == pytest.approx(1.0)
    functions = games_of("rulearn/function_operator@round=1")
    assert sum(solved(functions, "told")) <= sum(solved(functions))


@pytest.mark.long
def test_ablations_do_worse():
    names = games_of("rulearn/reactor@round=1")[5:10]
    trusting = [played(load_game(name), trust_hints=True)[0] for name in names]
    assert sum(bool(each.last.completed) for each in trusting) < len(names)
    kept = [played(load_game(name), revise=False)[0] for name in names]
    assert sum(bool(each.last.completed) for each in kept) < len(names)
    rooms = games_of("rulearn/escape_room@round=1")[:8]
    by_chance = [played(load_game(name), experiments="random")[0].steps for name in rooms]
    assert sum(by_chance) > sum(solved(rooms))


def test_the_baseline_acts_on_what_was_seen():
    names = games_of("rulearn/function_operator@round=1")[:10]
    found = [played(load_game(name), "baseline") for name in names]
    assert sum(bool(each.last.completed) for each, _ in found) > 5
    for game, _ in found:
        assert all(each.do == "enter_code" for each in game.actions)
    game, _ = played(load_game("rulearn/re_r1_01"), "baseline")
    pairs = [each.materials for each in game.actions if each.do == "react"]
    assert len(set(pairs)) == len(pairs)
