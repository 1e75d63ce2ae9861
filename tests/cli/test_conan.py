"""The commands about Conan's scenes, one after the other on one small corpus."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from tests.cli.conftest import Run


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from mars_logic.domains.conan.blocks import write_blocks
    from mars_logic.domains.conan.corpus import CorpusSpec
    from mars_logic.domains.conan.jobs import scenes_job

    folder = tmp_path_factory.mktemp("conan") / "corpus"
    list(write_blocks(folder, scenes_job(CorpusSpec("conan", 4), 6), 1))
    return folder


def test_a_finished_folder_is_kept_and_another_corpus_refused(run: Run, tmp_path: Path) -> None:
    made = run(
        "conan", "scenes", "conan", "--scenes", "3", "--seed", "9", "-o", str(tmp_path / "a")
    )
    assert made.status == 0
    again = run(
        "conan", "scenes", "conan", "--scenes", "3", "--seed", "9", "-o", str(tmp_path / "a")
    )
    assert again.out == made.out
    other = run(
        "conan", "scenes", "conan", "--scenes", "3", "--seed", "8", "-o", str(tmp_path / "a")
    )
    assert other.status == 2
    assert "seed: results here were made from 9, not from 8; allowed: the same" in other.err


def test_worlds_without_traces_are_refused(run: Run, tmp_path: Path) -> None:
    refused = run("conan", "scenes", "crafter", "--scenes", "1", "-o", str(tmp_path / "new"))
    assert refused.status == 2
    assert "leaves no traces; allowed: conan" in refused.err
    assert not (tmp_path / "new").exists()


def test_a_scene_is_shown(run: Run, corpus: Path) -> None:
    assert "@ figure" in run("conan", "scene", str(corpus), "2").out
    assert run("conan", "scene", str(corpus), "2", "--as", "log").out.startswith("The task: ")
    assert "Tasks, by probability:" in run("conan", "scene", str(corpus), "2", "--as", "belief").out
    assert run("conan", "scene", str(corpus), "6").status == 2


@pytest.mark.slow
def test_questions_are_asked_and_answered(
    run: Run, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = run("conan", "questions", str(corpus), "--posterior", "--json")
    assert json.loads(asked.out)["questions"] > 30
    posteriors = pq.read_table(corpus / "posteriors.parquet").to_pylist()
    assert len(posteriors) == json.loads(asked.out)["questions"]
    assert all(each["determined"] == (each["posterior"] >= 0.99) for each in posteriors)
    assert sum(each["posterior"] for each in posteriors) > 0.7 * len(posteriors)
    out = tmp_path / "detected"
    found = run("conan", "detect", str(corpus), "--explorer", "all", "-o", str(out), "--json")
    rows = json.loads(found.out)["rows"]
    assert rows[0]["scenes"] == 6
    assert rows[0]["goal"] > 0.5
    assert run("summarise", str(out), "--json").out == found.out
    monkeypatch.setattr("sys.stdin", io.StringIO("dd1\nx\n" + "2\n" * 40))
    kept = tmp_path / "answers.json"
    person = run("conan", "ask", str(corpus), "1", "-o", str(kept))
    assert "right, " in person.out.splitlines()[-1]
    assert "'x' does nothing" in person.err
    assert json.loads(kept.read_text(encoding="utf-8"))["steps"] == 2
    assert run("conan", "ask", str(corpus), "1", "-o", str(kept)).status == 2


@pytest.mark.slow
def test_lives_and_careful_vandals_are_investigated(run: Run, tmp_path: Path) -> None:
    lives = str(tmp_path / "lives")
    assert (
        run("conan", "scenes", "conan", "--mode", "survival", "--scenes", "8", "-o", lives).status
        == 0
    )
    assert json.loads(run("conan", "questions", lives, "--json").out)["questions"] > 20
    found = run("conan", "detect", lives, "--explorer", "all", "-o", f"{lives}/all", "--json")
    assert json.loads(found.out)["rows"][0]["survival"] > 0.5
    assert run("conan", "scene", lives, "0", "--as", "belief").status == 2
    assert "need" not in run("conan", "scene", lives, "0", "--as", "log").out.splitlines()[0]
    careful = str(tmp_path / "careful")
    many = ("--vandal", "careful", "--tasks", "60", "--scenes", "4", "-o", careful)
    assert run("conan", "scenes", "conan", *many).status == 0
    assert run("conan", "questions", careful, "--posterior").status == 0
    run("conan", "detect", careful, "--explorer", "all", "-o", f"{careful}/all")
    both = run("summarise", f"{careful}/all", "--survival", f"{lives}/all", "--json")
    document = json.loads(both.out)
    row = document["rows"][0]
    assert row["scenes"] == 12
    parts = (row["intent"], row["intent"], row["goal"], row["survival"])
    assert row["overall"] == pytest.approx(sum(parts) / 4)
    assert sum(each["scenes"] for each in document["tasks"]) == 4
    assert {each["determined"] for each in document["determined"]} == {True, False}
    assert "among all" in run("summarise", f"{careful}/all").out


def test_vandals_that_do_not_exist_together_are_refused(run: Run, tmp_path: Path) -> None:
    out = str(tmp_path / "new")
    for given, wrong in (
        (("--vandal", "reference", "--mode", "survival"), "allowed: careful"),
        (("--tasks", "60"), "allowed: 25"),
        (("--vandal", "careful", "--tasks", "26"), "allowed: 25 or 60"),
    ):
        refused = run("conan", "scenes", "conan", *given, "--scenes", "1", "-o", out)
        assert refused.status == 2
        assert wrong in refused.err


@pytest.mark.slow
def test_films_and_reports_are_written(run: Run, corpus: Path, tmp_path: Path) -> None:
    film = tmp_path / "film.gif"
    told = run("conan", "scene", str(corpus), "2", "--as", "film", "-o", str(film)).out
    assert told == f"{film}: the film of scene 2\n"
    assert film.read_bytes()[:3] == b"GIF"
    page, drawn = tmp_path / "report.html", tmp_path / "report.png"
    walk = ("--start", "centre", "--steps", "20")
    for file, begin in ((page, b"<!doctype html>"), (drawn, b"\x89PNG")):
        assert (
            run("conan", "scene", str(corpus), "2", "--as", "report", *walk, "-o", str(file)).status
            == 0
        )
        assert file.read_bytes().startswith(begin)
    for wrong in (
        ("--as", "film"),
        ("--as", "film", "-o", str(tmp_path / "film.png")),
        ("--as", "report", "-o", str(page)),
        ("--as", "report", "--explorer", "all", "-o", str(tmp_path / "b.png")),
        ("--as", "report", "--explorer", "witness", "-o", str(tmp_path / "b.png")),
    ):
        assert run("conan", "scene", str(corpus), "2", *wrong).status == 2


@pytest.mark.slow
def test_blind_accuracies_stand_beside_those_of_balanced_questions(
    run: Run, corpus: Path, tmp_path: Path
) -> None:
    place = tmp_path / "balanced"
    place.mkdir()
    for name in ("scenes.parquet", "scenes.json"):
        (place / name).write_bytes((corpus / name).read_bytes())
    asked = run("conan", "questions", str(place), "--choices", "balanced", "--json")
    told = json.loads(asked.out)
    assert {row["by"] for row in told["shortcuts"]} == {"prior", "template", "words"}
    assert json.loads((place / "questions.json").read_text("utf-8"))["choices"] == "balanced"
    out = tmp_path / "found"
    given = ("conan", "detect", str(place), "--explorer", "all", "-o", str(out), "--json")
    rows = {row["name"]: row for row in json.loads(run(*given).out)["rows"]}
    for by in ("prior", "template", "words"):
        known = [row for row in told["shortcuts"] if row["by"] == by]
        shown = rows[f"no look: {by}"]
        assert {row["category"]: row["right"] for row in known if row["category"] != "all"} == {
            name: shown[name] for name in ("intent", "goal") if shown[name] is not None
        }
    (place / "questions.parquet").unlink()
    later = run("summarise", str(out), "--json")
    assert not any(row["name"].startswith("no look") for row in json.loads(later.out)["rows"])
    assert "accuracies without a look are left out" in later.out


@pytest.mark.slow
def test_a_witness_is_asked_on_the_way_and_at_the_end(
    run: Run, corpus: Path, tmp_path: Path
) -> None:
    if not (corpus / "questions.parquet").exists():
        assert run("conan", "questions", str(corpus)).status == 0
    out = tmp_path / "witness"
    given = ("--explorer", "witness", "--checkpoints", "-o", str(out), "--json")
    document = json.loads(run("conan", "detect", str(corpus), *given).out)
    rows = {row["name"]: row for row in document["rows"]}
    assert rows["afd, witness"]["goal"] > 0.5
    early = pq.read_table(out / "detections.parquet").to_pylist()
    first = [row for row in early if row["step"] == 0]
    assert {row["scene"] for row in first} == {*range(6)}
    at_the_end = {row["scene"]: row["traces"] for row in early if row["last"]}
    assert all(row["traces"] < at_the_end[row["scene"]] for row in first)
    assert min(at_the_end.values()) > 0.9


@pytest.mark.slow
def test_questions_are_exported_for_other_models(run: Run, corpus: Path, tmp_path: Path) -> None:
    if not (corpus / "questions.parquet").exists():
        assert run("conan", "questions", str(corpus)).status == 0
    out = tmp_path / "out"
    made = run("export", str(corpus), "--to", "questions", "-o", str(out), "--json")
    told = json.loads(made.out)
    asked = pq.read_table(corpus / "questions.parquet").to_pylist()
    lines = (out / "questions.jsonl").read_text("utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    assert told["questions"] == len(asked) == len(records)
    for row, record in zip(asked, records, strict=True):
        assert (record["scene"], record["text"], record["answer"]) == (
            row["scene"],
            row["text"],
            row["answer"],
        )
        assert record["choices"] == [row[f"words_{i}"] for i in range(4)]
    frames = np.load(out / "frames.npz")
    assert told["frames"] == len(frames["cells"]) == len(list((out / "frames").glob("*.png")))
    assert frames["cells"].shape[1:] == (9, 9)
    numbers = zip(frames["scene"].tolist(), frames["frame"].tolist(), strict=True)
    assert all((out / "frames" / f"{s:06d}-{n:02d}.png").exists() for s, n in numbers)
    card = (out / "README.md").read_text("utf-8")
    assert "| words | all |" in card
    assert f"{len(asked)} questions" in card
    again = run("export", str(corpus), "--to", "questions", "-o", str(out))
    assert again.status == 2
    public = tmp_path / "public"
    given = ("--to", "questions", "--public", "--explorer", "witness", "-o", str(public))
    assert run("export", str(corpus), *given).status == 0
    assert "answer" not in (public / "questions.jsonl").read_text("utf-8")
    assert "Answers are left out." in (public / "README.md").read_text("utf-8")


def test_options_of_other_exports_are_refused(run: Run, corpus: Path, tmp_path: Path) -> None:
    new = str(tmp_path / "new")
    for given, wrong in (
        (("default", "--to", "pddl", "--explorer", "nearest"), "--explorer: not with --to pddl"),
        ((str(corpus), "--to", "questions", "--goal", "collect_coal"), "--goal: not with"),
        ((str(corpus), "--to", "questions", "--force"), "--force: not with --to questions"),
        ((str(corpus), str(corpus), "--to", "questions"), "SOURCE: not with --to questions"),
        ((str(tmp_path), "--to", "questions"), "scenes.parquet"),
    ):
        refused = run("export", *given, "-o", new)
        assert refused.status == 2, given
        assert wrong in refused.err
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    "line",
    [
        "plan conan",
        "learn conan",
        "run oracle conan",
        "run informed conan",
        "score conan conan",
        "export conan --to pddl -o new",
        "laws records conan -o new.json",
    ],
)
def test_what_does_not_know_the_dialect_says_so_in_one_wording(line: str, run: Run) -> None:
    found = run(*line.split())
    assert found.status == 2 and not found.out
    assert found.err.endswith(" supports crafter, mars, not conan; allowed: crafter, mars\n")
