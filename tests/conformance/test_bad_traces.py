from __future__ import annotations

import io
import json
import tracemalloc
import zipfile

import numpy as np
import pytest
from numpy.lib import format as npy

from mars_logic.sim import TraceError, conform, load_trace

from .traces import SELECTION

GOOD = min(SELECTION, key=lambda path: path.stat().st_size)


@pytest.fixture
def arrays():
    with np.load(GOOD) as file:
        return {name: file[name] for name in file.files}


def error_of(path):
    with pytest.raises(TraceError) as caught:
        conform(path)
    message = str(caught.value)
    assert message.startswith(f"{path}:1: ") and "; allowed: " in message
    assert "\n" not in message
    return message.removeprefix(f"{path}:1: ").removeprefix("file: ").partition("; allowed: ")[0]


@pytest.fixture
def saved(tmp_path):
    def save(arrays):
        path = tmp_path / "trace.npz"
        np.savez_compressed(path, **arrays)
        return path

    return save


def with_meta(arrays, **changes):
    meta = json.loads(arrays["meta_json"].tobytes()) | changes
    text = json.dumps({key: value for key, value in meta.items() if value is not ...})
    return arrays | {"meta_json": np.frombuffer(text.encode(), np.uint8)}


def test_a_good_one(arrays, saved):
    assert load_trace(saved(arrays)).steps == len(arrays["action"])


def test_missing(tmp_path):
    assert error_of(tmp_path / "none.npz") == "there is no such file"


def test_a_directory(tmp_path):
    assert error_of(tmp_path) == "this is a folder"


@pytest.mark.parametrize("content", [b"", b"junk", b"PK\x03\x04", b"x" * 10_000, b"\x80\x04."])
def test_junk(tmp_path, content):
    path = tmp_path / "junk.npz"
    path.write_bytes(content)
    assert error_of(path) == "not a readable .npz file: it is no archive, or not a whole one"


def test_every_kind_of_truncation(tmp_path):
    content = GOOD.read_bytes()
    path = tmp_path / "cut.npz"
    for length in (10, 100, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:length])
        assert "not a readable .npz file" in error_of(path)


def test_damaged_inside(tmp_path):
    content = bytearray(GOOD.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 200] = bytes(200)
    path = tmp_path / "damaged.npz"
    path.write_bytes(content)
    assert "not a readable .npz file" in error_of(path)


def test_a_single_array(tmp_path):
    path = tmp_path / "array.npz"
    with path.open("wb") as file:
        np.save(file, np.zeros(3))
    assert "it is no archive" in error_of(path)


def test_python_objects(tmp_path, arrays):
    path = tmp_path / "objects.npz"
    np.savez(path, **(arrays | {"action": np.array([{}], object)}), allow_pickle=True)
    assert "not a readable .npz file" in error_of(path)


def test_something_else_in_a_zip(tmp_path):
    path = tmp_path / "zip.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("action.npy", "not an array")
    error_of(path)
    with zipfile.ZipFile(path, "w") as archive:
        buffer = io.BytesIO()
        np.save(buffer, np.zeros(3))
        archive.writestr("something.npy", buffer.getvalue())
    assert error_of(path) == "meta_json: there is no such array"


def test_every_array_is_needed(arrays, saved):
    for name in arrays:
        rest = {other: array for other, array in arrays.items() if other != name}
        assert f"{name}: there is no such array" == error_of(saved(rest))


def test_every_type_and_shape_counts(arrays, saved):
    steps = len(arrays["action"])
    for name in sorted(set(arrays) - {"meta_json"}):
        array = arrays[name]
        assert error_of(saved(arrays | {name: array.astype(np.int64)})).startswith(name)
        assert "shape" in error_of(saved(arrays | {name: array[..., None]}))
        if len(array) in (steps, steps + 1):
            assert "shape" in error_of(saved(arrays | {name: array[:-1]}))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dialect": "craftax"}, "unknown world 'default' of 'craftax'"),
        ({"world": "nowhere"}, "unknown world 'nowhere' of 'mars'"),
        ({"world": 3}, "world: 3"),
        ({"seed": "7"}, "seed: '7'"),
        ({"seed": 2**62}, "out of range"),
        ({"episode": 0}, "out of range"),
        ({"episode": 2**31}, "out of range"),
        ({"episode": ...}, "episode: null"),
        ({"episode": True}, "episode: true"),
    ],
)
def test_wrong_descriptions(arrays, saved, changes, message):
    assert message in error_of(saved(with_meta(arrays, **changes)))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"[]", "this is not a JSON object"),
        (b"\xff\xff", "this is not text"),
        *((text, "no JSON") for text in (b"", b"{", b"[" * 100_000, b"9" * 100_000)),
    ],
)
def test_descriptions_that_are_none(arrays, saved, text, told):
    changed = arrays | {"meta_json": np.frombuffer(text, np.uint8)}
    assert f"meta_json: {told}" in error_of(saved(changed))


