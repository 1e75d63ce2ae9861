from __future__ import annotations

from pathlib import Path

import pytest

from mars_logic import load_world
from mars_logic.cli.human import Places, PlaySession
from mars_logic.cli.human.saves import resume
from mars_logic.data import store
from mars_logic.errors import InputError
from mars_logic.play import certificate

WORLD = load_world("default")
SEED = 3


def a_session(actions: list[int] | None = None, goals: tuple[str, ...] = ()) -> PlaySession:
    session = PlaySession(WORLD, SEED, goals or WORLD.achievements)
    for action in actions or []:
        session.act(action)
    return session


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(WORLD, "default", SEED, tmp_path, tmp_path)


def test_what_is_kept_replays(places: Places) -> None:
    session = a_session([3, 3, 5, 10])
    one, other = places.save(session, [])
    assert one.name == "default__human__s3.json" and other.name == "default__human__s3.parquet"
    kept = certificate.load(one)
    assert certificate.verify(kept, WORLD).valid
    assert kept.unlocked == {"collect_sapling": 3, "place_plant": 4} and kept.agent == "human"
    recorded = store.load(other)
    assert recorded.action.tolist() == [3, 3, 5, 10] and recorded.about.agent == "human"
    assert not recorded.done.any()


def test_an_episode_is_gone_on_with(places: Places) -> None:
    first = a_session([3, 3, 5])
    files = places.save(first, [])
    again = a_session()
    earlier = places.earlier()
    resume(again, earlier)
    assert again.played() == first.played()
    again.act(10)
    again.undo()
    again.act(10)
    renamed = places.save(again, earlier)
    assert [path.name for path in renamed] == [
        "default__human_with_undo__s3.json",
        "default__human_with_undo__s3.parquet",
    ]
    assert not any(path.exists() for path in files)
    third = a_session()
    resume(third, places.earlier())
    assert third.steps == 4 and third.agent == "human_with_undo"


def test_a_recording_alone_is_gone_on_with(tmp_path: Path) -> None:
    places = Places(WORLD, "default", SEED, record=tmp_path)
    places.save(a_session([3, 3]), [])
    session = a_session()
    resume(session, places.earlier())
    assert session.actions == [3, 3]


def test_what_came_meanwhile_is_not_replaced(places: Places) -> None:
    mine, theirs = a_session([1, 2]), a_session([3, 4, 5])
    (one, other), (second, _) = places.save(theirs, []), places.save(mine, [])
    assert second.name == "default__human__s3_2.json"
    assert certificate.load(one).actions == (3, 4, 5) and store.load(other).action.size == 3
    assert certificate.load(second).actions == (1, 2)


def test_a_finished_episode_is_not_played_again(places: Places) -> None:
    places.save(a_session([3, 3, 5], ("collect_sapling",)), [])
    with pytest.raises(InputError, match="played to its end"):
        resume(a_session(goals=("collect_sapling",)), places.earlier())


def test_files_that_differ_are_refused(places: Places, tmp_path: Path) -> None:
    places.save(a_session([3, 3, 5]), [])
    Places(WORLD, "default", SEED, out=tmp_path).save(a_session([1]), places.earlier()[:1])
    with pytest.raises(InputError, match="it holds other actions than"):
        places.earlier()


def test_other_episodes_are_refused(places: Places, tmp_path: Path) -> None:
    (path, _) = places.save(a_session([3]), [])
    path.rename(tmp_path / "default__human__s4.json")
    with pytest.raises(InputError, match="another episode"):
        Places(WORLD, "default", 4, out=tmp_path).earlier()


def test_false_certificates_are_refused(places: Places) -> None:
    (path, _) = places.save(a_session([3]), [])
    path.write_text(
        path.read_text(encoding="utf-8").replace('"reward":0.0', '"reward":7.0'), encoding="utf-8"
    )
    with pytest.raises(InputError, match="does not replay"):
        places.earlier()


def test_nothing_played_is_nothing_kept(places: Places, tmp_path: Path) -> None:
    assert places.save(a_session(), []) == []
    assert not list(tmp_path.iterdir())
