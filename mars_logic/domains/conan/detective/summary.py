"""Accuracies of detections, beside published results."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from os.path import lexists
from pathlib import Path
from typing import Any, Final

import numpy as np

from mars_logic.data.checked import MADE_FROM, Among, Satisfying, Values, Words
from mars_logic.domains.conan.detective.blind import blind_rows
from mars_logic.domains.conan.detective.detecting import POSTERIORS, ROWS
from mars_logic.domains.conan.detective.investigating import POLICY
from mars_logic.domains.conan.detective.published import (
    BLIND,
    PUBLISHED_STEPS,
    compares,
    published_rows,
)
from mars_logic.domains.conan.detective.published import TASKS as PUBLISHED_TASKS
from mars_logic.errors import InputError
from mars_logic.system.kept import digest_of_plain, read_note

EXPLORERS: Final = ("nearest", "curious", "random", "all", "witness")
"""Ways to explore, beside ``policy:DIR``."""


def is_explorer(name: str) -> bool:
    """Whether this names a way to explore."""
    return name in EXPLORERS or (name.startswith(POLICY) and name != POLICY)


_NOTED: Final[Mapping[str, Values]] = {
    "explorer": Satisfying(is_explorer, "a way to explore"),
    "start": Among(("centre", "far")),
    "detective": Among(("afd", "counts", "prior", "model")),
    "scenes_of": Words(4096),
}
"""What a note of detections tells that is read here."""
_CATEGORIES: Final = ("intent", "goal", "survival", "task")
INTERVALS: Final = "95 % intervals"
"""What notes of intervals begin with."""
CAVEAT: Final = (
    "No published row is about these scenes or questions: the paper's were not released. Rows with "
    "the same evidence compare how hard a kind of scene is for two detectives, not two detectives "
    "on one scene. Overall is (2 I + G + S) / 4, or (2 I + G) / 3 without questions about survival."
)


def detection_summary(folder: Path, lives: Path | None = None) -> dict[str, Any]:
    """Accuracies of a folder of detections: rows with published ones beside, and notes.

    Args:
        folder: The folder.
        lives: Another one, about scenes of survival, whose answers count as well.

    Raises:
        InputError: A folder holds no detections.
    """
    rows, noted = _read(folder)
    by_determined, told = _by_determined(rows, noted)
    name = _name(noted)
    blind, left_out = blind_rows([noted])
    if lives is not None:
        found, of_lives = _read(lives)
        rows += found
        blind, left_out = blind_rows([noted, of_lives])
    by_step: defaultdict[Any, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_step["the end" if row["last"] else row["step"]].append(row)
    ours = [
        {
            **_scores(each),
            "name": name if step == "the end" else f"{name}, after {step} steps",
            "compares": _compares(noted, step),
        }
        for step, each in by_step.items()
    ]
    last = by_step["the end"]
    return {
        "rows": ours + blind + published_rows(),
        "tasks": _by_task(last),
        "determined": by_determined,
        "notes": told + left_out + _intervals(ours) + _unread(last, noted) + _notes(last),
    }


def _read(folder: Path) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The rows of a folder, and the note of what they were made from.

    Raises:
        InputError: It holds no detections, or a note of others.
    """
    path, place = folder / "detections.parquet", folder / "detections.json"
    file = ROWS.open(path)
    if not file.rows:
        file.refuse("rows", "there are none")
    noted = read_note(place)
    for name, values in _NOTED.items():
        value = noted.get(name)
        if not isinstance(value, str) or not values.holds(value):
            told = "it is missing, or none of these"
            raise InputError(f"{place}:1: {name}: {told}; allowed: {values.allowed}")
    if file.texts.get(MADE_FROM) != digest_of_plain(noted).encode():
        told = f"this is not what {path.name} was made from"
        raise InputError(f"{place}:1: file: {told}; allowed: the file that was written with it")
    return ROWS.read(path), noted


def _name(noted: Mapping[str, Any]) -> str:
    """What a detective is called in tables."""
    if noted["detective"] == "model":
        return f"{noted['model_name']}, {noted['explorer']}, {noted['start']}"
    walked = noted["explorer"] not in ("all", "witness")
    start = f", {noted['start']}" if walked else ""
    return f"{noted['detective']}, {noted['explorer']}{start}"


