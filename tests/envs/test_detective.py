"""Conan's detective as an environment: what it sees, and its rewards."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import mars_logic.envs  # noqa: F401  # registers it
from mars_logic.domains.conan.codes import FACINGS, TRACES
from mars_logic.domains.conan.corpus import CorpusSpec, make_scene
from mars_logic.domains.conan.detective.exploring import NEVER, SceneWalk
from mars_logic.domains.conan.detective.investigating import DetectionSpec, walk_through
from mars_logic.domains.conan.detective.walks import WALKING, SceneWalks, walk_by
from mars_logic.domains.conan.questions.storage import questions_of, scene_history
from mars_logic.envs.detective import RIGHT
from mars_logic.errors import InputError

ID = "mars_logic/ConanDetective-v0"
SEED = 5


def make(**options: Any) -> Any:
    return gymnasium.make(ID, **options).unwrapped


@pytest.mark.parametrize("question", ["mask", "answers", "none"])
@pytest.mark.parametrize("observation", ["symbolic", "codes", "image", "text"])
def test_it_is_an_environment_of_gymnasium(question: str, observation: str) -> None:
    env = make(question=question, observation=observation, length=20, render_mode="ansi")
    check_env(env, skip_render_check=True)
    env.reset(seed=SEED)
    assert "&" in env.render()


@pytest.mark.parametrize("start", ["centre", "far"])
def test_rewards_are_those_of_the_paper(start: str) -> None:
    """Against sets of cells."""
    env = make(start=start, length=300)
    dice = np.random.default_rng(0)
    for seed in range(3):
        _, info = env.reset(seed=seed)
        scene, asked = env.game.cases[0].scene, env.game.cases[0].question
        traces = set(map(tuple, np.argwhere(TRACES[scene.codes]).tolist()))
        assert info["all_traces"] == len(traces)
        seen: set[tuple[int, int]] = set()
        over = False
        while not over:
            action = int(dice.choice(7, p=[0.1, 0.2, 0.2, 0.2, 0.2, 0.05, 0.05]))
            before = len(seen & traces)
            if not seen:
                seen, before = view_of(env), 0
            observation, reward, ended, late, info = env.step(action)
            new = (view_of(env) | seen) & traces if before == 0 else (view_of(env) - seen) & traces
            left, top, right, bottom = asked.mask
            near = [left <= x <= right and top <= y <= bottom for x, y in new]
            expected = (
                -0.1 - (WALKING[action] in ("do", "sleep")) + sum(1 + inside for inside in near)
            )
            seen |= view_of(env)
            whole = traces <= seen
            assert reward == pytest.approx(expected + 100 * (whole and bool(new)))
            assert info["traces"] == len(seen & traces)
            assert observation["seen"].sum() == len(seen)
            assert ended == whole
            over = ended or late
        assert env.step(1)[1:4] == (0.0, ended, late)


def view_of(env: Any) -> set[tuple[int, int]]:
    x, y = env.game.seen.place[0].tolist()
    around = range(-4, 5)
    cells = {(x + dx, y + dy) for dx in around for dy in around}
    return {(cx, cy) for cx, cy in cells if 0 <= cx < 64 and 0 <= cy < 64}


def test_an_answer_ends_the_episode() -> None:
    env = make(question="answers", observation="text")
    for seed in range(4):
        text, _ = env.reset(seed=seed)
        asked = env.game.cases[0].question
        assert asked.text in text
        for choice in range(4):
            env.reset(seed=seed, options={"episode": 1})
            env.step(1)
            _, reward, ended, late, info = env.step(len(WALKING) + choice)
            assert (ended, late) == (True, False)
            assert info["right"] == (choice == asked.answer)
            assert (reward > RIGHT / 2) == info["right"]


def test_episodes_are_scenes_of_a_corpus() -> None:
    env = make()
    env.reset(seed=SEED, options={"episode": 3})
    scene = make_scene(CorpusSpec("conan", SEED), 2)
    assert np.array_equal(env.game.cases[0].scene.codes, scene.codes)
    assert env.game.cases[0].question in questions_of(scene)
    env.reset()
    assert env.game.cases[0].scene.number == 3


@pytest.mark.parametrize("question", ["mask", "answers"])
def test_a_batch_equals_single_environments(question: str) -> None:
    options = {"question": question, "observation": "codes", "length": 15}
    singles = [make(**options) for _ in range(3)]
    batch: Any = gymnasium.make_vec(ID, 3, autoreset_mode="SameStep", **options)
    seen, _ = batch.reset(seed=SEED)
    for number, env in enumerate(singles):
        assert np.array_equal(env.reset(seed=SEED + number)[0], seen[number])
    dice = np.random.default_rng(1)
    for _ in range(40):
        actions = dice.integers(0, batch.single_action_space.n, 3)
        seen, rewards, ended, late, infos = batch.step(actions)
        for number, env in enumerate(singles):
            mine, *told, info = env.step(int(actions[number]))
            assert told == [rewards[number], ended[number], late[number]]
            if ended[number] or late[number]:
                assert np.array_equal(infos["final_obs"][number], mine)
                assert infos["final_info"]["traces"][number] == info["traces"]
                mine, info = env.reset()
            assert np.array_equal(seen[number], mine)
            assert infos["traces"][number] == info["traces"]


def test_walks_see_what_explorers_see() -> None:
    """The steps of ``nearest``, taken one by one."""
    scene = make_scene(CorpusSpec("conan", SEED), 0)
    walk = walk_through(DetectionSpec(folder=None, explorer="nearest", steps=120), scene)  # type: ignore[arg-type]
    assert isinstance(walk, SceneWalk)
    moves = np.diff(walk.trail.astype(int), axis=0).tolist()
    chosen = iter([WALKING.index("move_left") + FACINGS.index(tuple(move)) for move in moves])
    taken = walk_by(lambda _: next(chosen), scene, (32, 32), scene_history(scene).whole, walk.steps)
    assert np.array_equal(taken.trail, walk.trail)
    assert np.array_equal(taken.seen_at, walk.seen_at)
    assert (taken.seen_at != NEVER).any()


def test_codes_tell_views_apart() -> None:
    scene = make_scene(CorpusSpec("conan", SEED), 1)
    walks = SceneWalks(2)
    for walk in (0, 1):
        walks.begin(walk, scene, (32, 32), (30, 30, 40, 40), questions_of(scene)[walk])
    codes = walks.encode()
    assert (codes[0] != codes[1]).any(), "another question"
    walks.begin(1, scene, (32, 32), (30, 30, 40, 40), questions_of(scene)[0])
    assert np.array_equal(*walks.encode())
    walks.step(np.array([0, 4]), np.array([True, True]))
    assert walks.place.tolist() == [[32, 32], [32, 33]]
    assert (walks.encode()[0] != walks.encode()[1]).any()
    assert walks.encode().min() >= 0


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"question": "all"}, "question: there is no 'all'"),
        ({"start": "near"}, "start: there is no 'near'"),
        ({"scenes": "nowhere"}, "nowhere"),
        ({"world": "default"}, "leaves no traces"),
        ({"threads": 2}, "options: unknown 'threads'"),
    ],
)
def test_what_is_not_allowed_is_refused(options: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        make(**options)
