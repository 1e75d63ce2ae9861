"""Names of files that are no text, too long, or lead nowhere, wherever a command takes a name."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mars_logic.system.file_names import name_as_text, path_named
from tests.cli.conftest import Outcome, Run

BYTES = os.fsdecode(b"n\xff\xe9")
LONG = "name" * 25_000
SPEC = "agents: [random]\nworlds: [{world}]\nseeds: [0]\nlength: 20\n"
posix = pytest.mark.skipif(
    sys.platform in ("win32", "darwin"), reason="names of files are text on this system"
)
links = pytest.mark.skipif(os.name != "posix", reason="links need a privilege on this system")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def fine(found: Outcome) -> Outcome:
    assert found.status in (0, 1) and "Traceback" not in found.err, found
    found.out.encode(), found.err.encode()
    return found


@posix
@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_names_that_are_no_utf8_go_through_all_commands(run: Run) -> None:
    world, spec = f"{BYTES}.yaml", f"spec{BYTES}.yaml"
    Path(world).write_text("base: default\n", encoding="utf-8")
    Path(spec).write_text(SPEC.format(world="default"), encoding="utf-8")
    assert fine(run("validate", world, "--json")).json["files"][0]["name"] == "n\\xff\\xe9"
    assert "n\\xff\\xe9.yaml" in fine(run("prove", world, "default")).out
    kept, recorded = f"kept{BYTES}", f"recorded{BYTES}"
    play = ("run", "random", world, "--episodes", 1, "--length", 20)
    fine(run(*play, "--out", kept, "--record", recorded))
    assert (
        "n\\xff\\xe9.yaml"
        in fine(run(*play, "--out", kept, "--record", recorded, "--json")).json["worlds"]
    )
    (certificate,) = Path(kept).iterdir()
    assert fine(run("verify", certificate, "--json")).json[0]["valid"]
    fine(run("check", world, recorded))
    fine(run("revise", world, recorded, "-o", f"belief{BYTES}.yaml"))
    fine(run("score", f"belief{BYTES}.yaml", world))
    fine(run("export", recorded, "--to", "parquet", "-o", f"all{BYTES}.parquet"))
    fine(run("experiment", spec, "-o", f"done{BYTES}", "--workers", 1))
    for source in (f"done{BYTES}", kept, recorded):
        assert fine(run("summarise", source, "--json")).json
        page = Path(f"{source}.html")
        fine(run("report", source, "-o", page))
        assert page.read_text(encoding="utf-8")
    found = run("show", f"none{BYTES}.yaml")
    assert found.status == 2 and found.err.startswith("nonen\\xff\\xe9.yaml:1: file: ")


@posix
@pytest.mark.usefixtures("here")
def test_a_name_and_its_text() -> None:
    assert name_as_text(BYTES) == "n\\xff\\xe9"
    assert path_named("n\\xff\\xe9") == Path(BYTES)
    assert path_named("größe") == Path("größe") and name_as_text("größe") == "größe"
    Path("n\\xff\\xe9").touch()
    assert path_named("n\\xff\\xe9") == Path("n\\xff\\xe9"), "there is a file of this very name"


TAKES = [
    ["validate", LONG],
    ["show", f"{LONG}.yaml"],
    ["prove", LONG],
    ["diff", "default", f"{LONG}.yaml"],
    ["verify", LONG],
    ["render", LONG, "-o", "film.gif"],
    ["check", LONG, LONG],
    ["check", "default", LONG],
    ["revise", f"{LONG}.yaml", LONG],
    ["score", LONG, "default"],
    ["ask", "default", LONG],
    ["summarise", LONG],
    ["report", LONG, "-o", "page.html"],
    ["experiment", LONG, "-o", "done"],
    ["experiment", "spec.yaml", "-o", LONG],
    ["experiment", "long.yaml", "-o", "done"],
    ["validate", "long.yaml"],
    ["import", LONG, "-o", "kept"],
    ["conform", LONG],
    ["laws", "learn", LONG],
    ["export", "default", "--to", "pddl", "-o", LONG],
    ["run", "random", "default", "--out", LONG],
    ["run", "random", "default", "--record", LONG],
    ["run", LONG, "default"],
    ["plan", "default", "-o", LONG],
    ["show", "default", "--as", "yaml", "-o", f"{LONG}.yaml"],
    ["sample", "-o", LONG],
    ["learn", LONG],
    [LONG],
    ["run", f"--{LONG}"],
    ["explain", "default", LONG],
]


@pytest.mark.parametrize("arguments", TAKES, ids=lambda each: " ".join(each)[:30])
def test_names_of_100_kb_are_cut_in_messages(arguments: list[str], run: Run, here: Path) -> None:
    Path("spec.yaml").write_text(SPEC.format(world="default"), encoding="utf-8")
    Path("long.yaml").write_text(SPEC.format(world=LONG), encoding="utf-8")
    found = run(*arguments)
    assert found.status == 2 and not found.out and "Traceback" not in found.err
    assert "; allowed: " in found.err and len(found.err) < 4000
    assert {path.name for path in here.iterdir()} <= {"spec.yaml", "long.yaml", "done", "kept"}


@links
@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("kind", ["dangling", "loop", "pipe"])
@pytest.mark.parametrize(
    "arguments",
    [
        ["plan", "default", "--length", "9", "--force", "-o", "out.json"],
        ["show", "default", "--as", "yaml", "-o", "out.yaml"],
        ["run", "random", "default", "--episodes", "1", "--length", "9", "--out", "out"],
        ["run", "random", "default", "--episodes", "1", "--length", "9", "--record", "out"],
        ["experiment", "spec.yaml", "-o", "out"],
        ["sample", "--count", "1", "-o", "out"],
        ["export", "default", "--to", "pddl", "-o", "out"],
        ["laws", "records", "default", "--per", "1", "--force", "-o", "out.json"],
    ],
    ids=lambda each: f"{each[0]} {each[-2]}",
)
def test_output_to_what_is_no_place(arguments: list[str], kind: str, run: Run) -> None:
    Path("spec.yaml").write_text(SPEC.format(world="default"), encoding="utf-8")
    out = Path(arguments[-1])
    if kind == "pipe":
        os.mkfifo(out)
    else:
        out.symlink_to(out.name if kind == "loop" else "nowhere")
    found = run(*arguments)
    assert found.status == 2 and "Traceback" not in found.err and not found.out
    assert found.err.startswith("out") and found.err.count("\n") == 1
    assert out.is_symlink() or out.is_fifo(), "it is still there"
    assert not Path("nowhere").exists()


@links
@pytest.mark.usefixtures("here")
def test_output_through_a_link_replaces_the_file_and_keeps_the_link(run: Run) -> None:
    Path("real.yaml").write_text("old", encoding="utf-8")
    Path("link.yaml").symlink_to("real.yaml")
    found = run("show", "default", "--as", "yaml", "-o", "link.yaml", "--force")
    assert found.status == 0, found
    assert Path("link.yaml").is_symlink()
    assert Path("real.yaml").read_text(encoding="utf-8").startswith("name: default")


# --- Another locale -------------------------------------------------------------------------------


C_LOCALE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def without_utf8(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-X", "warn_default_encoding", "-m", "mars_logic", *arguments]
    return subprocess.run(command, cwd=folder, env=os.environ | C_LOCALE, capture_output=True)


@pytest.fixture(scope="module")
def abroad(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("abroad")
    texts = {
        "wörld.yaml": "name: größe\nbase: default\n",
        "spec.yaml": SPEC.format(world="wörld.yaml"),
        "rule.txt": "Collecting from iron needs a wood pickaxe, yields 1 iron and leaves a tree.\n",
        "program.lp": "% größer\n#show lucky(A) : unlock(almost_sure, A).\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    done = without_utf8(
        folder, "run", "random", "wörld.yaml", "--episodes", "1", "--out", "kept", "--record", "rec"
    )
    assert done.returncode == 0, done.stderr
    (kept,) = (folder / "kept").iterdir()
    kept.rename(folder / "kept.json")
    return folder


@pytest.mark.slow
@posix
@pytest.mark.parametrize(
    "line",
    [
        "worlds",
        "show wörld.yaml",
        "validate wörld.yaml --json",
        "prove wörld.yaml --json",
        "explain wörld.yaml collect_wood",
        "ask wörld.yaml program.lp",
        "export wörld.yaml --to pddl -o pddl",
        "verify kept.json --json",
        "check rule.txt rec",
        "revise wörld.yaml rec --truth wörld.yaml",
        "experiment spec.yaml -o done --json",
        "report kept.json -o page.html",
    ],
)
def test_no_command_needs_a_locale_of_utf8(line: str, abroad: Path) -> None:
    done = without_utf8(abroad, *line.split())
    told = done.stderr.decode("ascii", "backslashreplace")
    assert done.returncode in (0, 1) and "Traceback" not in told, told
    warned = [each for each in told.splitlines() if "EncodingWarning" in each]
    assert not [each for each in warned if "site-packages" not in each]
    assert done.stdout.isascii()
    if line.endswith("--json"):
        assert json.loads(done.stdout)
