"""What the commands about Conan's scenes share: options, files of scenes, and their making."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mars_logic.cli.output import progress
from mars_logic.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mars_logic.domains.conan.scenes import FinishedScene


class Exploring(StrEnum):
    """Ways to explore a scene."""

    nearest = "nearest"
    curious = "curious"
    random = "random"
    all = "all"


class WalkStart(StrEnum):
    """Where a detective starts."""

    centre = "centre"
    far = "far"


Out = Annotated[Path, typer.Option("--out", "-o", help="The folder to write to.")]
Processes = Annotated[
    int, typer.Option(min=1, max=256, help="Processes; the files are the same with any number.")
]


def write_rows(
    folder: Path,
    name: str,
    about: dict[str, Any],
    work: Any,
    given: Any,
    count: int,
    processes: int,
) -> None:
    """Write a file of rows in blocks, with a bar; an interrupted run goes on."""
    from mars_logic.domains.conan.blocks import write_blocks

    done: Iterator[int] = write_blocks(folder, name, about, work, given, count, processes)
    with progress() as shown:
        bar = shown.add_task("scenes", total=count)
        for number in done:
            shown.update(bar, completed=number)


def scene_of(file: Path, number: int) -> FinishedScene:
    """A scene of a folder or file.

    Raises:
        InputError: There is none of that number.
    """
    from mars_logic.domains.conan.scenes import count_scenes, read_scenes

    count = count_scenes(file)
    if number >= count:
        raise InputError(f"{file}:1: scene: there is no scene {number}; allowed: 0 to {count - 1}")
    return read_scenes(file, number, number + 1)[0]
