"""Small files of other programs, in their formats."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Final

import crafter
import numpy as np


def recorded(folder: Path, seed: int, length: int, sleepy: bool = False) -> Path:
    """An episode that PyPI crafter's recorder wrote, and ``stats.jsonl`` beside it."""
    episode, _ = played(folder, seed, length, sleepy)
    return episode


def played(
    folder: Path, seed: int, length: int, sleepy: bool
) -> tuple[Path, list[tuple[int, ...]]]:
    """An episode in a file; and facing and sleep in each moment, which the file lacks."""
    before = {*folder.glob("*.npz")}
    env = crafter.Env(seed=seed, length=length)
    recorder = crafter.Recorder(env, folder, save_video=False)
    random = np.random.RandomState(seed)
    recorder.reset()
    truth, done = [(*env._player.facing, env._player.sleeping)], False
    while not done:
        moves = random.rand() < 0.5
        action = 6 if sleepy and random.rand() < 0.6 else random.randint(1, 6 if moves else 17)
        _, _, done, _ = recorder.step(int(action))
        truth.append((*env._player.facing, env._player.sleeping))
    recorder._file.close()  # of the totals, in a wrapper within
    (found,) = {*folder.glob("*.npz")} - before
    return found, truth


def _result_table() -> str:
    told = [
        "You entered a laboratory.",
        'Ann checked <Task Monitor>, and found the result: it reads "ACB".',
        "By turning on the reactor A and C turned into AC after the reaction. It is stored.",
        "You tried to put <ZZ> into the <Reactor>, but there is none.",
        "You just updated your plan and your hypothesis following is your new hypothesis and plan: "
        "The products are the materials joined in order.",
        "By turning on the reactor AC and B turned into ACB after the reaction. It is stored.",
    ]
    stream = io.StringIO()
    columns = ["puzzle_name", "puzzle_level", "puzzle_index", "round_index", "All_memories_str"]
    table = csv.writer(stream, lineterminator="\n")
    table.writerow(columns)
    table.writerow(["Reactor_puzzles", 2, 1, 1, "<New Row>".join(told)])
    return stream.getvalue()


RESULTS: Final = _result_table()
_VIEW: Final = (
    "I am on the grass.\nI see: (object with coordinate)\ntree is in front of me.\n"
    "<grass(-1, 0), tree(1, 0), grass(0, 1), grass(0, -1), grass(-1, 1), grass(1, 1), "
    "grass(-1, -1), grass(1, -1), water(3, 2)>\n"
    "My status: <health: 9/9, food: 9/9, drink: 9/9, energy: 9/9>\n"
)
LOG: Final = "".join(
    json.dumps({"observation": _VIEW + held, "action": action}) + "\n"
    for held, action in (
        ("I have nothing in your inventory.", "do"),
        ("My inventory: <wood: 1>", "noop"),
        ("My inventory: <wood: 1>", None),
    )
)
TRACE: Final = (
    "(:trajectory\n\n(:state (faces_tree))\n\n(:action (collect_wood))\n\n"
    "(:state (faces_tree) (has_wood_1))\n\n)\n"
)
CLAUSES: Final = """\
********** SOLUTION **********
Precision:1.00 Recall:1.00 TP:10 FN:0 TN:10 FP:0 Size:3
collect_iron(V0):- faces_iron(V0),has_stone_pickaxe_1(V0).
place_stone(A):- faces_water(A),has_stone_1(A).
place_stone(A):- has_stone_1(A),faces_grass(A).
make_wood_pickaxe(V0):- near_table(V0),has_wood_1(V0).
"""
DOMAIN: Final = """\
(define (domain mars)
  (:requirements :strips)
  (:predicates (near_table) (has_wood_1) (faces_sand))
  (:action make_wood_pickaxe
   :parameters ()
   :precondition (and (near_table) (has_wood_1))  ; learned
   :effect (and (not (has_wood_1))))
  (:action move :parameters () :precondition (faces_sand) :effect (and)))
"""
