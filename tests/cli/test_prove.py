from __future__ import annotations

import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from mars_logic import load_world
from mars_logic.world.load import bundled_worlds
from tests.cli.conftest import Run

NINE = bundled_worlds()[:9]

VERDICT = {
    "type": "object",
    "additionalProperties": False,
    "required": [
        "verdict",
        "reason",
        "certainty",
        "probability",
        "witness",
        "interactions",
        "fewest",
    ],
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
        "estimate": {"type": ["object", "null"]},
        "witness": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["rule", "times", "gain"],
                "additionalProperties": False,
                "properties": {
                    "rule": {"type": "string"},
                    "times": {"type": "integer", "minimum": 1},
                    "gain": {"type": ["string", "null"]},
                },
            },
        },
        "interactions": {"type": "integer", "minimum": 0},
        "at_least": {"type": ["integer", "null"], "minimum": 1},
        "fewest": {"type": "boolean"},
        "explanation": {"type": "array", "items": {"type": "string"}},
        "words": {"type": "array", "items": {"type": "string"}},
    },
}


@pytest.fixture
def no_diamonds(tmp_path: Path) -> Path:
    path = tmp_path / "no_diamonds.yaml"
    path.write_text("base: default\ncollect: {diamond: {yields: {coal: 1}}}\n", encoding="utf-8")
    return path


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_finite_chance_is_estimated(run: Run) -> None:
    found = run("prove", "task_dep", "--maps", 5)
    assert found.out.count("estimate from 5 maps: mean ") == 3
    (document,) = run("prove", "task_dep", "--maps", 5, "--json").json
    told = document["achievements"]["collect_sapling"]["estimate"]
    assert told["maps"] == 5 and told["method"] == "estimate from sampled maps"
    assert told["mean_interval"]["low"] <= told["mean"]["low"] <= told["mean"]["high"]
    assert document["achievements"]["collect_coal"]["estimate"] is None


def test_without_maps_the_estimate_is_by_the_cells_on_sampled_maps(run: Run) -> None:
    told = (
        "an estimate: 7 to 41 cells on 90 % of 1,000 generated maps, 95 % interval 88.0 to 91.7 %"
    )
    assert run("prove", "task_dep").out.count(told) == 3
    (document,) = run("prove", "task_dep", "--json").json
    verdict = document["achievements"]["collect_sapling"]
    found, probability = verdict["estimate"], verdict["probability"]
    assert found["method"] == "estimate from the cells on sampled maps"
    assert (found["maps"], found["confidence"]) == (1000, 0.95)
    assert found["range"] == {"low": probability["low"], "high": probability["high"]}
    assert found["share"] == pytest.approx(0.9)
    assert found["share_interval"]["low"] == pytest.approx(0.8799, abs=1e-4)
    (on_map,) = run("prove", "task_dep", "--map", 3, "--json").json
    assert on_map["achievements"]["collect_sapling"]["estimate"] is None


@pytest.mark.slow
def test_an_estimate_of_which_nothing_is_known_says_so(run: Run) -> None:
    told = run("prove", "terr_surv", "--maps", 2).out
    assert "no estimate from 2 maps: the probability cannot be computed on any of them" in told
    (document,) = run("prove", "terr_surv", "--maps", 2, "--json").json
    estimate = document["achievements"]["kill_zombie"]["estimate"]
    assert (estimate["maps"], estimate["known"]) == (2, 0)
    assert estimate["mean"] is None and estimate["played"] is None


@pytest.mark.slow
def test_doubts_are_told_of_all_worlds_at_once(run: Run) -> None:
    """What of the nine worlds a careful reader would doubt, by world."""
    table, _, reasons = run("prove", *NINE).out.partition("\nterrain\n")
    lines = [line.split() for line in table.splitlines()]
    assert ["terr_surv", "22", "of", "22", "kill_zombie", "iron,", "grass"] in lines
    assert ["crafter", "22", "of", "22", "diamond,", "iron"] in lines
    for part in (
        "\ntask_dep\n  collect_sapling, eat_plant, place_plant: collect.iron gives sapling with",
        "  kill_zombie: no zombie appears during play where the player gets to (that takes 50 "
        "cells of grass in a chunk; an ordinary map holds 9 to 66 in all)",
        "\nsurvival\n  eat_plant: a ripe plant can be eaten, which gives 4 food and 2 drink; it w",
        "\n  eat_plant: a ripe plant can be eaten, although listed as inedible",
        "\nsurv_task\n  collect_drink: collecting from water needs 1 sapling, yields 1 drink",
        "; it wanders about and shoots arrows;",
    ):
        assert part in reasons


