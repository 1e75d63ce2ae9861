"""Units of work: their rows and files, and the same again."""

from __future__ import annotations

import io
import json
from typing import Any

import pyarrow.parquet as pq
import pytest

from mars_logic.experiments.cluster import in_processes
from mars_logic.experiments.layout import ROWS
from mars_logic.experiments.record import COLUMNS, TIMES, Files
from mars_logic.experiments.work import Failure, attempt, carry_out
from mars_logic.play.certificate import Certificate, verify
from mars_logic.system.installed import installed_version
from mars_logic.world.load import load_world, parse_theory
from tests.experiments.units import nothing_but_seed_1_dies, unit


def rows(files: Files) -> list[dict[str, Any]]:
    table = pq.read_table(io.BytesIO(files[ROWS]))
    assert table.schema.names == COLUMNS.names and table.schema.metadata == COLUMNS.metadata
    assert tuple(table.schema.names[-3:]) == TIMES
    return table.to_pylist()  # type: ignore[no-any-return]


def timeless(files: Files) -> dict[str, Any]:
    """What has to be the same when it is done again."""
    kept = [{k: v for k, v in row.items() if k not in TIMES} for row in rows(files)]
    return files | {ROWS: kept}


@pytest.mark.slow
def test_an_episode_is_a_row_and_a_certificate() -> None:
    files = carry_out(unit(3, agent="oracle", label="best", length=40))
    (row,) = rows(files)
    assert (row["unit"], row["agent"], row["agent_name"]) == ("default__best__s3", "best", "oracle")
    assert (row["seed"], row["episode"], row["phase"], row["steps"]) == (3, 1, "play", 40)
    assert row["precision"] is None and row["revisions"] is None
    assert 0 < row["seconds_per_decision"] < row["seconds"] and row["peak_memory_mib"] > 50
    assert row["certificate"] == "units/default__best__s3/certificates/e1.json"
    kept = Certificate.model_validate_json(files["certificates/e1.json"])
    assert verify(kept, load_world("default")).valid
    assert dict(row["unlocked"]) == kept.unlocked and row["reward"] == kept.reward
    told = json.loads(files["thoughts/e1.json"])
    assert told["schema"] == "mars-logic thoughts 1"
    steps = [thought["step"] for thought in told["thoughts"]]
    assert steps[0] == 1 and steps == sorted(set(steps)) and steps[-1] <= 40
    pairs = zip(told["thoughts"], told["thoughts"][1:], strict=False)
    assert all((a["layer"], a["what"]) != (b["layer"], b["what"]) for a, b in pairs)
    assert timeless(carry_out(unit(3, agent="oracle", label="best", length=40))) == timeless(files)


def test_what_is_not_to_be_kept_is_not() -> None:
    files = carry_out(unit(certificates=False, thoughts=False))
    assert sorted(files) == ["episodes.parquet", "unit.json"]
    assert json.loads(files["unit.json"])["program"] == installed_version()
    assert rows(files)[0]["certificate"] is None


@pytest.mark.slow
def test_an_agent_may_play_the_maps_that_learners_are_evaluated_on() -> None:
    files = carry_out(unit(2, evaluate=2))
    assert [(row["seed"], row["phase"]) for row in rows(files)] == [
        (1_000_002, "evaluate"),
        (2_000_002, "evaluate"),
    ]


@pytest.mark.slow
def test_a_learner_keeps_its_theory_after_every_episode() -> None:
    asked = unit(7, agent="inductive", label="learner", learn=2, evaluate=1, length=60)
    files = carry_out(asked)
    found = rows(files)
    assert [(row["phase"], row["seed"], row["episode"]) for row in found] == [
        ("learn", 7, 1),
        ("learn", 7, 2),
        ("evaluate", 1_000_007, 1),
    ]
    theories = [parse_theory(files[f"theories/e{k}.yaml"].decode(), "t.yaml") for k in (1, 2)]
    assert files["theory.yaml"] == files["theories/e2.yaml"]
    assert theories[0].dynamics == "mars"
    assert all(0 < row["precision"] <= 1 and 0 < row["recall"] <= 1 for row in found)
    told = json.loads(files["revisions.json"])
    assert [sum(each["episode"] == k for each in told) for k in (1, 2)] == [
        row["revisions"] for row in found[:2]
    ]
    assert all(json.loads(files[f"thoughts/e{k}.json"])["thoughts"] for k in (1, 2, 3))
    for k in (1, 2, 3):
        kept = Certificate.model_validate_json(files[f"certificates/e{k}.json"])
        assert verify(kept, load_world("default")).valid


def test_what_goes_wrong_is_an_outcome() -> None:
    found = attempt(unit(agent="clairvoyant", options='{"depth": 3}'))
    assert isinstance(found, Failure)
    assert found.reason.startswith("TypeError: ") and "Traceback" in found.details


@pytest.mark.slow
def test_a_process_that_dies_takes_nobody_with_it() -> None:
    units = [unit(seed) for seed in range(4)]
    found = dict(in_processes(units, 2, nothing_but_seed_1_dies))
    assert set(found) == set(units)
    for asked, outcome in found.items():
        if asked.seed == 1:
            assert outcome == Failure(*["the process that did it died"] * 2)
        else:
            assert outcome == {"seed": str(asked.seed).encode()}


@pytest.mark.slow
def test_rows_and_certificates_record_the_belief() -> None:
    belief = load_world("all_three")
    given = carry_out(unit(agent="informed", label="informed", length=20, belief=belief))
    (row,) = rows(given)
    assert row["belief"] == belief.digest and row["options"] == "{}"
    kept = Certificate.model_validate_json(given["certificates/e1.json"])
    assert kept.belief == belief.digest and verify(kept, load_world("default")).valid
    assert json.loads(given["unit.json"])["identity"]["belief"] == belief.digest
    (plain,) = rows(carry_out(unit(length=5)))
    assert plain["belief"] is None
