from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.paths import DATA, SHARED

GOLDEN = sorted((DATA / "golden").glob("*.npz"))


@pytest.mark.slow
def test_conform(run: Run) -> None:
    found = run("conform", *GOLDEN)
    assert found.status == 0
    assert f"{len(GOLDEN)} of {len(GOLDEN)} traces agree" in found.out


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.exists(), reason="the full set of recordings is not at hand")
def test_conform_with_all_recordings(run: Run) -> None:
    found = run("conform", *sorted((SHARED / "reference" / "golden").glob("*.npz")))
    assert found.out == "72 of 72 traces agree; 56,323 steps compared\n"


def test_conform_json(run: Run) -> None:
    (row,) = run("conform", GOLDEN[0], "--json").json["traces"]
    assert row["agrees"] and row["divergence"] is None and row["steps"] > 0


def test_conform_with_what_is_no_trace(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.npz").write_text("hello", encoding="utf-8")
    found = run("conform", tmp_path / "bad.npz")
    assert found.status == 2 and "bad.npz" in found.err and "Traceback" not in found.err


@pytest.fixture
def certificate(run: Run, tmp_path: Path) -> Path:
    assert run("run", "random", "default", "--episodes", 1, "--out", tmp_path).status == 0
    (path,) = tmp_path.glob("*.json")
    return path


def test_verify(run: Run, certificate: Path) -> None:
    found = run("verify", certificate)
    assert found.status == 0 and f"{certificate}: valid, default, " in found.out
    (row,) = run("verify", certificate, "--json").json
    assert row["valid"] and row["certificate"] == str(certificate) and row["problems"] == []


def test_verify_a_folder(run: Run, certificate: Path) -> None:
    (certificate.parent / "notes.json").write_text('{"schema": "mine"}', encoding="utf-8")
    found = run("verify", certificate.parent)
    assert found.status == 0 and found.out.count(": valid") == 1
    (certificate.parent / "damaged.json").write_text("{", encoding="utf-8")
    assert "damaged.json" in run("verify", certificate.parent).err


def test_verify_finds_tampering(run: Run, certificate: Path) -> None:
    document = json.loads(certificate.read_text(encoding="utf-8"))
    document["unlocked"]["collect_diamond"] = 1
    certificate.write_text(json.dumps(document), encoding="utf-8")
    found = run("verify", certificate)
    assert found.status == 1
    assert "NOT VALID" in found.out
    assert "collect_diamond is claimed at step 1 and was unlocked never" in found.out


def test_verify_what_is_no_certificate(run: Run, tmp_path: Path) -> None:
    found = run("verify", tmp_path / "nowhere.json")
    assert found.status == 2 and "no such file" in found.err


def test_an_unknown_puzzle_does_not_refuse_other_recordings(run: Run, tmp_path: Path) -> None:
    known = DATA / "rulearn" / "escape_room.jsonl"
    line = json.loads(known.read_text(encoding="utf-8").splitlines()[0])
    puzzle = f"rulearn/{line['puzzle']['id']}"
    line["puzzle"]["id"] = "mine"
    own = tmp_path / "own.jsonl"
    own.write_text(json.dumps(line) + "\n", encoding="utf-8")
    found = run("conform", own, known)
    assert found.status == 2
    assert f"{own}:1: puzzle.id: " in found.err and "--puzzles FILE" in found.err
    assert "1 of 1 recordings of games agree" in found.out
    shown = run("show", puzzle, "--solution", "--as", "yaml", "-o", tmp_path / "mine.yaml")
    assert shown.status == 0
    found = run("conform", own, known, "--puzzles", tmp_path / "mine.yaml")
    assert found.status == 0 and "2 of 2 recordings of games agree" in found.out
    found = run("conform", own, "--puzzles", tmp_path / "missing.yaml")
    assert found.status == 2 and "missing.yaml" in found.err
    (tmp_path / "game.yaml").write_text(
        "domain: bandits\nlength: 9\narms: [{probability: 1}, {probability: 0}]\n", encoding="utf-8"
    )
    found = run("conform", own, "--puzzles", tmp_path / "game.yaml")
    assert found.status == 2 and "allowed: a puzzle" in found.err
