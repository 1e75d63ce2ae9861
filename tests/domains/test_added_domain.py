"""The page about adding a domain: its package is installed outside of the repository, and works."""

from __future__ import annotations

import os
import pty
import re
import shlex
import subprocess
import sys
from contextlib import suppress
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from mars_logic.domains import registry
from mars_logic.errors import InputError
from tests.paths import REPOSITORY
from tests.test_docs import BLOCK, ELISION, blocks

PAGE = REPOSITORY / "docs" / "domains.md"


def package(folder: Path) -> None:
    """Write the files of the page."""
    (folder / "mars_lights").mkdir(parents=True)
    for kind, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if kind == "yaml":
            (folder / "mars_lights" / "ThreeLamps.yaml").write_text(text, encoding="utf-8")
        elif name := re.match(r"# ([\w./]+)\n", text):
            (folder / name[1]).write_text(text, encoding="utf-8")


def typed(command: str, keys: str, folder: Path, environment: dict[str, str]) -> str:
    """What a command prints in a terminal of its own, in which these keys are pressed."""
    ours, theirs = pty.openpty()
    os.write(ours, keys.encode())
    words = [sys.executable, "-m", "mars_logic", *shlex.split(command)]
    terminal = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    process = subprocess.Popen(
        words, cwd=folder, env=environment, start_new_session=True, **terminal
    )
    os.close(theirs)
    found = b""
    with suppress(OSError):  # the terminal is gone when the process is
        while read := os.read(ours, 1 << 16):
            found += read
    os.close(ours)
    assert process.wait() == 0, found
    return found.decode()


@pytest.mark.slow
def test_the_example_of_the_page(tmp_path: Path) -> None:
    package(tmp_path / "lights")
    code = (tmp_path / "lights" / "mars_lights" / "__init__.py").read_text(encoding="utf-8")
    assert 100 <= len(code.splitlines()) <= 160
    site = tmp_path / "site"
    options = ("-q", "--no-index", "--no-deps", "--no-build-isolation", "--target", str(site))
    install = [sys.executable, "-m", "pip", "install", *options, str(tmp_path / "lights")]
    subprocess.run(install, check=True)
    environment = os.environ | {"PYTHONPATH": str(site), "COLUMNS": "200"}

    def run(command: str) -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "-m", "mars_logic", *shlex.split(command)[1:]]
        return subprocess.run(
            words,
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            check=False,
        )

    told = "".join(blocks(PAGE, "text"))
    commands = re.findall(r"^\$ (mars-logic .*)\n((?:(?!\$ ).*\n)*)", told, re.MULTILINE)
    assert len(commands) >= 10
    for command, expected in commands:
        found = run(command)
        pattern = re.escape(expected.strip()).replace(re.escape(ELISION), ".*")
        assert re.fullmatch(pattern, found.stdout.strip(), re.DOTALL), found.stdout
        assert found.returncode == (2 if "; allowed: " in expected else 0)
    learned = (tmp_path / "found.yaml").read_text(encoding="utf-8")
    assert learned.count("one_of") == 0, "all three switches were tried"
    assert "Lamps that are on: 1, 2, 3." in typed(
        "play ThreeLamps", "1\n3\n2\nn\n", tmp_path, environment
    )
    wrong = "domain: lights\nswitches: [{lamps: [1]}, {lamps: [2]}, {lamps: [2, 3]}]\n"
    (tmp_path / "wrong.yaml").write_text(wrong, encoding="utf-8")
    refuted = run("mars-logic check wrong.yaml played")
    assert refuted.returncode == 1 and "rules: played/ThreeLamps__random__s" in refuted.stdout


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("mars_logic.nowhere:DOMAIN", "cannot be loaded: "),
        ("mars_logic.domains.hanoi.domain:nothing", "cannot be loaded: "),
        ("mars_logic.domains.hanoi.domain:HanoiDomain", "is no Domain; allowed: "),
        ("mars_logic.domains.hanoi.domain:DOMAIN", "calls itself hanoi, and its games hanoi"),
    ],
)
def test_a_package_that_does_not_keep_what_it_offers(
    value: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    point = EntryPoint("lamps", value, registry.GROUP)
    monkeypatch.setattr(registry, "added_domains", lambda: {"lamps": point})
    registry.domain.cache_clear()
    assert registry.domain_names()[-1] == "lamps"
    with pytest.raises(InputError, match=re.escape(message)):
        registry.domain("lamps")
    registry.domain.cache_clear()
