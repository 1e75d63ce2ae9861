"""Files about Conan's scenes that are damaged: one message each, and nothing is lost."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.cli.conftest import Outcome, Run
from tests.domains.conan import damages

READERS: Final[dict[str, tuple[str, ...]]] = {
    "scenes.parquet": (
        "conan scene corpus 1",
        "conan questions corpus",
        "conan detect corpus --explorer all -o new",
        "conan ask corpus 1",
    ),
    "questions.parquet": (
        "conan detect corpus --explorer all -o new",
        "conan questions corpus",
        "conan ask corpus 1",
    ),
    "detections.parquet": (
        "summarise detected",
        "conan detect corpus --explorer all -o detected",
        "summarise other --survival detected",
    ),
    "posteriors.parquet": ("summarise detected", "conan questions corpus --posterior"),
}
"""Commands that read each file; the first one is tried by default."""
PLACES: Final = dict.fromkeys(READERS, "corpus") | {"detections.parquet": "detected"}
SIDECARS: Final = {
    "corpus/scenes.json": "conan scenes conan --scenes 2 -o corpus",
    "corpus/questions.json": "conan questions corpus",
    "corpus/posteriors.json": "conan questions corpus --posterior",
    "detected/detections.json": "summarise detected",
}
MODES: Final = {
    "task": ("--seed", "3"),
    "survival": ("--mode", "survival", "--seed", "3"),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Corpora of two scenes of each mode, with everything that commands write about them."""
    from tests.domains.conan.commands import command

    root = tmp_path_factory.mktemp("conan")
    for mode, how in MODES.items():
        folder = root / mode
        folder.mkdir()
        command(folder, "scenes", "conan", "--scenes", "2", *how, "-o", "corpus")
        command(folder, "conan", "questions", "corpus", "--posterior")
        for out in ("detected", "other"):
            command(folder, "conan", "detect", "corpus", "--explorer", "all", "-o", out)
    return root