def _compares(noted: Mapping[str, Any], step: int | str) -> str:
    """What a row may be compared with."""
    steps = noted.get("steps", PUBLISHED_STEPS) if step == "the end" else step
    if noted["detective"] == "prior":
        return BLIND
    return compares(noted["explorer"], noted["start"], int(steps))


def _right(rows: Iterable[dict[str, Any]], category: str) -> float | None:
    """The share of right answers of a category, None if there is none."""
    right = [row["choice"] == row["answer"] for row in rows if row["category"] == category]
    return float(np.mean(right)) if right else None


def half_width(rows: Iterable[dict[str, Any]], category: str) -> float | None:
    """Half of the 95 % interval of a share of right answers, None if there is none.

    Questions about one scene depend on each other: scenes are what is drawn (ratio estimate).
    """
    known = [row for row in rows if row["category"] == category]
    share = _right(known, category)
    if share is None:
        return None
    sums: defaultdict[Any, float] = defaultdict(float)
    for row in known:
        sums[row["scene"]] += (row["choice"] == row["answer"]) - share
    spread = np.sqrt(sum(each**2 for each in sums.values())) / len(known)
    return float(1.96 * spread)


def _intervals(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    found = []
    for row in rows:
        widths = [
            f"{name} ± {row['half_widths'][name]:.3f}"
            for name in (*_CATEGORIES, "traces")
            if row["half_widths"][name] is not None
        ]
        found.append(f"{INTERVALS} of {row['name']}: {', '.join(widths)}.")
    return found


def _unread(rows: list[dict[str, Any]], noted: Mapping[str, Any]) -> list[str]:
    """How many answers of a language model could not be read."""
    if noted["detective"] != "model":
        return []
    many = sum(row["mass"] < 1 for row in rows)
    told = f"{many} of {len(rows)} answers could not be read, and were chosen at random."
    return [f"{noted['model_name']}: {told}"]


def _scores(rows: list[dict[str, Any]]) -> dict[str, Any]:
    scores: dict[str, Any] = {name: _right(rows, name) for name in _CATEGORIES}
    scores["half_widths"] = {name: half_width(rows, name) for name in _CATEGORIES}
    seen = {(row["task"] == "survive", row["scene"]): row["traces"] for row in rows}
    shares = np.array([*seen.values()])
    scores["scenes"], scores["traces"] = len(seen), float(shares.mean())
    scores["half_widths"]["traces"] = float(1.96 * shares.std() / np.sqrt(len(shares)))
    intent, goal, survival = (scores[name] for name in ("intent", "goal", "survival"))
    scores["overall"] = None
    if intent is not None and goal is not None:
        parts = [intent, intent, goal] + ([survival] if survival is not None else [])
        scores["overall"] = float(np.mean(parts))
    return scores


def _by_task(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Accuracies of each true task: of its Goal questions, and among all tasks."""
    by_task: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        if row["category"] in ("goal", "task"):
            by_task[row["task"]].append(row)
    return [
        {
            "task": task,
            "goal": _right(each, "goal"),
            "among_all": _right(each, "task"),
            **_published(task),
            "scenes": len({row["scene"] for row in each}),
        }
        for task, each in sorted(by_task.items())
    ]


def _published(task: str) -> dict[str, float | None]:
    """Published accuracies of Goal questions about a task, None if there are none."""
    names = "published_trpo", "published_ideal"
    found = PUBLISHED_TASKS.get(task)
    return {name: found[i] / 100 if found else None for i, name in enumerate(names)}


def _by_determined(
    rows: list[dict[str, Any]], noted: Mapping[str, Any]
) -> tuple[list[dict[str, Any]], list[str]]:
    """Accuracies of the questions that all traces together determine, and of the others; notes.

    Empty if the scenes have no posteriors (``mars-logic conan questions --posterior``), or these
    are about other scenes or questions than the detections.
    """
    place = Path(noted["scenes_of"]) / "posteriors.parquet"
    if not lexists(place):
        return [], []
    found = POSTERIORS.read(place)
    theirs = read_note(place.with_suffix(".json"))
    if any(theirs.get(name) != noted.get(name) for name in ("scenes", "questions")):
        return [], [f"{place} is about other scenes or questions, and left out."]
    known = {(row["scene"], row["question"]): row["determined"] for row in found}
    asked: Counter[int] = Counter()
    split: dict[bool, list[dict[str, Any]]] = {True: [], False: []}
    for row in rows:
        if row["last"] and row["category"] != "task":
            number = asked[row["scene"]]
            asked[row["scene"]] += 1
            if (row["scene"], number) in known:
                split[known[row["scene"], number]].append(row)
    return [
        {
            "determined": determined,
            **{name: _right(each, name) for name in _CATEGORIES[:3]},
            "questions": len(each),
        }
        for determined, each in split.items()
    ], []


def _notes(rows: list[dict[str, Any]]) -> list[str]:
    tasks = [row for row in rows if row["category"] == "task"]
    if not tasks:
        return [CAVEAT]
    right = np.array([row["choice"] == row["answer"] for row in tasks])
    mass = np.array([row["mass"] for row in tasks])
    goals = [row for row in rows if row["category"] == "goal"]
    sure = [row["choice"] == row["answer"] for row in goals if row["mass"] >= 0.99]
    return [
        f"Task among all: {right.mean():.3f} right, where the detective expects "
        f"{mass.mean():.3f}; {calibration_told(mass, right)}.",
        f"Goal where the detective is sure (0.99): {np.mean(sure) if sure else 0:.3f} of "
        f"{len(sure)}.",
        f"Traces seen: {np.mean([row['traces'] for row in tasks]):.3f}, after "
        f"{np.mean([row['step'] for row in tasks]):.0f} steps. {_most_seen(tasks)}",
        CAVEAT,
    ]


def _most_seen(tasks: list[dict[str, Any]]) -> str:
    """After how many steps most traces had been seen; where they never were counts as never."""
    found = np.array([float(row["most_seen"]) for row in tasks])
    found[found < 0] = np.inf
    middle = float(np.median(found))
    after = f"after {middle:.0f} steps (median)" if np.isfinite(middle) else "in fewer than half"
    share = np.isfinite(found).mean()
    return f"95 % of a scene's traces: {after}; in {share:.3f} of the scenes before the end."


def calibration_error(mass: Any, right: Any) -> float:
    """Expected calibration error over ten bins of equal width.

    Args:
        mass: float[n]: belief in each choice.
        right: bool[n]: whether it was right.
    """
    mass, right = np.asarray(mass), np.asarray(right)
    bins = np.minimum((mass * 10).astype(int), 9)
    parts = [
        abs(right[bins == i].mean() - mass[bins == i].mean()) * (bins == i).mean()
        for i in range(10)
        if (bins == i).any()
    ]
    return float(sum(parts))


def exact_error(mass: Any, draws: int = 200) -> float:
    """The calibration error that a belief without any error shows, on average, by chance.

    Args:
        mass: float[n]: belief in each choice.
        draws: How often answers are drawn that are right with these probabilities.
    """
    rng, mass = np.random.RandomState(0), np.asarray(mass)
    errors = [calibration_error(mass, rng.random_sample(len(mass)) < mass) for _ in range(draws)]
    return float(np.mean(errors))


def debiased_error(mass: Any, right: Any, draws: int = 500) -> tuple[float, float]:
    """The calibration error without what chance adds to it, and half of its 95 % interval.

    The bias and the interval are those of a bootstrap over scenes (Kumar, Liang and Ma, "Verified
    uncertainty calibration", NeurIPS 2019).

    Args:
        mass: float[n]: belief in each choice.
        right: bool[n]: whether it was right.
        draws: How many samples are drawn.
    """
    rng, mass, right = np.random.RandomState(0), np.asarray(mass), np.asarray(right)
    found = calibration_error(mass, right)
    samples = (rng.randint(len(mass), size=len(mass)) for _ in range(draws))
    errors = np.array([calibration_error(mass[each], right[each]) for each in samples])
    return max(2 * found - float(errors.mean()), 0.0), 1.96 * float(errors.std())


def calibration_told(mass: Any, right: Any) -> str:
    """The calibration error of some beliefs, in words."""
    error, width = debiased_error(mass, right)
    return (
        f"expected calibration error {calibration_error(mass, right):.3f}, without what chance "
        f"adds {error:.3f} ± {width:.3f} (an exact belief would show {exact_error(mass):.3f} in so "
        "many scenes)"
    )
