"""Accuracies that Xu et al. (NeurIPS 2023) publish, and what of ours they compare with."""

from __future__ import annotations

from typing import Any, Final

TRPO, IDEAL, EMPTY = "TRPO explorer", "ideal explorer", "empty pictures"
_MODELS: Final = ("Vanilla-Trans", "F-BiLM-BERT", "F-BiLM-DeBERTa", "Flamingo-Mini")
_TABLE_3: Final = {
    TRPO: (
        (32.9, 25.0, 24.5, 28.8),
        (72.6, 44.4, 54.4, 61.0),
        (82.9, 43.1, 52.2, 65.3),
        (86.2, 43.3, 49.5, 66.3),
    ),
    IDEAL: (
        (64.0, 78.4, 58.1, 66.1),
        (87.5, 59.5, 61.5, 74.0),
        (87.7, 71.8, 63.9, 77.8),
        (85.8, 47.8, 56.6, 69.0),
    ),
    f"AfD, {TRPO}": (
        (24.8, 23.3, 24.5, 24.3),
        (82.8, 42.9, 55.5, 66.0),
        (82.9, 41.9, 53.8, 65.4),
        (84.9, 42.5, 52.2, 66.1),
    ),
}
"""Percentages: intent, goal, survival, (2 I + G + S) / 4."""
_TABLE_A6: Final = (26.4, 25.5, 25.9, 22.9)
"""Goal questions, with empty pictures."""
SEEN: Final = {
    TRPO: "a walk of 500 steps from the centre",
    IDEAL: "the vandal's views in order",
    f"AfD, {TRPO}": "a walk of 500 steps from the centre",
    EMPTY: "nothing",
}
"""What the answers of published rows rest on."""
TASKS: Final = {
    "get_drink": (47.06, 100.0),
    "defeat_cow": (43.9, 85.37),
    "get_apple": (35.7, 78.57),
    "defeat_skeleton": (46.59, 82.95),
    "make_iron_pickaxe": (56.52, 52.17),
    "place_bed": (43.9, 87.8),
    "make_steak": (46.15, 50.0),
    "make_stone_pickaxe": (48.48, 39.39),
    "get_coal": (50.0, 45.45),
    "make_stone_sword": (37.5, 4.17),
    "get_iron": (28.57, 46.43),
    "get_water": (45.95, 54.05),
    "get_stone": (36.84, 47.37),
    "make_iron_sword": (56.25, 28.12),
    "place_furnace": (44.44, 83.95),
    "get_diamond": (40.62, 84.38),
    "place_table": (39.36, 91.49),
    "get_wood": (36.0, 96.0),
    "make_wood_pickaxe": (40.0, 55.0),
    "make_wood_sword": (50.0, 64.29),
    "make_bed": (47.83, 39.13),
    "get_lava": (50.0, 66.67),
    "make_bucket": (35.29, 73.53),
    "get_beef": (53.85, 42.31),
    "defeat_zombie": (52.5, 75.0),
}
"""Table 4: percentages of Goal questions right by task, F-BiLM-DeBERTa, TRPO and ideal explorer."""


def published_rows() -> list[dict[str, Any]]:
    """All published rows: the 12 of table 3, and the 4 of table A6 without a picture."""
    rows = [
        _row(model, explorer, scores)
        for explorer, each in _TABLE_3.items()
        for model, scores in zip(_MODELS, each, strict=True)
    ]
    return rows + [
        _row(model, EMPTY, (None, goal, None, None))
        for model, goal in zip(_MODELS, _TABLE_A6, strict=True)
    ]


def _row(model: str, explorer: str, scores: tuple[float | None, ...]) -> dict[str, Any]:
    shares = [None if each is None else round(each / 100, 3) for each in scores]
    named = dict(zip(("intent", "goal", "survival", "overall"), shares, strict=True))
    about = {"scenes": 1000, "compares": SEEN[explorer], "published": True}
    return {"name": f"published: {model}, {explorer}", **named, **about}


def compares(explorer: str, start: str, steps: int) -> str:
    """What one of our rows may be compared with, by what the detective saw.

    Args:
        explorer: How it explored.
        start: Where it started.
        steps: The longest walk.
    """
    if explorer == "witness":
        return f"{IDEAL}: the same is seen"
    if explorer == "all":
        return "none: all is seen at once"
    if start == "far":
        return "none: a start far from all traces"
    if steps != PUBLISHED_STEPS:
        return f"none: {steps} steps, not {PUBLISHED_STEPS}"
    return f"{TRPO}: as many steps, the same start"


PUBLISHED_STEPS: Final = 500
"""Steps of the published explorers."""
BLIND: Final = f"{EMPTY}: nothing is seen"
"""What rows without a look compare with."""
