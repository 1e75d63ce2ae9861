"""A Minetest server as a child process, asked over two named pipes.

The server listens on loopback alone, at a port that is free. Its world, its settings and its log
lie in a temporary folder, which is also its home, and which is removed with it.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import weakref
from pathlib import Path
from typing import Any, Final

from mars_logic.errors import InputError
from mars_logic.json_files import value_of

PACKAGE: Final = "minetest-server"
"""The package of Debian and Ubuntu."""
INSTALL: Final = f"apt-get install {PACKAGE}"
_GAME: Final = "minetest_game"
_PLACES: Final = (
    "/usr/lib/minetest/minetestserver",
    "/usr/lib/luanti/luantiserver",
)
"""The program itself; what lies on the path may be a script that adds settings and a log."""
_MEMORY: Final = 3 * 2**30
"""Bytes of address space that the server may take."""
_PROCESSOR: Final = 3600
"""Seconds of processor time that it may take."""
_ANSWER: Final = 120.0
"""Seconds within which it has to answer, its start included."""
_SETTINGS: Final = """\
bind_address = 127.0.0.1
server_announce = false
enable_ipv6 = false
max_users = 1
mg_name = v7
mg_flags = nocaves,nodungeons,light,decorations,biomes,ores
mgv7_spflags = nomountains,noridges,nofloatlands,nocaverns
dedicated_server_step = 0.01
server_unload_unused_data_timeout = 600
emergequeue_limit_total = 100000
emergequeue_limit_diskonly = 100000
emergequeue_limit_generate = 100000
mobs_spawn = false
"""


def server_program() -> str | None:
    """The path of the server; None if it is not installed."""
    for place in _PLACES:
        if os.access(place, os.X_OK):
            return place
    return shutil.which("minetestserver") or shutil.which("luantiserver")


class MinetestServer:
    """A server with one map.

    Args:
        seed: Of the map.

    Raises:
        InputError: The server is not installed.
    """

    def __init__(self, seed: int) -> None:
        program = server_program()
        if program is None:
            message = "the server of Minetest is not installed"
            raise InputError(f"engine: {message}; allowed: columns, or first {INSTALL}")
        self._folder = Path(tempfile.mkdtemp(prefix="mars-logic-biomes-"))
        try:
            self._begin(program, seed)
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise

    def _begin(self, program: str, seed: int) -> None:
        world = self._folder / "world"
        mods = world / "worldmods"
        mods.mkdir(parents=True)
        shutil.copytree(Path(__file__).with_name("mod"), mods / "mars_logic_biomes")
        settings = self._folder / "server.conf"
        settings.write_text(_SETTINGS + f"fixed_map_seed = {seed}\n", encoding="utf-8")
        (world / "world.mt").write_text(
            f"gameid = {_GAME}\nbackend = sqlite3\nload_mod_mars_logic_biomes = true\n",
            encoding="utf-8",
        )
        # Both ends of both pipes are opened here, so that no side waits for the other to open.
        self._pipes = [_pipe(world / name) for name in ("requests", "answers")]
        # The shell removes the folder, too, should this process be killed: the pipes close then
        # and the server shuts down by itself.
        command = ["/bin/sh", "-c", '"$@"; rm -rf -- "$0"', str(self._folder)]
        command += [program, "--world", str(world), "--config", str(settings)]
        command += ["--gameid", _GAME, "--port", str(_free_port())]
        with (self._folder / "log").open("wb") as log:
            self._process = subprocess.Popen(
                [*command, "--logfile", ""],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self._folder,
                env={"HOME": str(self._folder), "PATH": os.defpath, "LANG": "C.UTF-8"},
                start_new_session=True,
                preexec_fn=_limit,
            )
        self._rest = b""
        self._closed = weakref.finalize(self, _end, self._process, self._pipes, self._folder)

    def ask(self, what: str, **values: Any) -> Any:
        """The answer to a request.

        Raises:
            InputError: The server ended, or did not answer in time.
        """
        line = json.dumps({"ask": what, **values}) + "\n"
        os.write(self._pipes[0], line.encode())
        until = time.monotonic() + _ANSWER
        while b"\n" not in self._rest:
            ready, _, _ = select.select([self._pipes[1]], [], [], 0.5)
            if ready:
                self._rest += os.read(self._pipes[1], 2**16)
            elif self._process.poll() is not None or time.monotonic() > until:
                told = self._last_words()
                self.close()
                message = f"the server of Minetest did not answer{told}"
                raise InputError(f"engine: {message}; allowed: columns, or another try")
        answer, _, self._rest = self._rest.partition(b"\n")
        return value_of(answer, "engine", "an answer of Minetest's server")

    def _last_words(self) -> str:
        """The last line of the server's log that tells of an error."""
        log = (self._folder / "log").read_text(encoding="utf-8", errors="replace")
        errors = [each for each in log.splitlines() if "ERROR" in each]
        return f" ({' '.join(errors[-1].split())[:200]})" if errors else ""

    def close(self) -> None:
        """End the server and remove its folder."""
        self._closed()


def _pipe(path: Path) -> int:
    os.mkfifo(path, 0o600)
    return os.open(path, os.O_RDWR | os.O_CLOEXEC)


def _free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (_PROCESSOR, _PROCESSOR))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _end(process: subprocess.Popen[bytes], pipes: list[int], folder: Path) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in pipes:
        os.close(pipe)
    shutil.rmtree(folder, ignore_errors=True)
