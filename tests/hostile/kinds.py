"""Hostile and broken inputs: each kind makes an input at a path, from the bytes of a valid one."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Final

Make = Callable[[Path, bytes], Path]
"""Makes an input at a path from a valid one; returns the path to give to a command."""

REFUSED: Final = frozenset({2})
ANY: Final = frozenset({0, 1, 2})

CONTROL: Final = "\x1b[2J\x1b]0;title\x07\x9b31m\u202egpj.exe\u2066\x7f\x00\u2028"
"""What a terminal would obey."""
_DEEP: Final = 100_000


def _bytes(content: bytes) -> Make:
    return _changed(lambda _: content)


def _changed(change: Callable[[bytes], bytes]) -> Make:
    def make(path: Path, valid: bytes) -> Path:
        path.write_bytes(change(valid))
        return path

    return make


def _at(place: Callable[[Path], object]) -> Make:
    def make(path: Path, _: bytes) -> Path:
        place(path)
        return path

    return make


def _named(name: bytes) -> Make:
    """The valid input under another name; the ending stays."""

    def make(path: Path, valid: bytes) -> Path:
        other = Path(os.fsdecode(os.fsencode(path.parent) + b"/" + name + os.fsencode(path.suffix)))
        other.write_bytes(valid)
        return other

    return make


def _absent(name: str) -> Make:
    """A path where nothing is."""
    return lambda path, _: path.parent / (name + path.suffix)


def _socket(path: Path) -> None:
    os.mknod(path, stat.S_IFSOCK | 0o600)


def _noise(size: int) -> bytes:
    return Random(0).randbytes(size)


BROKEN: Final[Mapping[str, Make]] = {
    "absent": _absent("absent"),
    "long name": _absent("n" * 5_000),
    "long path": _absent("/".join(["n" * 200] * 500)),
    "control characters in a name": _absent(CONTROL.replace("\x00", "").replace("/", "")),
    "no UTF-8 in a name": _absent(os.fsdecode(b"\xff\xfe\x80")),
    "newlines in a name": _absent("a\nb\rc"),
    "folder": _at(Path.mkdir),
    "pipe": _at(os.mkfifo),
    "socket": _at(_socket),
    "device": _at(lambda path: path.symlink_to("/dev/zero")),
    "terminal": _at(lambda path: path.symlink_to("/dev/tty")),
    "link to itself": _at(lambda path: path.symlink_to(path)),
    "link to nothing": _at(lambda path: path.symlink_to(path.parent / "nothing")),
    "noise": _bytes(_noise(100_000)),
    "no UTF-8": _bytes(b"caf\xe9: \xff\xfe\n"),
    "UTF-32": _changed(lambda valid: valid.decode("latin-1").encode("utf-32")),
}
"""What no reader of a file can use."""

VALID: Final[Mapping[str, Make]] = {
    "valid": _changed(lambda valid: valid),
    "valid, oddly named": _named("[bold] \x1b[31m é ‮".encode()),
    "valid, name no UTF-8": _named(b"\xff\xfe\x80"),
    "valid, name with newlines": _named(b"a\nb"),
}
"""What every reader can use; its name is hostile."""

TEXT: Final[Mapping[str, Make]] = {
    "empty": _bytes(b""),
    "blank": _bytes(b" \n\t\n"),
    "control characters": _bytes((CONTROL + ": " + CONTROL + "\n").encode()),
    "long line": _bytes(b"a" * 1_000_000),
    "many lines": _bytes(b"aa bb cc\n" * 100_000),
    "half": _changed(lambda valid: valid[: len(valid) // 2]),
    "deep lists": _bytes(b"[" * _DEEP),
    "deep objects": _bytes(b'{"a":' * _DEEP),
    "deep term": _bytes(b"a(" * _DEEP + b"x" + b")" * _DEEP + b"."),
    "a number": _bytes(b"17"),
    "a list": _bytes(b"[1, null, [], {}]"),
    "null": _bytes(b"null"),
    "not a number": _bytes(b"NaN"),
    "huge number": _bytes(b"9" * 100_000),
    "aliases": _bytes(
        b"".join(
            b"x%d: &x%d [%s]\n" % (n, n, b", ".join([b"*x%d" % (n - 1)] * 9) if n else b"a")
            for n in range(12)
        )
    ),
    "loop": _bytes(b"a: &a [*a]\n"),
    "object": _bytes(b"!!python/object/apply:os.system ['touch run']\n"),
    "script": _bytes(b'#script (python)\nimport os\nos.system("touch run")\n#end.\n'),
    "letters": _bytes("é(1) ← ü.\n".encode()),
    "include": _bytes(b'#include "/etc/passwd".\n#include "../world.yaml".\n'),
    "grounding": _bytes(b"n(1..9999). p(X,Y,Z) :- n(X), n(Y), n(Z).\n"),
    "two documents": _changed(lambda valid: valid + b"\n---\n" + valid),
    "a line of another kind": _changed(
        lambda valid: valid + b"\n\x1b[31m{{{ nonsense \xc2\x9b ]]]\n"
    ),
    "marked as UTF-8": _changed(lambda valid: b"\xef\xbb\xbf" + valid),
    "carriage returns": _changed(lambda valid: valid.replace(b"\n", b"\r\n")),
}
"""Texts; some are valid for some readers."""

BINARY: Final[Mapping[str, Make]] = {
    "empty": _bytes(b""),
    "half": _changed(lambda valid: valid[: len(valid) // 2]),
    "first byte": _changed(lambda valid: valid[:1]),
    "head only": _changed(lambda valid: valid[:4]),
    "head and foot": _changed(lambda valid: valid[:4] + valid[-8:]),
    "zeros": _changed(lambda valid: bytes(len(valid))),
    "text": _bytes(b"mars\n" * 1000),
    "twice": _changed(lambda valid: valid + valid),
    **{
        f"bytes changed ({n})": _changed(lambda valid, n=n: _flipped(valid, n))  # type: ignore[misc]
        for n in range(6)
    },
}
"""Broken files of a binary format."""


def _flipped(valid: bytes, seed: int) -> bytes:
    random, changed = Random(seed), bytearray(valid)
    for _ in range(1 << seed):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)
