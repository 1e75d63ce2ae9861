"""Outcomes of single situations, and that many at once are judged like each alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.logic import facts, outcomes
from mars_logic.logic.situation import FactState, NearbyThing, Player, before_action, before_update
from mars_logic.system import resources
from mars_logic.world import names

FULL = {item: 9 if item in names.VITALS else 0 for item in names.ITEMS}
REST = {"hunger": 0, "thirst": 0, "fatigue": 0, "recover": 0}


def state(at=(5, 5), ground="grass", things=None, **player):
    materials = np.full((64, 64), names.MATERIALS.index(ground), np.uint8)
    return FactState(materials, Player(at, inventory=FULL, counters=REST, **player), things or {})


def test_files_of_the_current_folder_are_not_taken_for_ours(tmp_path, monkeypatch):
    for file in resources.folder("encodings").rglob("*.lp"):
        (tmp_path / file.name).write_text("this is no program", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert only("crafter", before_action(state(), "noop"))


def only(world, situation):
    """The one outcome that there is."""
    ((outcome,),) = outcomes(load_world(world), [situation])
    return outcome


def test_a_whole_state_leads_to_a_whole_state():
    before = before_action(state(), "move_left")
    after = only("crafter", before)
    gone = {"action(move_left)", "facing(0,1)", "object(0,0,player)"}
    grown = {f"counter({name},0)" for name in REST}
    new = {"facing(-1,0)", "object(-1,0,player)"} | {f"counter({name},2)" for name in REST}
    assert after == before - gone - grown | new


def test_situations_are_told_by_offsets():
    told = before_action(state(at=(0, 63), facing=(1, 0)), "noop")
    assert {"at_edge", "action(noop)", "facing(1,0)", "object(0,0,player)"} <= told
    cells = {atom for atom in told if atom.startswith("cell")}
    assert cells == {f"cell({dx},{dy},grass)" for dx in (0, 1) for dy in (-1, 0)}
    assert "at_edge" not in before_action(state(at=(1, 63)), "noop")


def test_what_is_far_from_who_acts_is_not_told():
    things = {
        (5, 7): NearbyThing("cow", health=3),
        (6, 7): NearbyThing("arrow", factor=-1, flies=(0, -1)),
    }
    told = before_update(state(things=things | {(9, 9): NearbyThing("zombie")}), (5, 7))
    assert {"object(0,0,cow)", "thing(0,0,health,3)", "object(0,-2,player)"} <= told
    assert {"object(1,0,arrow)", "thing(1,0,factor,-1)", "flies(1,0,0,-1)"} <= told
    assert not any("zombie" in atom or "wood" in atom for atom in told)


@pytest.mark.parametrize(("away", "moves"), [(17, True), (18, False)])
def test_what_is_far_from_the_player_stands_still(away, moves):
    situation = before_update(state(things={(5, 5 + away): NearbyThing("cow", 3)}), (5, 5 + away))
    (found,) = outcomes(load_world("crafter"), [situation])
    assert len(found) == (5 if moves else 1)


def test_what_is_not_told_is_not_concluded():
    told = {"object(0,0,player)", "action(do)", "facing(1,0)", "cell(1,0,tree)"}
    assert only("crafter", told) == {
        *("object(0,0,player)", "facing(1,0)", "cell(1,0,grass)", "counted(collect_wood)")
    }


@pytest.fixture(scope="module")
def many():
    cow, arrow = NearbyThing("cow", health=3), NearbyThing("arrow", factor=-1, flies=(-1, 0))
    scenes = [
        state(facing=(1, 0), things={(6, 5): cow}),
        state(facing=(1, 0), things={(6, 5): arrow}, sleeping=True),
        state(at=(0, 5), ground="stone"),
    ]
    told = [before_action(scene, action) for scene in scenes for action in names.ACTIONS]
    return told + [before_update(scene, (6, 5)) for scene in scenes[:2]]


@pytest.mark.slow
def test_many_situations_are_judged_like_each_alone(many):
    world = load_world("all_three")
    assert outcomes(world, many) == [outcomes(world, [one])[0] for one in many]


def test_outcomes_are_what_plain_clingo_answers(many, tmp_path: Path):
    world = load_world("all_three")
    (tmp_path / "world.lp").write_text(facts(world), encoding="utf-8")
    chosen = many[-2]
    (tmp_path / "situation.lp").write_text(
        " ".join(f"{atom}." for atom in chosen), encoding="utf-8"
    )
    root = resources.folder("encodings") / "step.lp"
    done = subprocess.run(
        [sys.executable, "-m", "clingo", root, "world.lp", "situation.lp", "0", "--verbose=0"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert not done.stderr
    *answers, status = done.stdout.splitlines()
    assert status == "SATISFIABLE"
    told = {frozenset(atom[5:-1] for atom in answer.split()) for answer in answers}
    assert told == outcomes(world, [chosen])[0]
    assert len(told) > 1
