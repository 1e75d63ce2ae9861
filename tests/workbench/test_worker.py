"""Jobs are done in a process that can be ended, and that reads no other folder."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from mars_logic.errors import InputError
from mars_logic.system.files import read_text
from mars_logic.workbench import panels
from mars_logic.workbench.worker import Begin, Ended, Worker


def slow(begin: Begin, seconds: float) -> str:
    done = begin("sleeping", 2)
    done()
    time.sleep(seconds)
    return "slept"


def load_long() -> None:
    time.sleep(3.0)


def failing(_: Begin, how: str) -> None:
    if how == "die":
        os._exit(1)
    raise ZeroDivisionError(how)


def read_file(_: Begin, path: Path) -> str:
    return read_text(path, "a text", 100)


def with_worker(folder: Path, work: Callable[[Worker], Awaitable[None]]) -> None:
    async def run() -> None:
        worker = Worker(folder)
        try:
            await work(worker)
        finally:
            worker.end()

    asyncio.run(run())


@pytest.mark.slow
def test_progress_errors_and_ends(tmp_path: Path) -> None:
    async def work(worker: Worker) -> None:
        told: list[tuple[str, float]] = []
        found = await worker.do(slow, 0.0, progress=lambda *each: told.append(each))
        assert found == "slept" and told == [("sleeping", 0.0), ("sleeping", 0.5)]
        with pytest.raises(InputError, match="this failed: ZeroDivisionError: by zero"):
            await worker.do(failing, "by zero")
        with pytest.raises(InputError, match="the process that did it died"):
            await worker.do(failing, "die")
        with pytest.raises(Ended, match=r"more than 0\.5 seconds"):
            await worker.do(slow, 60, limit=0.5)
        waiting = asyncio.create_task(worker.do(slow, 60))
        await asyncio.sleep(1.5)
        assert worker.is_busy
        worker.end()
        with pytest.raises(Ended):
            await waiting
        assert await worker.do(slow, 0.0) == "slept"  # in a new process

    with_worker(tmp_path, work)


@pytest.mark.slow
def test_loading_does_not_count() -> None:
    """A limit is for the job; what jobs take is loaded anew after an end."""

    async def run() -> None:
        worker = Worker(first=load_long)
        worker.start()
        try:
            assert await worker.do(slow, 0.0, limit=2.5) == "slept"
            worker.end()
            assert await worker.do(slow, 0.0, limit=2.5) == "slept"
        finally:
            worker.end()

    asyncio.run(run())


@pytest.mark.slow
def test_no_file_is_read_outside_of_the_folder(tmp_path: Path) -> None:
    secret = tmp_path / "secret.yaml"
    secret.write_text("name: secret\nbase: default\n", encoding="utf-8")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "base.yaml").write_text("name: b\nbase: default\n", encoding="utf-8")
    (folder / "link.yaml").symlink_to(secret)
    path = folder / "world.yaml"

    async def work(worker: Worker) -> None:
        for name in (secret, folder / "link.yaml", folder / ".." / "secret.yaml", "/etc/passwd"):
            with pytest.raises(InputError, match="outside of the folder that may be read"):
                await worker.do(read_file, Path(name))
            found = await worker.do(panels.reading, f"name: x\nbase: {name}\n", path)
            assert "outside of the folder that may be read" in found.mistakes[0].told
            drawn = f"name: x\nbase: default\nmap: {{drawn: {name}}}\n"
            found = await worker.do(panels.reading, drawn, path)
            assert "outside of the folder that may be read" in found.mistakes[0].told
        for base in ("base.yaml", "all_three"):
            found = await worker.do(panels.reading, f"name: x\nbase: {base}\n", path)
            assert found.is_world

    with_worker(folder, work)
