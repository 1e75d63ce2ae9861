"""Files are appended to whole, and locks and appending refuse what is no regular file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mars_logic.errors import InputError
from mars_logic.system.files import append_whole, locked


def test_appending(tmp_path: Path) -> None:
    path = tmp_path / "log"
    append_whole(path, b"one\n")
    append_whole(path, b"two\n")
    assert path.read_bytes() == b"one\ntwo\n"


@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "link to nothing"])
def test_what_is_no_file_is_refused(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "hostile"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to(tmp_path / "absent")
    with pytest.raises(InputError, match="hostile:1: file: this"):
        append_whole(path, b"more")
    with pytest.raises(InputError, match="hostile:1: file: this"), locked(path):
        pass


def test_a_lock_is_held_by_one(tmp_path: Path) -> None:
    path = tmp_path / ".lock"
    with locked(path) as held:
        assert held
        with locked(path, wait=False) as second:
            assert not second
    with locked(path, wait=False) as again:
        assert again
