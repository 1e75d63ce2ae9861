"""Curves of training runs: which runs make one curve, what it is called, what is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from mars_logic.errors import InputError
from mars_logic.training import curve
from mars_logic.training.curve import Point
from mars_logic.training.settings import Settings, hyperparameters
from mars_logic.training.settings_file import CURVE, write_settings
from mars_logic.training.trained import trained_runs
from mars_logic.views.report import page, source
from mars_logic.views.report.charts import Curve, chart
from mars_logic.views.report.training_curves import MOST_POINTS, MOST_RUNS, TrainedRun, training


def trained(
    name: str, seed: str = "0", rewards: tuple[float, ...] = (1.0, 2.0), **stated: str
) -> TrainedRun:
    steps = tuple(range(100, 100 * len(rewards) + 1, 100))
    columns = ("reward", "trained", "score", "unlocked", "length")
    settings = {"algorithm": "ppo", "reward": "crafter"} | stated | {"seed": seed}
    return TrainedRun(name, "default", settings, steps, dict.fromkeys(columns, rewards))


def written(folder: Path, seed: int, first: int = 1) -> None:
    """A folder as `train` leaves it, with a curve from one of its rows on."""
    settings = Settings(
        *("default", "0", "simple_ppo", "symbolic", "crafter", None, None, None, 32, seed, None),
        hyperparameters("simple_ppo", {}),
    )
    folder.mkdir(parents=True)
    write_settings(folder, settings)
    rows = [Point(2048 * n, n, n / 2, n / 2, 1.0, 2.0, 50.0) for n in range(first, 11)]
    curve.write(folder / CURVE, rows)


def test_runs_that_differ_in_the_seed_are_one_curve(tmp_path: Path) -> None:
    """Also if no episode had ended at the first row of one of them."""
    written(tmp_path / "a", 0)
    written(tmp_path / "b", 1, first=3)
    runs = [run for name in ("a", "b") for run in trained_runs(tmp_path / name)]
    assert runs == trained_runs(tmp_path)
    (table,) = training(runs)["training"]
    assert [(name, last) for name, _, last in table.key] == [
        ("a (2 seeds)", "reward 5.0, score 1.0 % after 20,480 steps")
    ]
    assert [title for title, _ in table.charts] == [
        *("Reward of Crafter", "Score (%)", "Achievements unlocked", "Steps of an episode")
    ]
    assert table.charts[0][1].count('class="run"') == 2 and ">20k<" in table.charts[0][1]
    assert "algorithm simple_ppo" in table.common and "seed" not in table.common
    material = source.read(tmp_path, trained=runs)
    html = page.report(material, 9)
    assert 'id="training"' in html and 'id="results"' not in html
    assert "2 training runs" in html


def test_curves_are_named_by_the_settings_in_which_they_differ() -> None:
    runs = [trained("a"), trained("b", "1"), trained("c", reward="laws", laws="true")]
    (table,) = training(runs)["training"]
    assert [name for name, _, _ in table.key] == [
        "reward crafter, laws none (2 seeds)",
        "reward laws, laws true",
    ]


def test_runs_that_cannot_be_averaged_have_a_curve_each() -> None:
    shifted = TrainedRun("b", "default", trained("a").settings, (70, 170), trained("a").values)
    (table,) = training([trained("a"), shifted])["training"]
    assert [name for name, _, _ in table.key] == ["a", "b"]


def test_what_is_left_out_is_told() -> None:
    runs = [trained(f"r{n}", str(n)) for n in range(MOST_RUNS + 2)]
    found = training([*runs, trained("empty", rewards=())])
    assert found["training_notes"] == [
        "No episode has ended yet in empty.",
        f"2 more runs: a page draws {MOST_RUNS}.",
    ]
    long = trained("long", rewards=tuple(map(float, range(5 * MOST_POINTS + 3))))
    (table,) = training([long])["training"]
    line = table.charts[0][1].partition('class="mean" d="')[2].partition('"')[0]
    assert line.count("L") < MOST_POINTS


def test_values_stand_at_their_places() -> None:
    svg = chart("Reward", [Curve("a", ((0.0, 20_000.0),), at=(0, 1_500_000))], over="steps")
    assert 'd="M48 156L300 12"' in svg and ">1.5M<" in svg and ">20k<" in svg


def test_a_damaged_run_is_refused(tmp_path: Path) -> None:
    written(tmp_path / "a", 0)
    (tmp_path / "a" / CURVE).write_text("steps\n1\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"curve.csv:1: row: 'steps'"):
        trained_runs(tmp_path)
    (tmp_path / "a" / "training.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="no file of a training run"):
        trained_runs(tmp_path)
