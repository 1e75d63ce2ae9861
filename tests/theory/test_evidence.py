"""The compiled reading of trajectories finds exactly what the plain one does."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from mars_logic import bundled_worlds, load_world
from mars_logic.agents.oracle import OracleAgent
from mars_logic.agents.random import RandomAgent
from mars_logic.data import About, Trajectory
from mars_logic.data.trajectory import DONE, SEEN, assemble, columns
from mars_logic.errors import InputError
from mars_logic.theory import Evidence, Occurrence, check
from mars_logic.theory.check import CheckReport
from mars_logic.theory.claims import Judgement, values_of
from mars_logic.theory.evidence.equivalence import _forget, condensed
from mars_logic.theory.signature_claims import signature_claims
from mars_logic.theory.signatures import Motion, Start, Unharmed
from mars_logic.world import names
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import UNKNOWN, Alternatives
from tests.theory.plain.evidence import PlainEvidence
from tests.theory.plain.manners import REST
from tests.theory.play import Busy, evidence, play
from tests.theory.worlds import fields, random_world, with_field, wrong_values

SEEDS = st.integers(0, 2**30)


def require_equal(fast: Evidence, trajectories: list[Trajectory]) -> None:
    """Signatures, counts, first places, and the order of it all."""
    plain = PlainEvidence.of(trajectories)
    assert list(fast.signatures.items()) == list(plain.signatures.items())
    assert fast.transitions == plain.transitions


# --- The same as the plain reading ----------------------------------------------------------------


@pytest.mark.parametrize("name", bundled_worlds())
def test_play_in_bundled_worlds(name: str) -> None:
    world = load_world(name)
    trajectories = [*play(world, range(4), Busy()), *play(world, range(4), RandomAgent())]
    require_equal(Evidence.of(trajectories), trajectories)


@settings(max_examples=25, deadline=None)
@given(SEEDS)
def test_play_in_random_worlds(seed: int) -> None:
    trajectories = play(random_world(seed), range(seed, seed + 2))
    require_equal(Evidence.of(trajectories), trajectories)


@pytest.mark.slow
def test_play_of_the_oracle() -> None:
    trajectories = play(load_world("default"), [0], OracleAgent())
    require_equal(Evidence.of(trajectories), trajectories)


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(SEEDS, st.sampled_from(names.DYNAMICS))
def test_views_that_no_world_shows(seed: int, dynamics: names.Dynamics) -> None:
    random = np.random.default_rng(seed)
    trajectories = [made_up(random, dynamics) for _ in range(3)]
    require_equal(Evidence.of(trajectories), trajectories)


def made_up(random: np.random.Generator, dynamics: names.Dynamics) -> Trajectory:
    """Something like an episode, in which anything may happen beside anything."""
    steps = int(random.integers(1, 80))
    materials = random.choice(len(names.MATERIALS), random.integers(1, 4), replace=False)
    ground = random.choice(materials, (40, 40)).astype(np.uint8)
    looks = np.zeros((40, 40), np.uint8)
    changes = random.random() * 0.05
    crowd = random.choice([0.01, 0.05, 0.3])
    still = random.random() < 0.5
    arrays = empty_arrays(steps)
    arrays["action"][:] = random.choice([*range(len(names.ACTIONS)), *[1, 2, 3, 4, 5] * 4], steps)
    if still:
        arrays["action"][:] = random.choice([0, 5, 6], steps)
    place = np.array([20, 20])
    inventory = random.integers(0, 10, len(names.ITEMS))
    for t in range(steps + 1):
        if not still or t == 0:
            moving = random.random((40, 40)) < (0.3 if t else 1)
            new = np.where(random.random((40, 40)) < crowd, random.integers(2, 12, (40, 40)), 0)
            looks = np.where(moving, new, looks).astype(np.uint8)
        changed = random.random((40, 40)) < changes / 63
        ground = np.where(changed, random.choice(12, (40, 40)), ground).astype(np.uint8)
        x, y = place
        arrays["materials"][t] = ground[x - 4 : x + 5, y - 3 : y + 4]
        arrays["objects"][t] = looks[x - 4 : x + 5, y - 3 : y + 4]
        arrays["objects"][t, 4, 3] = 1
        arrays["inventory"][t] = inventory
        arrays["facing"][t] = random.choice([(-1, 0), (1, 0), (0, -1), (0, 1)])
        arrays["sleeping"][t] = random.random() < 0.1
        if t < steps and 1 <= (action := arrays["action"][t]) <= 4 and random.random() < 0.7:
            step = [(-1, 0), (1, 0), (0, -1), (0, 1)][action - 1]
            place = np.clip(place + step, 5, 34)
        jump = random.random(len(inventory)) < 0.1
        inventory = np.clip(inventory + jump * random.integers(-2, 3, len(inventory)), 0, 9)
    arrays["unlocked"][:] = random.random((steps, 22)) < 0.05
    return assemble(About("made up", "", dynamics, 0), arrays)


def empty_arrays(steps: int) -> dict[str, NDArray[Any]]:
    """The arrays of a trajectory."""
    rows = {True: steps + 1, False: steps}
    return {
        name: np.zeros((rows[name in SEEN], *shape), dtype)
        for name, (dtype, shape) in (SEEN | DONE).items()  # type: ignore[operator]
    }


def test_a_hit_of_one_who_dies_anyway_cannot_be_seen() -> None:
    """Starving takes the last of health, so that whether the zombie hit too is hidden."""
    steps = 16  # after so many, starving takes 1
    arrays = empty_arrays(steps)
    arrays["materials"][:] = names.MATERIALS.index("grass")
    arrays["objects"][:, 4, 3] = names.LOOKS.index("player")
    arrays["objects"][:, 4, 4] = names.LOOKS.index("zombie")
    arrays["inventory"][:] = [1, 0, *[9] * 2, *[0] * len(names.HOLDABLE)]
    arrays["inventory"][-1, 0] = 0
    arrays["facing"][:] = (1, 0)
    trajectory = assemble(About("made up", "", "mars", 0), arrays)
    found = Evidence.of([trajectory])
    assert found.signatures[Unharmed("zombie", True)].count == steps - 1 - REST
    require_equal(found, [trajectory])


# --- However it is read ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played() -> list[Trajectory]:
    return [
        replace(trajectory, source=f"number {i}")
        for i, trajectory in enumerate(play(load_world("default"), range(30)))
    ]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_number_of_threads_does_not_matter(played: list[Trajectory], threads: int) -> None:
    found = Evidence.of(iter(played), threads=threads)
    require_equal(found, played)
    assert len(found.signatures) > 600, "the table had to grow"


@pytest.mark.parametrize("enough", [1, 300, 10**9])
def test_how_many_are_read_at_once_does_not_matter(
    played: list[Trajectory], enough: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mars_logic.theory.evidence.reader.ENOUGH", enough)
    nothing = assemble(played[0].about, {k: v[: k in SEEN] for k, v in columns(played[0]).items()})
    mixed = [*played[:5], nothing, *played[5:]]
    found = Evidence.of(mixed, threads=2)
    assert list(found.signatures.items()) == list(Evidence.of(played).signatures.items())
    assert found.transitions == sum(map(len, played))


def test_evidence_grows(played: list[Trajectory]) -> None:
    found = Evidence.of(played[:20], threads=3)
    known = dict(found.signatures)
    for trajectory in played[20:]:
        found.add(trajectory)
    require_equal(found, played)
    assert list(known) == list(found.signatures)[: len(known)]


def test_arrays_of_other_kinds(played: list[Trajectory]) -> None:
    (trajectory,) = played[:1]
    wide = {name: np.asfortranarray(array) for name, array in columns(trajectory).items()}
    wide["inventory"] = wide["inventory"].astype(np.int64)
    wide = {name: np.repeat(array, 2, axis=0)[::2] for name, array in wide.items()}
    other = replace(assemble(trajectory.about, wide), source=trajectory.source)
    assert Evidence.of([other]).signatures == Evidence.of([trajectory]).signatures
    require_equal(Evidence.of([*played[:5], other, *played[5:]]), [*played[:5], other, *played[5:]])


def test_wide_arrays_among_others(played: list[Trajectory]) -> None:
    (trajectory,) = played[:1]
    wide = {name: array.astype(np.int64) for name, array in columns(trajectory).items()}
    other = replace(assemble(trajectory.about, wide), source=trajectory.source)
    require_equal(Evidence.of([*played[:5], other]), [*played[:5], trajectory])


def test_some_kinds_can_be_left_out(played: list[Trajectory]) -> None:
    whole = Evidence.of(played)
    rest = whole.without(Start, Motion)
    kept = {s: e for s, e in whole.signatures.items() if not isinstance(s, Start | Motion)}
    assert rest.signatures == kept and rest.transitions == whole.transitions
    rest.add(played[0])
    assert Start("grass") in rest.signatures
    assert rest.signatures[Start("grass")].first == Occurrence("number 0", 0)


# --- What cannot be -------------------------------------------------------------------------------


WRONG = [
    ("materials", 13, "13 is too large; allowed: 0 to 12"),
    ("materials", 255, "255 is too large; allowed: 0 to 12"),
    ("objects", 12, "12 is too large; allowed: 0 to 11"),
    ("inventory", 10, "10 is too large; allowed: 0 to 9"),
    ("action", 17, "17 is too large; allowed: 0 to 16"),
    ("facing", 1, "not a direction; allowed: "),
    ("facing", 7, "not a direction; allowed: "),
]


@pytest.mark.parametrize(("name", "value", "message"), WRONG)
def test_impossible_values_are_refused(
    played: list[Trajectory], name: str, value: int, message: str
) -> None:
    found = Evidence.of(played[:2])
    known = dict(found.signatures)
    arrays = {column: array.copy() for column, array in columns(played[2]).items()}
    arrays[name][len(arrays[name]) // 2] = value
    with pytest.raises(InputError, match=f"^spoilt:1: {name}: {message}"):
        found.add(replace(assemble(played[2].about, arrays), source="spoilt"))
    assert found.signatures == known
    assert found.transitions == sum(map(len, played[:2]))


def test_arrays_that_do_not_fit_together_are_refused(played: list[Trajectory]) -> None:
    arrays = columns(played[0]) | {"inventory": played[0].views.inventory[:-3]}
    with pytest.raises(InputError, match=r"number 0:1: inventory: it has .* moments"):
        Evidence.of([replace(assemble(played[0].about, arrays), source="number 0")])


@pytest.mark.parametrize("threads", [1, 3])
def test_what_fails_first_is_reported(played: list[Trajectory], threads: int) -> None:
    def loading() -> Iterator[Trajectory]:
        yield from played[:9]
        raise InputError("number 9 cannot be read")

    with pytest.raises(InputError, match="number 9 cannot be read"):
        Evidence.of(loading(), threads=threads)


# --- What a theory cannot tell apart --------------------------------------------------------------


def require_same_report(theory: Theory, found: Evidence) -> CheckReport:
    report = check(theory, found, jointly=False)
    with pytest.MonkeyPatch.context() as patch:
        module = sys.modules["mars_logic.theory.check"]
        patch.setattr(module, "condensed", lambda found, _: found)
        assert check(theory, found, jointly=False) == report
    return report


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(bundled_worlds()), SEEDS)
def test_grouping_changes_no_verdict(name: str, seed: int) -> None:
    random = np.random.default_rng(seed)
    truth = load_world(name)
    theory = Theory.from_world(truth)
    for i in random.permutation(len(fields(truth)))[:30]:
        field = fields(truth)[i]
        if values := wrong_values(truth, field):
            wrong = values[random.integers(len(values))]
            right = getattr(truth[field[0]], field[1])
            either = Alternatives.of([(wrong, 0.5), (right, 0.5)])
            theory = with_field(theory, field, [wrong, either, UNKNOWN][random.integers(3)])
    require_same_report(theory, evidence(name))


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(SEEDS, SEEDS)
def test_grouping_under_any_rules(truth: int, belief: int) -> None:
    found = Evidence.of(play(random_world(truth), range(3)))
    assert require_same_report(random_world(truth), found).conflicts == ()
    require_same_report(random_world(belief), found)


@pytest.mark.slow
def test_each_of_a_group_is_judged_as_the_first() -> None:
    """Whatever single field is wrong or in doubt: of every rule, and of rules to come."""
    truth = load_world("survival")
    theory = Theory.from_world(truth)
    worlds = [truth, *map(random_world, range(6))]  # so that all kinds of outcomes are seen
    found = Evidence.of(trajectory for world in worlds for trajectory in play(world, range(3)))
    reading: dict[str, list[int]] = {}
    for place, signature in enumerate(found.signatures):
        rules = {
            rule for claim in signature_claims(signature, found.dynamics) for rule, _ in claim.reads
        }
        for rule in rules:
            reading.setdefault(rule, []).append(place)
    together = 0
    for field in fields(truth):
        part = found.of_rows(found.rows[reading.get(field[0], [])])
        for wrong in wrong_values(truth, field)[:1]:
            either = Alternatives.of([(wrong, 0.5), (getattr(truth[field[0]], field[1]), 0.5)])
            for value in (wrong, either):
                values = values_of(with_field(theory, field, value))
                words = part.rows["words"].copy()
                _forget(words.view(np.uint64), values, found.words)
                firsts: dict[bytes, list[Judgement]] = {}
                for signature, key in zip(part.signatures, words, strict=True):
                    judged = [c.judge(values) for c in signature_claims(signature, found.dynamics)]
                    assert firsts.setdefault(key.tobytes(), judged) == judged, (field, signature)
                together += len(words) - len(firsts)
    assert together > 1000


def test_most_signatures_are_alike() -> None:
    found = evidence("default", 40)
    groups = condensed(found, load_world("default"))
    assert 2.5 * len(groups.signatures) < len(found.signatures)
    assert groups.signatures.keys() <= found.signatures.keys()
    assert groups.rows["count"].sum() == found.rows["count"].sum()
