"""Questions about scenes for models that others train: records, frames, and a card about them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.conan.codes import CODES, OBJECTS
from mars_logic.domains.conan.detective.investigating import DetectionSpec
from mars_logic.domains.conan.jobs import require_questions_about
from mars_logic.domains.conan.key_frames import FIRST_OBJECT, MOST_FRAMES, KeyFrames, key_frames
from mars_logic.domains.conan.questions.asking import Question
from mars_logic.domains.conan.questions.phrases import phrase
from mars_logic.domains.conan.questions.shortcuts import shortcuts
from mars_logic.domains.conan.questions.storage import questions_file, read_questions
from mars_logic.domains.conan.scenes import FinishedScene, count_scenes, read_scenes
from mars_logic.system.kept import read_note

_AT_ONCE: Final = 50
"""Scenes that are read together."""


@dataclass(frozen=True)
class ExportedScene:
    """A scene as it is exported.

    Attributes:
        scene: The scene.
        frames: Its key frames.
        records: A mapping for each of its questions, as JSON has it.
    """

    scene: FinishedScene
    frames: KeyFrames
    records: Sequence[Mapping[str, Any]]


def exported(walk: DetectionSpec, *, public: bool) -> Iterator[ExportedScene]:
    """The scenes of a folder with their questions, one after the other.

    Args:
        walk: The folder, and how its scenes are explored.
        public: Whether answers are left out.

    Raises:
        InputError: The folder holds no scenes, or no questions about them.
    """
    count = count_scenes(walk.folder)
    require_questions_about(walk.folder)
    for first in range(0, count, _AT_ONCE):
        scenes = read_scenes(walk.folder, first, min(first + _AT_ONCE, count))
        questions = read_questions(walk.folder, scenes)
        for scene in scenes:
            asked = questions.get(scene.number, ())
            records = [_record(scene, i, each, public=public) for i, each in enumerate(asked)]
            yield ExportedScene(scene, key_frames(scene, walk), records)


def frame_name(scene: int, frame: int) -> str:
    """The name of a picture: ``000003-07.png`` is frame 7 of scene 3."""
    return f"{scene:06d}-{frame:02d}.png"


def _record(
    scene: FinishedScene, number: int, question: Question, *, public: bool
) -> Mapping[str, Any]:
    record: dict[str, Any] = {
        "scene": scene.number,
        "split": scene.split,
        "question": number,
        "template": question.template,
        "category": question.category,
        "text": question.text,
        "cell": question.subject.cell,
        "mask": question.mask,
        "choices": [phrase(choice) for choice in question.choices],
    }
    return record if public else {**record, "answer": question.answer}


def lines_of(scenes: Sequence[ExportedScene]) -> str:
    """The records of scenes, one a line."""
    return "".join(f"{json.dumps(record)}\n" for each in scenes for record in each.records)


def arrays_of(scenes: Sequence[ExportedScene]) -> dict[str, NDArray[Any]]:
    """The key frames of scenes as arrays of one length, by name: see the card."""
    numbers = [np.full(len(s.frames.steps), s.scene.number, np.int32) for s in scenes]
    return {
        "scene": np.concatenate(numbers),
        "frame": np.concatenate([np.arange(len(each), dtype=np.int16) for each in numbers]),
        "step": np.concatenate([s.frames.steps for s in scenes]),
        "place": np.concatenate([s.frames.places for s in scenes]),
        "cells": np.concatenate([s.frames.cells for s in scenes]),
    }


def card(walk: DetectionSpec, scenes: Sequence[ExportedScene], *, public: bool) -> str:
    """The data card, in Markdown: what lies in the folder, where it is from, how to read it."""
    first = scenes[0].scene
    choices = read_note(questions_file(walk.folder).with_suffix(".json"))
    counts = Counter(record["category"] for each in scenes for record in each.records)
    splits = Counter(each.scene.split for each in scenes)
    return _CARD.format(
        scenes=len(scenes),
        questions=sum(counts.values()),
        categories=", ".join(f"{n} {kind}" for kind, n in sorted(counts.items())),
        splits=", ".join(f"{name} {n}" for name, n in sorted(splits.items())),
        world=first.world,
        vandal=first.vandal,
        mode=first.mode,
        tasks=first.tasks,
        seed=first.corpus_seed,
        choices=choices.get("choices", "unknown"),
        walk=_WALKS[walk.explorer],
        frames=sum(len(each.frames.steps) for each in scenes),
        most=MOST_FRAMES,
        answer=(
            "Answers are left out." if public else "`answer`: index of the right choice, from 0."
        ),
        blind="\n".join(_blind_lines(walk)) or "| too few scenes | | |",
        codes=", ".join(f"{i} {name}" for i, name in enumerate(CODES[:FIRST_OBJECT])),
        objects=", ".join(f"{FIRST_OBJECT + i} {name}" for i, name in enumerate(OBJECTS) if i > 0),
    )


def _blind_lines(walk: DetectionSpec) -> Iterator[str]:
    for row in shortcuts(read_questions(walk.folder)):
        yield f"| {row['by']} | {row['category']} | {row['right']:.3f} |"


_WALKS: Final = {
    "nearest": "a detective walks from the centre to the nearest open trace, up to 500 steps",
    "curious": "a detective walks from the centre to where it expects most, up to 500 steps",
    "random": "a detective walks at random from the centre, 500 steps",
    "witness": "the vandal's own views while it was at work, in the order of time",
}
_CARD: Final = """# Questions about what a vandal did

{questions} questions ({categories}) about {scenes} scenes of a Crafter-like world in which deeds
leave traces, after Conan (Xu et al., NeurIPS 2023, arXiv:2311.02018). The scenes and questions are
not those of the paper, which were not released; they were made by mars-logic.

| | |
| --- | --- |
| world | {world} |
| vandal, mode, tasks | {vandal}, {mode}, {tasks} |
| corpus seed | {seed} |
| choices | {choices} |
| scenes by split | {splits} |
| what was seen | {walk} |

## Files

- `questions.jsonl`: one question a line. `scene`, `split`, `question` (its number in the scene),
  `template`, `category`, `text`, `cell` (column and row that "here" means, or null), `mask` (least
  x and y, greatest x and y of the area that the question is about), `choices` (four texts).
  {answer}
- `frames.npz`: {frames} key frames as arrays of one length: `scene`, `frame` (its number in the
  scene), `step` of the walk, `place` (column and row of the middle), `cells` (uint8[n, 9, 9],
  indexed [frame, x, y]).
- `frames/SCENE-FRAME.png`: the same as pictures of 144 x 144 pixels.

At most {most} views of a walk are key frames: the last, then one after the other that which shows
most traces that none before it showed; where fewer show all, the others are spread evenly.

```python
import json, numpy, pathlib

questions = [json.loads(line) for line in pathlib.Path("questions.jsonl").open()]
frames = numpy.load("frames.npz")
of_the_first = frames["cells"][frames["scene"] == questions[0]["scene"]]
```

## Answers without a look

Accuracy of answering without the frames: by shares of right answers (prior), by shares among
questions worded alike (template), by words of questions and choices (words). Learned from scenes
with even numbers, judged by the others. A model that sees must be better than these.

| by | category | right |
| --- | --- | --- |
{blind}

## Codes of cells

0 is outside the map. {codes}.
An object hides its cell: {objects}.
"""
