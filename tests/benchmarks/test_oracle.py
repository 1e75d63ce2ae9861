"""The oracle's benchmark: what is kept is taken, and tables say what was found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from mars_logic.benchmarks import oracle_episodes
from mars_logic.benchmarks.oracle_episodes import OracleJob, OracleOutcome, played
from mars_logic.benchmarks.oracle_page import document, gap_chart, page, summary
from mars_logic.errors import InputError
from mars_logic.experiments.luck import Hope
from mars_logic.play.certificate import load, verify
from mars_logic.world.load import load_world
from mars_logic.world.vocabulary import vocabulary

WORLD = "surv_task"


def outcome(seed: int, **changes: object) -> OracleOutcome:
    whole = OracleOutcome(
        "mars-logic oracle outcome 2",
        "oracle",
        "default",
        "default",
        load_world("default").digest,
        seed,
        "complete",
        300 + seed,
        21.9,
        {"collect_wood": 5, "eat_plant": 200 + seed, "collect_sapling": 290},
        [],
        {},
        None,
        {"collect_sapling": Hope(True, 0.9, 0.5, 1, 2, came=True)},
        4.0,
        200.0,
        180.0,
    )
    return replace(whole, **changes)  # type: ignore[arg-type]


LOST = {"ended": "death", "missed": {"eat_plant": "died: zombie"}, "died_of": "zombie"}
OUTCOMES = [outcome(0), outcome(1), outcome(2, **LOST), outcome(3, **LOST)]
JUDGED = [outcome(2, who="clairvoyant"), outcome(3, who="clairvoyant", **LOST)]


def test_a_row_of_the_table() -> None:
    row = summary([*OUTCOMES, *JUDGED])
    assert (row["episodes"], row["complete"], row["died"]) == (4, 0.5, 2)
    # What hangs on luck does not count as needed.
    assert row["steps"]["median"] == 200.5
    assert row["failures"] == {"died: zombie": {"episodes": 2, "missed": {"eat_plant": 2}}}
    assert row["blame"] == {"bad play": 1, "bad luck": 1}
    assert row["luck"]["collect_sapling"]["expected"] == 0.75
    assert summary(OUTCOMES)["blame"] is None


def test_the_page_names_every_failure_and_what_is_no_failure() -> None:
    barred = outcome(4, unreachable=["collect_diamond"])
    text = page(document([*OUTCOMES, barred, *JUDGED], {"cores": "2"}))
    assert "| default | died: zombie | 2 | eat_plant 2 |" in text
    assert "| default | proved unreachable (no failure) | 1 | collect_diamond |" in text
    told = (
        "Published results of PPO, DreamerV3 (20 episodes of at most 1,000 steps) are left out, "
        "since episodes differ here: "
    )
    assert f"{told}oracle (given rules, whole map): 5 episodes" in text
    assert "cores 2" in text


def test_published_rewards_stand_beside_as_many_of_the_first_episodes() -> None:
    many = [outcome(seed, reward=21.0 if seed < 20 else 0.0) for seed in range(30)]
    text = page(document(many, {"cores": "2"}))
    assert "| reward | oracle (given rules, whole map) | PPO | DreamerV3 |" in text
    assert "| default | 21.0 ± 0.0 | 1.9 ± 1.4 | 11.5 ± 1.6 |" in text


def test_the_gap_is_that_of_episodes_in_which_all_was_unlocked() -> None:
    every = {name: 10 * k for k, name in enumerate(vocabulary("mars").achievements, 1)}
    bounds = {k: 5 * k for k in range(1, 23)}
    whole = [outcome(k, unlocked=every, luck={}, lower_bounds=bounds) for k in range(2)]
    # One that nobody knows to be out of reach, and that was not unlocked.
    unknown = outcome(2, unlocked=dict(list(every.items())[:21]), luck={}, lower_bounds=bounds)
    found = gap_chart([*whole, unknown])
    assert found and found == gap_chart(whole)
    assert [spread.median for spread in found.lines[0].y] == [10 * k for k in range(1, 23)]
    assert gap_chart([unknown]) is None


@pytest.mark.slow
def test_an_episode_is_played_once_and_then_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = OracleJob("oracle", WORLD, WORLD, 4, tmp_path)
    first = played(job)
    certificate = load(tmp_path / f"{WORLD}__oracle__s4.json")
    assert verify(certificate, load_world(WORLD)).valid
    assert first.unlocked == certificate.unlocked and first.milliseconds > 0
    assert first.complete == (first.missed == {})
    assert first.slowest_replan is not None and 0 < first.slowest_replan <= first.slowest
    monkeypatch.setattr(oracle_episodes, "_outcome", None)  # nothing is played any more
    assert played(job) == first
    kept = tmp_path / f"{WORLD}__oracle__s4.outcome.json"
    kept.write_text(
        kept.read_text(encoding="utf-8").replace(first.digest, "0" * 64), encoding="utf-8"
    )
    with pytest.raises(InputError, match="it holds another episode"):
        played(job)
