"""Whatever stands in the files of a training run: it goes on, or one message says what is wrong."""

from __future__ import annotations

import copy
import io
import os
import random
import zipfile

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra rl is not installed")

from mars_logic.agents.policy import PolicyAgent  # noqa: E402
from mars_logic.errors import InputError  # noqa: E402
from mars_logic.play.agent import Episode  # noqa: E402
from mars_logic.sim import Simulator  # noqa: E402
from mars_logic.system.array_files import write_arrays  # noqa: E402
from mars_logic.training import checkpoint, curve  # noqa: E402
from mars_logic.training.run import TrainingRun  # noqa: E402

from .test_run import WORLD, settings, trained  # noqa: E402

ALGORITHMS = ("simple_ppo", "recurrent_ppo", "dqn")
VALUES = (
    *(None, True, -1, 0, 10**6, 2**70, 1e308, -0.5, "", "x" * 10_000, [], [[]], {}, {"a": {}}),
    [1, 2, 3],
)
SAMPLE = 40


def arrays_for(array):
    """Damages of an array."""
    yield from (
        np.array(1.5, np.float32),
        np.array([], np.float32),
        np.array(["text"]),
        np.array([b"x"]),
    )
    yield np.asarray(array.astype(np.complex128))
    yield array[..., None]
    yield np.concatenate([array.reshape(-1), array.reshape(-1)])
    if array.dtype.kind == "f":
        yield np.full_like(array, np.nan)
        yield np.full_like(array, np.finfo(array.dtype).max)
        yield np.asarray(-np.abs(array) - 1)
    else:
        yield np.zeros_like(array)
        yield np.full_like(array, np.iinfo(array.dtype).max if array.dtype.kind in "iu" else 1)
        yield array.astype(np.float64)


def leaves(content, place=()):
    for name, value in content.items():
        yield (*place, name), value
        if isinstance(value, dict):
            yield from leaves(value, (*place, name))


def damages(content):
    """Pairs of a place and a content with that place damaged."""
    for place, value in leaves(content):
        for other in (
            "remove",
            "more",
            *(arrays_for(value) if hasattr(value, "dtype") else VALUES),
        ):
            yield place, value, other


def damaged(content, place, other):
    content = copy.deepcopy(content)
    inside = content
    for name in place[:-1]:
        inside = inside[name]
    if isinstance(other, str) and other == "remove":
        del inside[place[-1]]
    elif isinstance(other, str) and other == "more":
        inside[f"{place[-1]}2"] = 1
    else:
        inside[place[-1]] = other
    return content


def goes_on(folder, made):
    """Continue for two updates; False where one message refuses that."""
    try:
        session = TrainingRun(folder, made[0], WORLD, None, 10**6, seconds=1e9)
        calls = []
        session.train(lambda *_: calls.append(1), lambda: len(calls) > 2)
    except InputError as error:
        assert one_message(error)
        return False
    return True


def one_message(error):
    return "; allowed: " in str(error) and len(str(error).splitlines()) == 1


def plays(path):
    """Play two steps with a model; False where one message refuses that."""
    try:
        agent = PolicyAgent(str(path.parent), which="last")
        simulator = Simulator(WORLD, length=5)
        simulator.reset(0)
        agent.begin(Episode(0, "mars", 5))
        for _ in range(2):
            simulator.step(agent.act(simulator.observe()))
    except InputError as error:
        assert one_message(error)
        return False
    return True


@pytest.fixture(scope="module", params=ALGORITHMS)
def made(request, tmp_path_factory):
    if request.param != "simple_ppo":
        pytest.importorskip("sb3_contrib")
    chosen = settings(request.param)
    folder = tmp_path_factory.mktemp("run") / "run"
    trained(folder, chosen, until=200)
    return chosen, folder


def chosen_damages(content, sample):
    every = list(damages(content))
    return every if sample is None else random.Random(0).sample(every, sample)


@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore:Casting")
@pytest.mark.parametrize("sample", [SAMPLE, pytest.param(None, marks=pytest.mark.long)])
def test_any_value_in_a_checkpoint(made, tmp_path, sample):
    chosen, folder = made
    content = checkpoint.load(folder / "checkpoint.npz")
    (tmp_path / "training.json").write_bytes((folder / "training.json").read_bytes())
    path = tmp_path / "checkpoint.npz"
    refused = 0
    for place, _, other in chosen_damages(content, sample):
        checkpoint.save(path, damaged(content, place, other))
        refused += not goes_on(tmp_path, chosen)
    assert refused > 20
    checkpoint.save(path, content)
    assert goes_on(tmp_path, chosen)


@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore:Casting")
@pytest.mark.parametrize("sample", [SAMPLE, pytest.param(None, marks=pytest.mark.long)])
def test_any_value_in_a_model(made, tmp_path, sample):
    _, folder = made
    content = checkpoint.load(folder / "last.npz")
    path = tmp_path / "last.npz"
    refused = 0
    for place, _, other in chosen_damages(content, sample):
        checkpoint.save(path, damaged(content, place, other))
        refused += not plays(path)
    assert refused > 15
    checkpoint.save(path, content)
    assert plays(path)


