"""The files about scenes that commands make: how each is made, and what from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from mars_logic.data.checked import MADE_FROM
from mars_logic.domains.conan.blocks import BlockJob
from mars_logic.domains.conan.corpus import CorpusSpec, scene_block
from mars_logic.domains.conan.detective import answering, detecting, posterior
from mars_logic.domains.conan.detective.detecting import detection_block, posterior_block
from mars_logic.domains.conan.detective.investigating import POLICY, DetectionSpec, policy_of
from mars_logic.domains.conan.detective.walks import WALKING
from mars_logic.domains.conan.questions import storage, templates
from mars_logic.domains.conan.questions.storage import (
    QuestionSpec,
    balance_of_scenes,
    question_block,
    questions_file,
)
from mars_logic.domains.conan.scenes import ROWS, count_scenes, read_scenes, scenes_file, worlds_of
from mars_logic.play.agent import Episode, load_agent
from mars_logic.system.kept import code_of, data_of, digest_of_file, digest_of_plain, read_note
from mars_logic.world.load import load_world

_TEMPLATES: Final = (templates.__name__, "templates.yaml")
_TABLES: Final = (
    _TEMPLATES,
    *((posterior.__name__, f"likelihood{kind}.json") for kind in posterior.FITTED.values()),
    *((answering.__name__, f"answer_priors{kind}.json") for kind in posterior.FITTED.values()),
    (answering.__name__, "survival.json"),
)
"""Data files with which a detective answers."""
_SCENES, _QUESTIONS, _POSTERIORS, _DETECTIONS = 20, 100, 10, 4
"""Scenes in a block of each file: some seconds of work."""


def scenes_job(spec: CorpusSpec, count: int) -> BlockJob:
    """A file of scenes.

    Args:
        spec: The corpus.
        count: How many scenes.
    """
    about = {
        "world": spec.world,
        "digest": load_world(spec.world).digest,
        "seed": spec.seed,
        "vandal": spec.vandal,
        "mode": spec.mode,
        "tasks": spec.tasks,
        "code": code_of(scene_block),
    }
    return BlockJob("scenes", ROWS, scene_block, spec, count, _SCENES, about)


def questions_job(folder: Path, choices: str = "standard") -> BlockJob:
    """A file of questions about the scenes of a folder.

    Args:
        folder: The folder.
        choices: ``standard``; ``hard``: an equivalent task is among the choices of a Goal
            question; ``balanced``: no share of answers tells which choice is right.

    Raises:
        InputError: The folder holds no scenes, or too few to balance answers.
    """
    count = count_scenes(folder)
    about = {
        "choices": choices,
        "worlds": _unchanged_worlds(folder),
        "templates": data_of([_TEMPLATES]),
        "code": code_of(question_block),
    }
    read = {"scenes": scenes_file(folder)}
    balance = balance_of_scenes(folder) if choices == "balanced" else None
    spec = QuestionSpec(folder, choices == "hard", balance)
    job = "questions", storage.ROWS, question_block, spec, count, _QUESTIONS
    return BlockJob(*job, about, read)


def posteriors_job(folder: Path) -> BlockJob:
    """A file of posteriors of the questions about the scenes of a folder.

    Raises:
        InputError: The folder holds no scenes, or no questions about them.
    """
    count = count_scenes(folder)
    about = {**_answered(folder), "code": code_of(posterior_block)}
    job = "posteriors", detecting.POSTERIORS, posterior_block, folder, count, _POSTERIORS
    return BlockJob(*job, about, _read(folder))


def detections_job(
    spec: DetectionSpec, asking: Mapping[str, Any] = MappingProxyType({})
) -> BlockJob:
    """A file of detections about the scenes of a folder.

    Args:
        spec: How they are made.
        asking: What decides the answers of a language model, if one is asked.

    Raises:
        InputError: The folder holds no scenes, or no questions about them.
    """
    count = min(count_scenes(spec.folder), spec.scenes)
    about = {
        "scenes_of": str(spec.folder),
        "explorer": spec.explorer,
        **_model(spec.explorer),
        "start": spec.start,
        "steps": spec.steps,
        "detective": spec.detective,
        "checkpoints": spec.checkpoints,
        **({"model_name": spec.language.model, "asking": dict(asking)} if spec.language else {}),
        **_answered(spec.folder),
        "code": code_of(detection_block),
    }
    job = "detections", detecting.ROWS, detection_block, spec, count, _DETECTIONS
    return BlockJob(*job, about, _read(spec.folder))


def _model(explorer: str) -> dict[str, str]:
    """The digest of the model that explores, if there is one.

    Raises:
        InputError: It is not there, or plays in worlds.
    """
    if not explorer.startswith(POLICY):
        return {}
    policy_of(explorer).begin(Episode(0, None, 1, actions=WALKING))
    options = {"folder": explorer.removeprefix(POLICY)}
    agent: Any = load_agent("policy")
    return {"model": str(agent.resolved(options, Path())["digest"])}


def _answered(folder: Path) -> dict[str, Any]:
    """What answers to the questions of a folder depend on, besides scenes and questions."""
    require_questions_about(folder)
    return {"worlds": _unchanged_worlds(folder), "tables": data_of(_TABLES)}


def _read(folder: Path) -> dict[str, Path]:
    return {"scenes": scenes_file(folder), "questions": questions_file(folder)}


def require_questions_about(folder: Path) -> None:
    """Refuse questions that were made about other scenes than lie beside them now.

    Files of before this was noted are taken as they are.

    Raises:
        InputError: The folder holds no questions, or questions about other scenes, or the scenes
            are damaged.
    """
    file = storage.ROWS.open(questions_file(folder))
    note = questions_file(folder).with_suffix(".json")
    if MADE_FROM not in file.texts:
        return
    noted = read_note(note)
    if noted.get("scenes") != digest_of_file(scenes_file(folder), ROWS.allowed):
        read_scenes(folder)  # which tells what is wrong if they are damaged
        allowed = f"those of `mars-logic conan questions`; remove {note.name} and {file.path.name}"
        file.refuse("scenes", "these questions are about other scenes", allowed)


def digest_of_case(folder: Path, *, asked: bool) -> tuple[str, str]:
    """The world of the scenes of a folder, and a digest of scenes and questions.

    Args:
        folder: The folder.
        asked: Whether questions count.

    Raises:
        InputError: It holds no scenes, no questions about them, or scenes of several worlds.
    """
    worlds = _unchanged_worlds(folder)
    if len(worlds) > 1:
        file = ROWS.open(scenes_file(folder))
        file.refuse("world", f"there are {len(worlds)}", "scenes of one world")
    read = {"scenes": scenes_file(folder)}
    if asked:
        require_questions_about(folder)
        read = _read(folder)
    ((world, _),) = worlds.items()
    files = {name: digest_of_file(path, ROWS.allowed) for name, path in read.items()}
    return world, digest_of_plain({**worlds, **files})


def _unchanged_worlds(folder: Path) -> dict[str, str]:
    """The worlds of the scenes with their digests, which are those that the scenes were made in.

    Raises:
        InputError: A world was changed since.
    """
    found = worlds_of(folder)
    file = ROWS.open(scenes_file(folder))
    if MADE_FROM in file.texts:
        noted = read_note(scenes_file(folder).with_suffix(".json"))
        for world, digest in found.items():
            if (noted.get("world"), noted.get("digest")) != (world, digest):
                told = f"{world} is not as it was when the scenes were made"
                file.refuse("world", told, "the world as it was, or new scenes")
    return found