@pytest.mark.slow
def test_witnesses_are_played_and_kept(run: Run, tmp_path: Path) -> None:
    found = run("prove", "default", "--map", 2, "--execute", "-o", tmp_path)
    assert found.status == 0 and "22 of 22 witnesses executed" in found.out
    kept = sorted(tmp_path.glob("*.json"))
    assert len(kept) == 22
    assert run("verify", *kept).status == 0
    (document,) = run("prove", "default", "--map", 2, "--execute", "-o", tmp_path, "--json").json
    assert document["executions"]["collect_wood"] == {"steps": 5, "reason": None}
    (tmp_path / "default__collect_wood__s2.json").write_text(
        kept[0].read_text(encoding="utf-8"), encoding="utf-8"
    )
    again = run("prove", "default", "--map", 2, "--execute", "-o", tmp_path)
    assert again.status == 2 and "another episode" in again.err


def test_witnesses_are_replayed(run: Run) -> None:
    found = run("prove", "default", "--map", 2, "--replay")
    assert found.status == 0 and "\n  22 of 22 witnesses replayed\n" in found.out
    assert "not replayed" not in found.out
    (document,) = run("prove", "default", "--replay", "--json").json
    assert document["replays"]["place_table"] == {"applied": 3, "reason": None}
    assert set(document["replays"]) == set(document["achievements"])
    both = run("prove", "default", "all_three", "--replay").out
    assert "witnesses replayed" in both and both.count("22 of 22") == 4


def test_a_witness_that_fails_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the logic says is not taken on trust."""
    from mars_logic.logic.witness import Witnesses

    find = Witnesses.find

    def without_its_end(self: Witnesses, goal: str, level: str, plans: int = 8) -> Any:
        found = find(self, goal, level, plans)
        return found and replace(found, steps=found.steps[1:] or found.steps)

    monkeypatch.setattr(Witnesses, "find", without_its_end)
    found = run("prove", "default", "--replay")
    assert found.status == 1
    assert "not replayed: step 1 of 1, place.table: 2 wood needed, 0 held" in found.out
    both = run("prove", "default", "all_three", "--replay")
    assert both.status == 1 and "place_table: not replayed: step 1 of 1" in both.out


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--execute",), "--execute"),
        (("--map", 1, "--maps", 2), "--maps"),
        (("--map", 1, "-o", "x"), "--out"),
        (("--maps", 1, "--execute", "-o", "x"), "--out"),
        (("--time-limit", 0), "--time-limit"),
    ],
)
def test_options_that_do_not_go_together(run: Run, options: tuple[object, ...], named: str) -> None:
    found = run("prove", "default", *options)
    assert found.status == 2 and named in found.err and "Traceback" not in found.err


def test_past_the_time_limit_all_is_unknown(run: Run) -> None:
    found = run("prove", "default", "--time-limit", 0.001)
    assert found.status == 1
    assert found.out.count("unknown, the search was given up at its time limit") == 22
    assert run("prove", "default", "--time-limit", 600).out == run("prove", "default").out


def test_an_explanation_past_the_time_limit(run: Run, no_diamonds: Path) -> None:
    late = ("explain", no_diamonds, "collect_diamond", "--time-limit", 0.001)
    found = run(*late)
    assert found.status == 1
    assert found.out == "collect_diamond: unknown, the search was given up at its time limit\n"
    assert run(*late, "--json").json["unreachable"] is None


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="no list of loaded libraries")
@pytest.mark.parametrize("wait", [0.0, 3.0])
def test_an_interrupted_proof_ends_with_130(wait: float) -> None:
    """Interrupted when the solver is loaded, or later; before, Python itself may answer."""
    command = [sys.executable, "-m", "mars_logic", "prove", "task_dep", "--maps", "100000"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )
    loaded = Path(f"/proc/{process.pid}/maps")
    while "clingo" not in loaded.read_text(encoding="utf-8", errors="replace"):
        assert process.poll() is None
        time.sleep(0.05)
    time.sleep(wait)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=300)
    assert process.returncode == 130 and "Traceback" not in err, err