@pytest.fixture
def folder(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    copy = tmp_path / "copy"
    shutil.copytree(made / "task", copy)
    monkeypatch.chdir(copy)
    return copy


def is_refusal(outcome: Outcome, place: str) -> str:
    """What is wrong with an outcome that should be one message about a place; empty if nothing."""
    lines = outcome.err.strip().splitlines()
    form = rf"^(error: )?{re.escape(place)}:\d+: .+: .+; allowed: .+$"
    if outcome.status != 2 or len(lines) != 1 or not re.match(form, lines[-1]):
        return f"status {outcome.status}: {outcome.err[:300]!r}"
    return "" if len(lines[0]) < 1000 else f"a message of {len(lines[0]):,} characters"


def content(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink() and not path.name.endswith(".lock")
    }


REPEATED: Final = {("survival", file) for file in READERS if file != "scenes.parquet"}
"""What is tried in both modes by default is what differs between them."""
COLUMNS = [
    pytest.param(
        mode,
        file,
        command,
        marks=pytest.mark.long if number or (mode, file) in REPEATED else (),
        id=f"{mode}-{file}-{command}",
    )
    for mode in MODES
    for file, commands in READERS.items()
    for number, command in enumerate(commands)
]


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "file", "command"), COLUMNS)
def test_every_wrong_value_of_every_column_is_refused(
    mode: str, file: str, command: str, made: Path, tmp_path: Path, run: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """The message names the column, or columns that belong together with it."""
    shutil.copytree(made / mode, tmp_path / "copy")
    monkeypatch.chdir(tmp_path / "copy")
    path = Path(PLACES[file]) / file
    valid = path.read_bytes()
    if file == "scenes.parquet" and command == "conan questions corpus":
        for earlier in Path("corpus").glob("questions.*"):  # these would be refused, as of others
            earlier.unlink()
    wrong, tried, there = {}, 0, {*content(Path())}
    for column, what, changed in damages.in_columns(valid, file):
        path.write_bytes(changed)
        tried += 1
        outcome = run(*command.split())
        if told := is_refusal(outcome, str(path)):
            wrong[f"{column} {what}"] = told
        assert path.read_bytes() == changed
        assert {*content(Path())} == there
    assert not wrong, f"{len(wrong)} of {tried}: {wrong}"


@pytest.mark.parametrize("file", READERS)
@pytest.mark.usefixtures("folder")
def test_every_other_table_is_refused(file: str, run: Run) -> None:
    path = Path(PLACES[file]) / file
    wrong = {}
    for what, changed in damages.of_tables(path.read_bytes()):
        path.write_bytes(changed)
        if told := is_refusal(run(*READERS[file][0].split()), str(path)):
            wrong[what] = told
    assert not wrong


def _files() -> Iterator[tuple[str, str]]:
    for file, commands in READERS.items():
        for command in commands:
            yield f"{PLACES[file]}/{file}", command
    yield from SIDECARS.items()


@pytest.mark.parametrize(("file", "command"), [*_files()])
def test_what_lies_in_a_files_place_is_refused_or_left_alone(
    file: str, command: str, folder: Path, run: Run
) -> None:
    wrong = {}
    valid = content(folder)
    for what, damage in damages.FILES.items():
        shutil.rmtree(folder / Path(file).parent)
        for name, held in valid.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(held)
        damage(folder / file)
        before = content(folder)
        outcome = run(*command.split())
        if told := is_refusal(outcome, file):
            wrong[what] = told
        if content(folder) != before:
            wrong[f"{what}: changed"] = ""
    assert not wrong


WRITERS: Final = (
    ("scenes", "conan scenes conan --scenes 2 --seed 3 -o corpus"),
    ("questions", "conan questions corpus"),
    ("posteriors", "conan questions corpus --posterior"),
    ("detections", "conan detect corpus --explorer all -o detected"),
)


@pytest.mark.parametrize(("name", "command"), WRITERS)
def test_what_lies_in_the_place_of_a_block_is_refused(
    name: str, command: str, folder: Path, run: Run
) -> None:
    """The finished file is taken for the only block, as if the last step had not been taken."""
    place = folder / PLACES[f"{name}.parquet"]
    whole, block = place / f"{name}.parquet", _block(place, name)
    finished = whole.read_bytes()
    whole.unlink()
    wrong = {}
    for what, damage in damages.FILES.items():
        damage(block)
        if told := is_refusal(run(*command.split()), str(block.relative_to(folder))):
            wrong[what] = told
    assert not wrong
    block.rmdir()
    block.write_bytes(finished)
    assert run(*command.split()).status == 0
    assert whole.read_bytes() == finished
    assert not block.exists()


@pytest.mark.long
@pytest.mark.parametrize(("name", "command"), WRITERS)
def test_every_wrong_value_in_a_block_is_refused(
    name: str, command: str, folder: Path, run: Run
) -> None:
    place = folder / PLACES[f"{name}.parquet"]
    whole, block = place / f"{name}.parquet", _block(place, name)
    finished = whole.read_bytes()
    whole.unlink()
    wrong = {}
    for column, what, changed in damages.in_columns(finished, f"{name}.parquet"):
        block.write_bytes(changed)
        if told := is_refusal(run(*command.split()), str(block.relative_to(folder))):
            wrong[f"{column} {what}"] = told
    assert not wrong


def _block(place: Path, name: str) -> Path:
    """Where the first block of a file is kept before the file is whole."""
    from mars_logic.domains.conan.blocks import block_place

    return block_place(place, name, 0)


@pytest.mark.parametrize(
    "command",
    [
        "conan scene corpus 0",
        "conan scene corpus 0 --as belief",
        "conan questions corpus",
        "conan detect corpus --explorer all -o new",
        "conan ask corpus 0",
    ],
)
def test_corpora_without_scenes_are_refused(command: str, folder: Path, run: Run) -> None:
    import io

    import pyarrow.parquet as pq

    path = folder / "corpus" / "scenes.parquet"
    path.write_bytes(damages.parquet(pq.read_table(io.BytesIO(path.read_bytes())).slice(0, 0)))
    assert not is_refusal(run(*command.split()), "corpus/scenes.parquet")


@pytest.mark.parametrize("number", ["-1", str(10**30), "-" + "9" * 30, "1.5", "nan", "", "2"])
@pytest.mark.parametrize(
    "command",
    [
        "conan scene corpus @",
        "conan ask corpus @",
        "conan scenes conan -o new --scenes @",
        "conan scenes conan -o new --scenes 1 --seed @",
        "conan scenes conan -o new --scenes 1 --tasks @",
        "conan scenes conan -o new --scenes 1 --processes @",
        "conan questions corpus --processes @",
        "conan detect corpus -o new --steps @",
        "conan scene corpus 0 --as report -o new.html --steps @",
        "scoreboard rulearn -o new --seeds @",
        "scoreboard rulearn -o new --workers @",
        "scoreboard smartplay --games Bandits --episodes @",
    ],
)
def test_numbers_out_of_range_are_refused(
    command: str, number: str, folder: Path, run: Run
) -> None:
    if number == "2" and not command.endswith(("corpus @", "--tasks @")):
        pytest.skip("2 is in range")
    arguments = [number if each == "@" else each for each in command.split()]
    outcome = run(*arguments)
    lines = outcome.err.strip().splitlines()
    assert outcome.status == 2 and len(lines) == 1, outcome.err
    assert "; allowed: " in lines[0]
    assert "100000000000000000000" not in lines[0] or len(lines[0]) < 300
    assert not (folder / "new").exists()
