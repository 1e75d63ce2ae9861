"""Tables of training runs: the checked-in specs can be read, and curves are summed up."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from mars_logic.benchmarks import training_table as table
from mars_logic.errors import InputError
from mars_logic.training import curve
from mars_logic.training.curve import Point
from tests.paths import REPOSITORY

SPECS_FOLDER = REPOSITORY / "benchmarks" / "specs" / "training"
SPECS = sorted(SPECS_FOLDER.glob("*.yaml"))


@pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.stem)
def test_the_specs_can_be_read(spec):
    jobs = table.read(spec)
    assert len({job.folder for job in jobs}) == len(jobs) > 10
    assert len(table.read(spec, seeds=1)) < len(jobs)
    assert table.read(spec, steps="5k")[0].arguments[:2] == ("--steps", "5k")


def test_a_setting_has_steps_of_its_own():
    jobs = {job.label: job for job in table.read(SPECS_FOLDER / "detectives.yaml", seeds=1)}
    assert [jobs[name].arguments[:2] for name in ("trpo", "dqn")] == [
        ("--steps", "48k"),
        ("--steps", "24k"),
    ]
    assert table.drawn(SPECS_FOLDER / "detectives.yaml") == "score"


def test_a_column_that_no_curve_has(tmp_path):
    path = tmp_path / "spec.yaml"
    path.write_text("drawn: length\n", encoding="utf-8")
    with pytest.raises(InputError, match="drawn: length; allowed: reward, score"):
        table.drawn(path)


def test_a_spec_without_worlds(tmp_path):
    path = tmp_path / "spec.yaml"
    path.write_text("seeds: [1]\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"spec.yaml:1: worlds: it is missing"):
        table.read(path)


def test_curves_are_summed_up(tmp_path):
    jobs = [table.TrainingJob("default", "a", seed, ()) for seed in (0, 1)]
    for job, reward in zip(jobs, (2.0, 4.0), strict=True):
        points = [Point(10, 1, 0.0, 0.0, 1.0, 1.0, 9.0), Point(20, 2, reward, 0.0, 6.0, 3.0, 9.0)]
        (tmp_path / job.folder).mkdir()
        curve.write(tmp_path / job.folder / "curve.csv", points)
    absent = table.TrainingJob("default", "b", 0, ())
    (row,) = table.summary([*jobs, absent], tmp_path)
    assert row["reward"]["mean"] == 3.0
    assert row["steps to 5 %"] == [20, 20]
    assert row["steps to 10 %"] == [None, None]
    text = table.page([row], "command", {"published PPO": {"default": 1.9}})
    assert "| default | 2 | 0.00 M | 3.00 | 6.00 " in text
    assert "| never | 1.9 |" in text
    text = table.page([row, row | {"setting": "b"}], "command")
    assert "| default | a | 2 |" in text and "| default | b | 2 |" in text
    for column in ("reward", "score"):
        table.draw([row], tmp_path / f"{column}.png", column)
        assert (tmp_path / f"{column}.png").stat().st_size > 1000
    assert (tmp_path / "reward.png").read_bytes() != (tmp_path / "score.png").read_bytes()
