from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from mars_logic import load_world
from mars_logic.world.load import bundled_worlds
from tests.cli.conftest import Run

NINE = bundled_worlds()[:9]

VERDICT = {
    "type": "object",
    "additionalProperties": False,
    "required": ["verdict", "reason", "certainty", "probability", "witness", "interactions"],
    "properties": {
        "verdict": {"enum": ["reachable", "unreachable", "unknown"]},
        "reason": {"type": ["string", "null"]},
        "certainty": {"enum": ["sure", "almost_sure", "finite_chance", None]},
        "probability": {
            "type": ["object", "null"],
            "required": ["low", "high", "method"],
            "properties": {
                "low": {"type": "number", "minimum": 0, "maximum": 1},
                "high": {"type": "number", "minimum": 0, "maximum": 1},
                "method": {"type": "string"},
            },
        },
        "witness": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["rule", "times"],
                "additionalProperties": False,
                "properties": {
                    "rule": {"type": "string"},
                    "times": {"type": "integer", "minimum": 1},
                },
            },
        },
        "interactions": {"type": "integer", "minimum": 0},
        "explanation": {"type": "array", "items": {"type": "string"}},
        "words": {"type": "array", "items": {"type": "string"}},
    },
}


@pytest.fixture
def no_diamonds(tmp_path: Path) -> Path:
    path = tmp_path / "no_diamonds.yaml"
    path.write_text("base: default\ncollect: {diamond: {yields: {coal: 1}}}\n")
    return path


def test_all_nine_worlds_are_proved(run: Run) -> None:
    found = run("prove", *NINE)
    assert found.status == 0 and found.out.count("22 of 22") == 9


def test_without_names_all_bundled_worlds_are_proved(run: Run) -> None:
    found = run("prove")
    assert found.status == 0 and found.out.count("22 of 22") == len(bundled_worlds())


def test_json(run: Run, no_diamonds: Path) -> None:
    found = run("prove", "default", no_diamonds, "--json")
    assert found.status == 1
    documents = found.json
    assert [document["world"] for document in documents] == ["default", str(no_diamonds)]
    for document in documents:
        assert document["schema"] == "mars-logic proof 1" and document["map_seed"] is None
        assert set(document["achievements"]) == set(load_world("default").achievements)
        for verdict in document["achievements"].values():
            jsonschema.validate(verdict, VERDICT)
            assert verdict["interactions"] == sum(step["times"] for step in verdict["witness"])
    assert documents[0]["digest"] == load_world("default").digest
    lost = documents[1]["achievements"]["collect_diamond"]
    assert lost["verdict"] == "unreachable" and lost["explanation"] == ["collect.diamond"]
    assert lost["certainty"] is None and lost["witness"] == []


def test_what_is_lost_is_explained(run: Run, no_diamonds: Path) -> None:
    found = run("prove", no_diamonds)
    assert found.status == 1 and "21 of 22 achievements reachable" in found.out
    after = found.out.partition("collect_diamond      unreachable\n")[2]
    assert after.splitlines()[0].strip().startswith("collect.diamond: ")


def test_witnesses(run: Run) -> None:
    found = run("prove", "default", "--witnesses")
    assert "      place.table\n" in found.out and "2 x collect.tree" in found.out


def test_on_a_map(run: Run) -> None:
    found = run("prove", "default", "--map", 7, "--json")
    assert found.status == 0 and found.json[0]["map_seed"] == 7
    assert "on the map of seed 7" in run("prove", "default", "--map", 7).out


@pytest.mark.parametrize("seed", ["-1", "x", str(2**61)])
def test_a_wrong_seed(run: Run, seed: str) -> None:
    found = run("prove", "default", "--map", seed)
    assert found.status == 2 and "--map" in found.err and "Traceback" not in found.err


def test_without_a_map_numba_is_not_imported() -> None:
    code = (
        "import sys; sys.argv = ['mars-logic', 'prove', 'default']\n"
        "from mars_logic.cli.main import main\n"
        "try: main()\n"
        "except SystemExit as ended: assert ended.code in (0, None), ended.code\n"
        "assert 'numba' not in sys.modules and 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
