"""Scenes as text: the map, the log in sentences, and what a detective believes of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from mars_logic.domains.conan.codes import CODE, CODES, OBJECTS, TRACES
from mars_logic.domains.conan.detective.abduction import Plan
from mars_logic.domains.conan.detective.evidence import SceneEvidence, everything
from mars_logic.domains.conan.detective.investigating import detective_of, detective_seed
from mars_logic.domains.conan.detective.posterior import PlanPosterior
from mars_logic.domains.conan.questions.history import Deed, History
from mars_logic.domains.conan.questions.phrases import noun, phrase
from mars_logic.domains.conan.questions.storage import scene_history
from mars_logic.domains.conan.scenes import FinishedScene
from mars_logic.domains.conan.vandal.log import Why
from mars_logic.domains.conan.vandal.tasks import ALL_TASKS
from mars_logic.world.dialect import AREA

_SIGNS: Final = {
    "none": " ",
    "water": "~",
    "grass": ".",
    "stone": "#",
    "path": "_",
    "sand": ",",
    "tree": "T",
    "lava": "^",
    "apple_tree": "A",
    "coal": "c",
    "iron": "i",
    "diamond": "d",
    "table": "H",
    "furnace": "F",
    "bed": "B",
    "tree_cut": "t",
    "stone_left": "s",
    "coal_left": "k",
    "iron_left": "e",
    "diamond_left": "v",
    "cow_dead": "w",
    "zombie_dead": "z",
    "skeleton_dead": "x",
}
_MARKS: Final = {
    "left": "<",
    "right": ">",
    "up": "'",
    "down": "!",
    "unknown": "?",
    "water": "o",
    "blood": "*",
    "destroyed": "%",
}
_THINGS: Final = {"cow": "C", "zombie": "Z", "skeleton": "K", "arrow": "-", "plant": "P"}
_FIGURE: Final = "@"
LEGEND: Final = (
    "@ figure  H table  F furnace  B bed  < > ' ! prints  ? prints in several directions  "
    "t stump  s k e v what is left of stone, coal, iron, diamond  w z x dead cow, zombie, "
    "skeleton  o drink  % what an arrow left  T tree  A apple tree  # stone  ~ water  ^ lava"
)
"""What the signs of a map mean."""
_MARGIN: Final = 4
"""Cells that are shown around the traces."""


def sign(code: int) -> str:
    """The sign of a code on a map."""
    name = CODES[code]
    return _SIGNS.get(name) or _MARKS[name.rpartition("_")[2]]


def sign_at(scene: FinishedScene, x: int, y: int) -> str:
    """The sign of what is seen on a cell: the figure, else an object, else the ground."""
    if (x, y) == scene.figure:
        return _FIGURE
    thing = scene.things[x, y]
    return _THINGS.get(OBJECTS[thing], "?") if thing else sign(int(scene.codes[x, y]))


def map_lines(scene: FinishedScene) -> Iterator[str]:
    """The part of the map with traces, a line for each row; then what the signs mean."""
    traces = np.argwhere(TRACES[scene.codes]).tolist()
    xs, ys = zip(*traces, scene.figure, strict=True)
    left, right = max(min(xs) - _MARGIN, 0), min(max(xs) + _MARGIN + 1, AREA)
    top, bottom = max(min(ys) - _MARGIN, 0), min(max(ys) + _MARGIN + 1, AREA)
    yield f"columns {left} to {right - 1}, rows {top} to {bottom - 1}"
    for y in range(top, bottom):
        yield "".join(sign_at(scene, x, y) for x in range(left, right))
    yield LEGEND


def log_lines(scene: FinishedScene) -> Iterator[str]:
    """The log in sentences, indented as the plan's parts are. It is privileged."""
    history = scene_history(scene)
    if scene.mode == "survival":
        yield f"No task; {phrase(f'died_{scene.outcome}')}, after {scene.steps} steps."
    else:
        yield f"The task: {phrase(scene.task)}; {scene.steps} steps."
    told: set[int] = set()
    for deed in history.deeds:
        chain = _chain(history, deed.bracket)
        for depth, bracket in enumerate(chain):
            if bracket not in told:
                told.add(bracket)
                start = history.brackets[bracket]
                yield f"{'  ' * depth}from step {start.first}: {phrase(start.name)}"
        yield f"{'  ' * len(chain)}{sentence(deed)}"