def bomb():
    """An archive of a megabyte that would unpack to a gigabyte."""
    stream = io.BytesIO()
    header = {"descr": "|u1", "fortran_order": False, "shape": (10**9,)}
    with (
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("values_json.npy", "w") as file,
    ):
        np.lib.format.write_array_header_1_0(file, header)
        for _ in range(1000):
            file.write(bytes(10**6))
    return stream.getvalue()


def claims_much(path):
    """An array of whose header the content is far shorter."""
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        stream, {"descr": "<f8", "fortran_order": False, "shape": (10**12,)}
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("values_json.npy", stream.getvalue())


def write_text(path, text):
    write_arrays(path, {"values_json": np.frombuffer(text.encode(), np.uint8)})


FILES = {
    "empty": lambda path, _: path.write_bytes(b""),
    "half": lambda path, content: path.write_bytes(content[: len(content) // 2]),
    "no end": lambda path, content: path.write_bytes(content[:-3]),
    "turned": lambda path, content: path.write_bytes(content[::-1]),
    "zeros": lambda path, content: path.write_bytes(content[:500] + bytes(500) + content[1000:]),
    "large": lambda path, _: (path.touch(), os.truncate(path, 5 * 10**9)),
    "folder": lambda path, _: path.mkdir(),
    "pipe": lambda path, _: os.mkfifo(path),
    "device": lambda path, _: path.symlink_to("/dev/zero"),
    "nowhere": lambda path, _: path.symlink_to("nowhere"),
    "itself": lambda path, _: path.symlink_to(path.name),
    "no schema": lambda path, _: write_text(path, "{}"),
    "list": lambda path, _: write_text(path, "[]"),
    "nan": lambda path, _: write_text(path, '{"schema": NaN}'),
    "twice": lambda path, _: write_text(path, '{"schema": 1, "schema": 1}'),
    "deep": lambda path, _: write_text(path, "[" * 100_000),
    "other schema": lambda path, _: write_text(path, '{"schema": "\\u001b[31m"}'),
    "json": lambda path, _: path.write_text(
        '{"schema": "mars-logic training 1"}', encoding="utf-8"
    ),
    "deep json": lambda path, _: path.write_text("[" * 100_000, encoding="utf-8"),
    "nan json": lambda path, _: path.write_text('{"schema": NaN}', encoding="utf-8"),
    "no text": lambda path, _: path.write_bytes(b"\xff\xfe\x00"),
    "bomb": lambda path, _: path.write_bytes(bomb()),
    "claims": lambda path, _: claims_much(path),
}


@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("name", ["training.json", "checkpoint.npz", "last.npz"])
@pytest.mark.parametrize("damage", FILES)
def test_any_file(tmp_path, name, damage):
    chosen = settings()
    trained(tmp_path, chosen, until=64)
    path = tmp_path / name
    content = path.read_bytes()
    path.unlink()
    FILES[damage](path, content)
    there = about(path)
    if name == "last.npz":
        assert not plays(path)
    else:
        assert not goes_on(tmp_path, chosen)
    assert about(path) == there


def about(path):
    found = os.lstat(path)
    return found.st_mode, found.st_size, found.st_mtime


@pytest.mark.parametrize("name", ["curve.csv", "world.yaml", "last.npz", "best.npz", "tensorboard"])
@pytest.mark.parametrize("damage", ["pipe", "nowhere", "itself", "folder"])
def test_what_cannot_be_replaced_is_told_before_training(tmp_path, name, damage):
    if name == "tensorboard" and damage == "folder":
        return
    FILES[damage](tmp_path / name, b"")
    assert not goes_on(tmp_path, settings())


@pytest.mark.parametrize("value", VALUES)
def test_any_setting(tmp_path, value):
    plain = settings()[0].to_json()
    for name in (*plain, *(f"hyperparameters/{each}" for each in plain["hyperparameters"]), "new"):
        changed = damaged(plain, tuple(name.split("/")), value)
        path = tmp_path / "training.json"
        path.unlink(missing_ok=True)
        try:
            found = type(settings()[0]).from_json(changed, path)
        except InputError as error:
            assert one_message(error)
            assert str(error).startswith(f"{path}:1: ")
        else:
            assert found.to_json() == changed


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("1,2,3,4,5,6", "2: row: '1,2,3,4,5,6'"),
        ("1,2,3,4,5,6,7,8", "2: row: "),
        ("1,2,nan,4,5,6,7", "2: reward: 'nan' is not a finite number"),
        ("1,2,3,4,1e999,6,7", "2: score: '1e999' is not a finite number"),
        ("-1,2,3,4,5,6,7", "2: steps: '-1' is not possible"),
        ("1.5,2,3,4,5,6,7", "2: steps: '1.5' is not a whole number"),
        (f"{'1' * 5000},2,3,4,5,6,7", "2: steps: '1111.*' is not a whole number"),
        ("1,2,\0,4,5,6,7", "2: reward: "),
        (f"1,2,{'x' * 200_000},4,5,6,7", "2: reward: "),
        ("5,2,3,4,5,6,7\n5,2,3,4,5,6,7", "3: steps: 5 do not follow 5"),
    ],
)
def test_any_row_of_a_curve(tmp_path, row, message):
    path = tmp_path / "curve.csv"
    path.write_text(f"{','.join(curve.COLUMNS)}\n{row}\n", encoding="utf-8")
    with pytest.raises(InputError, match=rf"curve.csv:{message}") as caught:
        curve.read(path)
    assert one_message(caught.value)