@pytest.mark.parametrize(
    ("name", "index", "value"),
    [
        ("action", 3, 17),
        ("init_map", (3, 3), 13),
        ("map_changes", (0, 0), 30_000),
        ("map_changes", (0, 1), 64),
        ("map_changes", (0, 3), -1),
        ("init_objects", (2, 0), -4),
        ("obj_changes", (2, 1), 0),
        ("obj_changes", (2, 0), 0),
        ("snap_steps", 0, -1),
        ("snap_maps", (0, 3, 3), 200),
        ("snap_objects", (0, 2), 99),
        ("pos", (3, 0), -1),
        ("pos", (3, 1), 64),
        ("facing", (3, 0), 100),
        ("init_objects", (2, 1), -1),
        ("init_objects", (2, 1), 7),
        ("init_objects", (2, 2), 64),
        ("obj_changes", (2, 2), -7),
        ("obj_changes", (2, 4), 30_000),
        ("reward", 3, float("nan")),
        ("reward", 3, 1e308),
        ("vitals", (3, 0), float("inf")),
        ("daylight", 3, float("nan")),
    ],
)
def test_values_out_of_range(arrays, saved, name, index, value):
    changed = arrays[name].copy()
    changed[index] = value
    message = error_of(saved(arrays | {name: changed}))
    assert message.startswith(name)


def test_no_steps_at_all(arrays, saved):
    none = {
        name: array[: 1 if len(array) == len(arrays["action"]) + 1 else 0]
        for name, array in arrays.items()
        if len(array) in (len(arrays["action"]), len(arrays["action"]) + 1)
    }
    empty = {name: arrays[name][:0] for name in ("map_changes", "obj_changes")}
    first = {name: arrays[name][:1] for name in ("snap_steps", "snap_maps")}
    rows = arrays["snap_objects"]
    trace = arrays | none | empty | first | {"snap_objects": rows[rows[:, 0] == 0]}
    trace["final_chunks"] = arrays["init_chunks"]
    conformance = conform(saved(trace))
    assert conformance.agrees
    assert conformance.steps == 0


def test_an_arrow_that_flies_nowhere(arrays, saved):
    changed = arrays["obj_changes"].copy()
    changed[2, 2] = 5
    assert "an arrow has no direction" in error_of(saved(arrays | {"obj_changes": changed}))


def test_more_steps_than_an_episode_has(arrays, saved):
    steps = len(arrays["action"])
    longer = {
        name: np.resize(array, (len(array) + 20_000, *array.shape[1:]))
        for name, array in arrays.items()
        if len(array) in (steps, steps + 1)
    }
    assert error_of(saved(arrays | longer)).startswith("action: there are 2")


def written(path, name, content):
    """An archive whose only member is this."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{name}.npy", content)
    return path


def header(shape):
    buffer = io.BytesIO()
    npy.write_array_header_1_0(buffer, {"descr": "|u1", "fortran_order": False, "shape": shape})
    return buffer.getvalue()


def test_an_archive_that_unpacks_to_gigabytes_is_refused_before_it_is(tmp_path):
    size = 80_000_000
    path = written(tmp_path / "bomb.npz", "action", header((size,)) + bytes(size))
    assert path.stat().st_size < 200_000
    tracemalloc.start()
    try:
        assert "arrays take 80,0" in error_of(path)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("shape", [(10**12,), (2**40, 2**40), (-1,), (10**30,)])
def test_a_header_that_promises_more_than_there_is(tmp_path, shape):
    path = written(tmp_path / "header.npz", "meta_json", header(shape) + b"{}")
    tracemalloc.start()
    try:
        assert "not a readable .npz file" in error_of(path)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_what_is_not_asked_for_is_not_unpacked(arrays, saved):
    path = saved(arrays)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("other.npy", bytes(100_000_000))
    assert load_trace(path).steps == len(arrays["action"])


@pytest.mark.parametrize(
    "header",
    [
        b"(",
        b"{'descr': (",
        b"{'descr': '|u1', 'fortran_order': False, 'shape': ((}",
        b"{'descr': '''",
        b"(" * 5000,
        b"-" * 9000 + b"1",
        b"[" * 900 + b"]" * 900,
        b"\x00",
        b"\xff",
        b"",
        b"  1\n 2\n",
        b"{'descr': [('a', '<f8', -1)], 'fortran_order': False, 'shape': (1,)}",
        b"{'descr': ('<f8', (10**9,)), 'fortran_order': False, 'shape': (1,)}",
        b"{'descr': '<f8', 'fortran_order': False, 'shape': (%d,)}" % 2**70,
        b"{'descr': '<f8', 'fortran_order': False, 'shape': (True, -1)}",
        b"{'descr': {}, 'fortran_order': False, 'shape': (1,)}",
        b"{'descr': [1], 'fortran_order': False, 'shape': (1,)}",
        b"{'descr': '<f8', 'fortran_order': False, 'shape': {1: 2}}",
        b"{'descr': '<f8', {}: 1, 'shape': (1,)}",
        b"{'descr': '<U%d', 'fortran_order': False, 'shape': (1,)}" % 2**40,
        b"{'descr': '<M8[9999999999999999999s]', 'fortran_order': False, 'shape': (1,)}",
        b"0x" + b"f" * 9000,
        b"9" * 9000,
    ],
)
@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_damaged_header(header, version, arrays, saved):
    path = saved(arrays)
    size = len(header).to_bytes(2 if version == 1 else 4, "little")
    content = b"\x93NUMPY" + bytes([version, 0]) + size + header + bytes(64)
    with zipfile.ZipFile(path) as archive:
        kept = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, held in (kept | {"action.npy": content}).items():
            archive.writestr(name, held)
    assert "not a readable .npz file" in error_of(path) or "action" in error_of(path)
