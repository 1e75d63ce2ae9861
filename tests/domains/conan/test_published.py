"""Published rows, what of ours compares with them, and intervals of ours."""

from __future__ import annotations

import numpy as np
import pytest

from mars_logic.domains.conan.detective.posterior import FITTED, bundled_likelihood
from mars_logic.domains.conan.detective.published import (
    EMPTY,
    IDEAL,
    TASKS,
    TRPO,
    compares,
    published_rows,
)
from mars_logic.domains.conan.detective.summary import half_width
from mars_logic.domains.conan.vandal.tasks import ALL_TASKS
from mars_logic.domains.conan.vandal.tasks import TASKS as KNOWN


def test_all_published_rows_are_there() -> None:
    rows = {row["name"]: row for row in published_rows()}
    assert len(rows) == 16
    for name, row in rows.items():
        if EMPTY in name:
            assert row["goal"] is not None
            assert row["overall"] is None
            continue
        mean = (2 * row["intent"] + row["goal"] + row["survival"]) / 4
        assert mean == pytest.approx(row["overall"], abs=0.0016), name  # they round to .001
    assert set(TASKS) == set(KNOWN)


@pytest.mark.parametrize(
    ("given", "with_what"),
    [
        (("witness", "far", 500), IDEAL),
        (("nearest", "centre", 500), TRPO),
        (("curious", "centre", 500), TRPO),
        (("nearest", "centre", 100), "none"),
        (("nearest", "far", 500), "none"),
        (("all", "centre", 500), "none"),
    ],
)
def test_rows_compare_where_as_much_was_seen(given: tuple[str, str, int], with_what: str) -> None:
    assert compares(*given).startswith(with_what)


def test_intervals_take_scenes_for_what_is_drawn() -> None:
    """Ten questions of a scene that are all right or all wrong tell as much as one."""
    rng = np.random.RandomState(3)
    right = rng.random_sample(400) < 0.8
    alone = [row(scene, hit) for scene, hit in enumerate(right.tolist())]
    tenfold = [each for each in alone for _ in range(10)]
    expected = 1.96 * (right.mean() * (1 - right.mean()) / 400) ** 0.5
    assert half_width(alone, "goal") == pytest.approx(expected)
    assert half_width(tenfold, "goal") == pytest.approx(expected)
    assert half_width(alone, "intent") is None


def row(scene: int, hit: bool) -> dict[str, object]:
    return {"scene": scene, "category": "goal", "choice": "a" if hit else "b", "answer": "a"}


def test_each_kind_of_corpus_has_weights_of_its_own() -> None:
    found = {kind: bundled_likelihood(*kind) for kind in FITTED}
    for (_, tasks), likelihood in found.items():
        assert set(likelihood.success) == set(ALL_TASKS[:tasks])
    assert len({each.origin for each in found.values()}) == len(FITTED)
