"""Damages of archives of arrays: recordings, models and checkpoints."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np

from tests.hostile import documents
from tests.hostile.damage import Damage, draw, of_bytes
from tests.hostile.kinds import CONTROL

_BOMB: Final = 2_000_000_000
_JSON: Final = "_json"
"""How the names of arrays end that hold JSON."""


def of_npz(valid: bytes) -> Iterator[Damage]:
    """An archive with each of its arrays missing, empty, or of another type, shape or values."""
    with np.load(io.BytesIO(valid)) as found:
        arrays = {name: found[name] for name in found.files}
    for name, array in arrays.items():
        for what, other in {
            "empty": array[:0] if array.ndim else array.reshape(1)[:0],
            "as text": np.array([CONTROL]),
            "as numbers": np.full(array.shape, np.nan),
            "flat": array.ravel()[:1],
            "extreme": _extreme(array),
            "negative": np.full(array.shape, -1),
            "without a dimension": np.array(0),
            "a dimension more": array[None],
            "twice as long": np.concatenate([array.reshape(-1)] * 2),
        }.items():
            yield Damage(
                f"array {what}",
                name,
                lambda _, name=name, other=other: _npz(arrays | {name: other}),  # type: ignore[misc]
            )
        if name.endswith(_JSON):
            yield from _of_json(arrays, name)
        rest = {n: a for n, a in arrays.items() if n != name}
        yield Damage("array missing", name, lambda _, rest=rest: _npz(rest))  # type: ignore[misc]
    yield from of_zip(valid)


def _of_json(arrays: dict[str, Any], name: str) -> Iterator[Damage]:
    """An archive with other values in the JSON of one of its arrays."""
    for damage in documents.of_json(arrays[name].tobytes()):

        def made(random: Random, damage: Damage = damage) -> bytes:
            return _npz(arrays | {name: np.frombuffer(damage.make(random), np.uint8)})

        yield Damage(damage.what, f"{name} {damage.where}", made)


def of_zip(valid: bytes) -> Iterator[Damage]:
    """An archive with each of its members missing, twice, damaged, or under another name."""
    with zipfile.ZipFile(io.BytesIO(valid)) as archive:
        members = {each: archive.read(each) for each in archive.namelist()}
    for name, content in members.items():
        rest = [(n, c) for n, c in members.items() if n != name]
        for what, others in {
            "missing": [],
            "empty": [(name, b"")],
            "of another name": [(f"{name}x", content)],
            "outside": [(name, content), (f"../../{name}", content)],
        }.items():
            yield Damage(
                f"member {what}",
                name,
                lambda _, members=[*rest, *others]: _zip(members),  # type: ignore[misc]
            )
        if content:
            yield Damage(
                "member damaged",
                name,
                lambda random, name=name, content=content, rest=rest: _zip(  # type: ignore[misc]
                    [*rest, (name, draw(of_bytes(content), random).make(random))]
                ),
            )
    yield Damage("no members", "", lambda _: _zip([]))


def _zip(members: list[tuple[str, bytes]]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in members:
            archive.writestr(name, content)
    return out.getvalue()


def _extreme(array: Any) -> Any:
    if array.dtype.kind in "iu":
        return np.full_like(array, np.iinfo(array.dtype).max)
    if array.dtype.kind in "fc":
        return np.full_like(array, np.inf)
    return array.ravel()[::-1].reshape(array.shape)


def _npz(arrays: dict[str, Any]) -> bytes:
    out = io.BytesIO()
    np.savez_compressed(out, **arrays)
    return out.getvalue()


def bomb(path: Path, valid: bytes) -> None:
    """A recording of some megabytes with an array that unpacks to two gigabytes."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        with zipfile.ZipFile(io.BytesIO(valid)) as old:
            for name in old.namelist():
                if name != "init_map.npy":
                    out.writestr(name, old.read(name))
        with out.open("init_map.npy", "w", force_zip64=True) as member:
            header = {"descr": "|u1", "fortran_order": False, "shape": (_BOMB,)}
            np.lib.format.write_array_header_2_0(member, header)
            zeros = bytes(1 << 24)
            for _ in range(_BOMB >> 24):
                member.write(zeros)


def pickled(path: Path, valid: bytes) -> None:
    """A recording with an array of Python objects."""
    with np.load(io.BytesIO(valid)) as found:
        arrays = {name: found[name] for name in found.files}
    np.savez(path, allow_pickle=True, **(arrays | {"action": np.array([{}], object)}))