def _chain(history: History, bracket: int) -> list[int]:
    found: list[int] = []
    while bracket >= 0:
        found.insert(0, bracket)
        bracket = history.brackets[bracket].parent
    return found


_DONE: Final = {
    "collect": "mined",
    "place": "placed",
    "make": "made",
    "kill": "killed",
    "eat": "ate",
    "fill": "filled a bucket with",
}


def sentence(deed: Deed) -> str:
    """A deed as a sentence."""
    where = f"at ({deed.cell[0]}, {deed.cell[1]})"
    if deed.why == Why.ARROW:
        return f"Step {deed.step}: an arrow killed {noun(deed.name)} {where}."
    if deed.kind == "drink":
        return f"Step {deed.step}: it drank {where}."
    if deed.kind == "sleep":
        return f"Step {deed.step}: it fell asleep {where}."
    done = "cut" if deed.kind == "collect" and deed.name.endswith("tree") else _DONE[deed.kind]
    what = deed.name if deed.kind == "fill" else noun(deed.name)
    way = {Why.WAY: " to clear the way", Why.DEFENCE: " in self-defence"}.get(deed.why, "")
    tool = f" with {noun(deed.weapon)}" if deed.weapon else ""
    return f"Step {deed.step}: it {done} {what} {where}{tool}{way}."


def belief_lines(scene: FinishedScene) -> Iterator[str]:
    """What the detective believes when it has seen everything, and why."""
    evidence = everything(scene)
    detective = detective_of(*scene.suspect)
    posterior = detective.posterior(evidence, detective_seed(scene))
    yield "Tasks, by probability:"
    for number in np.argsort(-posterior.tasks, kind="stable")[:5]:
        if posterior.tasks[number] >= 0.001:
            share = float(posterior.tasks[number])
            bar = "#" * round(30 * share)
            yield f"  {phrase(ALL_TASKS[number]):30} {share:5.3f} {bar}".rstrip()
    yield from _explained(posterior, scene)
    refuted = list(refutations(scene, evidence))
    yield f"{len(refuted)} of {len(detective.tasks)} tasks are refuted, such as:"
    yield from (f"  {line}" for line in refuted[:6])


def refutations(scene: FinishedScene, evidence: SceneEvidence) -> Iterator[str]:
    """The tasks all of whose plans what is seen refutes, each with a reason."""
    abduction = detective_of(*scene.suspect).abduction
    refuted = abduction.refuted(evidence)
    possible = {task for task, _ in abduction.possible(evidence)}
    first = {task: plan for plan in reversed(abduction.plans) for task in plan[:1]}
    for task in detective_of(*scene.suspect).tasks:
        if task not in possible:
            reasons = refuted[first[task]]
            kind, what = min(reasons, key=lambda reason: (_ORDER.index(reason[0]), reason[1]))
            yield f"{phrase(task)}: {_REASONS[kind].format(noun(what))}"


_REASONS: Final = {
    "without": "that needs {}, and there is no trace of one",
    "more": "that leaves less of {} than there is",
    "few": "that costs more {} than was collected",
    "apart": "the figure would stand beside {}",
}
_ORDER: Final = tuple(_REASONS)


def plan_words(plan: Plan) -> str:
    """A plan in words."""
    task, weapon = plan
    return phrase(task) if weapon == "none" else f"{phrase(task)}, first making {noun(weapon)}"


def _explained(posterior: PlanPosterior, scene: FinishedScene) -> Iterator[str]:
    """The plan believed, the traces that its simulations leave and do not leave."""
    plan, mass = next(iter(posterior.plan_masses().items()))
    yield f"The plan believed: {plan_words(plan)} (probability {mass:.3f})."
    number = int(posterior.weights.argmax())
    simulated = posterior.results["codes"][number]
    traces = TRACES[scene.codes]
    same = traces & TRACES[simulated]
    things = (scene.codes >= CODE["tree_cut"]) & (scene.codes <= CODE["skeleton_dead"])
    hit = things & (simulated == scene.codes)
    yield (
        f"Its best simulation leaves traces on {int(same.sum())} of {int(traces.sum())} cells with "
        f"traces, and {int(hit.sum())} of {int(things.sum())} remains where they lie."
    )
