"""Trajectories of games: written and read again, from any game and with any content."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic.data import (
    GameAbout,
    GameTrajectory,
    ObservationPart,
    load,
    load_all,
    save_game,
    store,
)
from mars_logic.data.store import as_bytes
from mars_logic.domains import bundled_games, domain_of, load_game
from mars_logic.domains.certificates import PlayerReference, certify_game
from mars_logic.domains.playing import play
from mars_logic.domains.runs import GameRun
from mars_logic.domains.trajectories import record_game, recorded_game
from mars_logic.errors import InputError
from mars_logic.views.report.loose_episodes import of_game_trajectory

HANOI = "Hanoi3Disk"


def assert_equal(one: GameTrajectory, other: GameTrajectory) -> None:
    assert one.about == other.about and one.parts == other.parts
    assert one.actions == other.actions and one.seen.keys() == other.seen.keys()
    pairs = [(one.seen[name], other.seen[name]) for name in one.seen]
    pairs += [
        (getattr(one, name), getattr(other, name))
        for name in ("action", "reward", "terminated", "truncated")
    ]
    for mine, theirs in pairs:
        assert mine.dtype == theirs.dtype and np.array_equal(mine, theirs)
    assert (one.score is None) == (other.score is None)
    assert one.score is None or np.array_equal(one.score, other.score)


numbers = st.integers(-(2**53), 2**53)
texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)


@st.composite
def trajectories(draw):
    length = draw(st.integers(1, 6))
    parts, seen = {}, {}
    names = draw(st.lists(st.from_regex(r"[a-z]{1,6}", fullmatch=True), unique=True, max_size=4))
    for name in names:
        low, high = sorted(draw(st.tuples(numbers, numbers)))
        size = draw(st.none() | st.integers(1, 4))
        shape = (length + 1, *(() if size is None else (size,)))
        count = int(np.prod(shape))
        values = draw(st.lists(st.integers(low, high), min_size=count, max_size=count))
        parts[name], seen[name] = (
            ObservationPart(low, high, size),
            np.array(values, np.int64).reshape(shape),
        )
    if told := tuple(draw(st.lists(texts, max_size=4, unique=True))):
        places = draw(
            st.lists(st.integers(0, len(told) - 1), min_size=length + 1, max_size=length + 1)
        )
        parts["told"], seen["told"] = ObservationPart.of_texts(told), np.array(places, np.int64)
    actions = tuple(draw(st.lists(texts, min_size=1, max_size=5, unique=True)))

    def column(elements, dtype):
        return np.array(draw(st.lists(elements, min_size=length, max_size=length)), dtype)

    return GameTrajectory(
        about=GameAbout(draw(texts), draw(texts), draw(texts), draw(st.integers(0, 2**60)), "me"),
        parts=parts,
        actions=actions,
        seen=seen,
        action=column(st.integers(0, len(actions) - 1), np.int64),
        reward=column(st.floats(-1e9, 1e9), np.float64),
        terminated=column(st.booleans(), np.bool_),
        truncated=column(st.booleans(), np.bool_),
        score=column(st.integers(-(10**9), 10**9), np.int64) if draw(st.booleans()) else None,
    )


@settings(max_examples=60, deadline=None)
@given(trajectories())
def test_what_is_written_is_read(tmp_path_factory, trajectory):
    path = tmp_path_factory.mktemp("kept") / "t.parquet"
    save_game(trajectory, path)
    found = load(path)
    assert isinstance(found, GameTrajectory) and found.source == str(path)
    assert_equal(found, trajectory)


@pytest.mark.slow
@pytest.mark.parametrize("name", bundled_games())
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 2**60))
def test_a_recorded_episode_is_what_was_played(tmp_path_factory, name, seed):
    game = load_game(name)
    simulator, player = domain_of(game).simulator(game), domain_of(game).player("random", game)
    played = play(simulator, player, seed, game.length)
    certificate = certify_game(played, game, name, seed, PlayerReference(name="random"))
    folder = tmp_path_factory.mktemp("kept")
    path = record_game(folder, game, certificate)
    found = load(path)
    assert found.action.tolist() == list(played.actions)
    assert found.reward.tolist() == list(played.rewards)
    assert found.score[-1] == played.score and len(found) == len(played.actions)
    assert found.terminated.tolist() == [*[False] * (len(found) - 1), played.last.done]
    assert found.truncated[-1] == (not played.last.done) and not found.truncated[:-1].any()
    assert {of: values[-1].tolist() for of, values in found.seen.items()} == {
        of: list(value) if isinstance(value, tuple) else value
        for of, value in simulator.observe().items()
    }
    assert found.parts.keys() == domain_of(game).space(game).keys()
    assert_equal(found, recorded_game(certificate, game))


@pytest.mark.parametrize("name", ["rulearn/fo_r1_16", "rulearn/er_r1_05", "rulearn/re_r1_16"])
@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 2**60))
def test_a_recorded_puzzle_is_what_was_played(tmp_path_factory, name, seed):
    """Actions and observations of puzzles are open, so they are kept as JSON."""
    game = load_game(name)
    domain = domain_of(game)
    simulator, player = domain.simulator(game), domain.player("random", game)
    played = play(simulator, player, seed, game.length)
    certificate = certify_game(played, game, name, seed, PlayerReference(name="random"))
    found = load(record_game(tmp_path_factory.mktemp("kept"), game, certificate))
    taken = [json.loads(found.actions[code]) for code in found.action]
    assert taken == [domain.action_data(each) for each in played.actions]
    texts = found.parts["json"].texts
    assert json.loads(texts[found.seen["json"][-1]]) == json.loads(json.dumps(simulator.observe()))
    assert found.reward.tolist() == list(played.rewards) and found.score[-1] == played.score
    assert not found.terminated[:-1].any() and not found.truncated[:-1].any()
    assert bool(found.terminated[-1]) != bool(found.truncated[-1])
    assert bool(found.truncated[-1]) <= (played.last.steps == game.length)
    assert_equal(found, recorded_game(certificate, game))
    if name == "rulearn/re_r1_16":
        told = of_game_trajectory(replace(found, source="kept.parquet"))
        assert told.actions == certificate.actions and told.game == certificate.game


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    run = GameRun(load_game(HANOI), HANOI, "oracle", noise=0.2)
    certificate = run.add(0).certificate
    return record_game(tmp_path, load_game(HANOI), certificate)


def test_the_score_is_privileged(tmp_path: Path, kept: Path) -> None:
    assert load(kept).score is not None
    run = GameRun(load_game(HANOI), HANOI, "oracle", noise=0.2)
    record_game(tmp_path, load_game(HANOI), run.add(0).certificate, public=True)
    assert load(kept).score is None
    assert "privileged_score" not in pq.read_schema(kept).names


def test_nothing_else_is_overwritten(tmp_path: Path, kept: Path) -> None:
    certificate = GameRun(load_game(HANOI), HANOI, "oracle", noise=0.2).add(1).certificate
    other = record_game(tmp_path, load_game(HANOI), certificate)
    other.replace(kept)
    certificate = GameRun(load_game(HANOI), HANOI, "oracle", noise=0.2).add(0).certificate
    with pytest.raises(InputError, match="not the trajectory of the episode that would be kept"):
        record_game(tmp_path, load_game(HANOI), certificate)


def rewritten(path: Path, document: dict, change: dict | None = None) -> None:
    """The same file with another description, or with other columns."""
    table = pq.read_table(path)
    columns = {name: table.column(name).combine_chunks() for name in table.column_names}
    columns |= change or {}
    path.write_bytes(as_bytes(columns, {"mars_logic": json.dumps(document)}))


def described(path: Path) -> dict:
    return json.loads(pq.read_metadata(path).metadata[b"mars_logic"])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"version": 2}, "version: "),
        ({"parts": {"pegs": {"low": 1, "high": 2, "size": 3}}}, "before_pegs_0: there is 3; allow"),
        ({"parts": {"pegs": {"low": 1, "high": 3, "size": 4}}}, "before_pegs_3: it is missing"),
        ({"parts": {"pegs": {"low": 1, "high": 3, "size": 10**9}}}, r"parts\.pegs\.size: "),
        ({"actions": ["jump"]}, "action: unknown 'move"),
        ({"seed": "zero"}, "seed: "),
    ],
)
def test_a_wrong_description_is_one_message(kept: Path, changes: dict, message: str) -> None:
    rewritten(kept, described(kept) | changes)
    with pytest.raises(InputError, match=rf"parquet:1: {message}") as found:
        load(kept)
    assert "\n" not in str(found.value) and "; allowed: " in str(found.value)


def test_steps_that_do_not_follow_each_other_are_refused(kept: Path) -> None:
    import pyarrow as pa

    pegs = pq.read_table(kept).column("after_pegs_1").to_pylist()
    pegs[2] = 1 + pegs[2] % 3
    rewritten(kept, described(kept), {"after_pegs_1": pa.array(pegs)})
    with pytest.raises(InputError, match="after_pegs_1: after step 2 it is"):
        load(kept)


def test_a_damaged_file_is_refused(kept: Path) -> None:
    kept.write_bytes(kept.read_bytes()[:-40])
    with pytest.raises(InputError, match="no Parquet file, or not a whole one"):
        load(kept)


def test_worlds_and_games_are_told_apart(tmp_path: Path, kept: Path) -> None:
    (found,) = load_all(tmp_path)
    assert_equal(found, load(kept))
    with pytest.raises(InputError, match="schema: this is 'mars-logic game trajectory'"):
        store.load(kept)
