from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from mars_logic import load_world
from mars_logic.sim import Simulator
from mars_logic.views import whole_map
from mars_logic.views.image import render
from tests.cli.conftest import Run
from tests.paths import DATA


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a certificate and a trajectory of the same episode."""
    from mars_logic.experiments.runs import Run as Runs
    from mars_logic.play.agent import load_agent

    folder = tmp_path_factory.mktemp("kept")
    world = load_world("default")
    Runs("random", load_agent("random"), world, "default", folder, folder).add(0)
    return folder


def file(folder: Path, kind: str) -> Path:
    (found,) = folder.glob(f"*.{kind}")
    return found


def test_a_certificate_and_a_trajectory_make_the_same_film(
    run: Run, kept: Path, tmp_path: Path
) -> None:
    for kind in ("json", "parquet"):
        options = ("-o", tmp_path / f"{kind}.gif", "--size", 45, "--from", 3, "--to", 20)
        done = run("render", file(kept, kind), *options, "--fps", 20)
        assert done.status == 0, done.err
        assert done.out == f"{tmp_path / kind}.gif: 18 frames of 45 × 45 pixels\n"
    assert (tmp_path / "json.gif").read_bytes() == (tmp_path / "parquet.gif").read_bytes()
    simulator = Simulator(load_world("default"))
    simulator.reset(0)
    for action in json.loads(file(kept, "json").read_text(encoding="utf-8"))["actions"][:3]:
        simulator.step(action)
    with Image.open(tmp_path / "json.gif") as film:
        first = np.asarray(film.convert("RGB")).astype(int)
        durations = 0
        for i in range(film.n_frames):
            film.seek(i)
            durations += film.info["duration"]
    assert np.abs(first - render(simulator.observe(), (45, 45))[0]).mean() < 2
    assert durations == 18 * 50


def test_json_and_sizes_that_are_not_square(run: Run, kept: Path, tmp_path: Path) -> None:
    out = tmp_path / "a.gif"
    done = run("render", file(kept, "parquet"), "-o", out, "--size", "90x45", "--to", 5, "--json")
    expected = {"file": str(out), "frames": 6, "width": 90, "height": 45}
    assert done.json == {"schema": "mars-logic render 1"} | expected
    with Image.open(out) as film:
        assert film.size == (90, 45)


def test_a_map(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "map.png"
    assert run("render", "all_three", "--seed", 5, "-o", out, "--size", 200).status == 0
    simulator = Simulator(load_world("all_three"))
    simulator.reset(5)
    with Image.open(out) as picture:
        np.testing.assert_array_equal(
            np.asarray(picture.convert("RGB")), whole_map.draw(simulator.state(), 3)
        )


def test_no_file_is_replaced_without_asking(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "map.png"
    out.write_text("mine", encoding="utf-8")
    done = run("render", "default", "-o", out)
    assert done.status == 2 and "--force" in done.err and out.read_text(encoding="utf-8") == "mine"
    assert run("render", "default", "-o", out, "--force").status == 0
    assert out.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("source", "name", "options", "message"),
    [
        ("json", "a.png", (), "unknown kind of film"),
        ("parquet", "a.avi", (), "unknown kind of film"),
        ("json", "no/a.gif", (), "no/a.gif:1: file: no such folder; allowed: "),
        ("default", "", ("--force",), ":1: file: this is a folder; allowed: "),
        ("json", "a.gif", ("--from", 99999), "--from: 99999 is too large"),
        ("json", "a.gif", ("--from", 9, "--to", 8), "--from: 9 is too large; allowed: 0 to 8"),
        ("json", "a.gif", ("--size", "8"), "--size: '8' is not possible"),
        ("json", "a.gif", ("--size", "64x"), "--size: '64x' is not possible"),
        ("json", "a.gif", ("--size", "99999"), "9 to 2048"),
        ("default", "a.gif", (), "allowed: .png"),
        ("default", "a.png", ("--size", "63"), "a map needs more pixels"),
        ("default", "a.png", ("--to", 0), "--from, --to, --captions: a map has no steps"),
        ("nothing", "a.png", (), "nothing:1: world: there is no"),
        ("missing.json", "a.gif", (), "missing.json:1: file: there is no such file"),
        ("missing.parquet", "a.gif", (), "missing.parquet:1: file: there is no such file"),
    ],
)
def test_bad_input_is_one_line(
    run: Run,
    kept: Path,
    tmp_path: Path,
    source: str,
    name: str,
    options: tuple[object, ...],
    message: str,
) -> None:
    given = file(kept, source) if source in ("json", "parquet") else source
    done = run("render", given, "-o", tmp_path / name, *options)
    assert done.status == 2 and message in done.err, done.err
    assert done.err.count("\n") == 1 and not [*tmp_path.iterdir()]


def test_an_episode_of_another_version_of_its_world(run: Run, kept: Path, tmp_path: Path) -> None:
    document = json.loads(file(kept, "json").read_text(encoding="utf-8"))
    document["world"]["digest"] = "0" * 64
    (tmp_path / "old.json").write_text(json.dumps(document), encoding="utf-8")
    done = run("render", tmp_path / "old.json", "-o", tmp_path / "a.gif")
    assert done.status == 2 and "another version of default" in done.err


def test_a_recording_is_refused_as_what_it_is(run: Run, tmp_path: Path) -> None:
    recording = min((DATA / "golden").glob("*.npz"))
    found = run("render", recording, "-o", tmp_path / "c.gif")
    assert found.status == 2
    assert found.err.startswith(f"{recording}:1: file: a recording is not drawn")
