"""What the commands about Conan's scenes share: options, files of scenes, and their making."""

from __future__ import annotations

from contextlib import closing
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mars_logic.cli.output import INTERRUPTED, pipes_may_break, progress, say
from mars_logic.errors import InputError
from mars_logic.interruptions import as_interruption

if TYPE_CHECKING:
    from mars_logic.domains.conan.blocks import BlockJob
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


def write_rows(folder: Path, job: BlockJob, processes: int) -> None:
    """Write a file of rows in blocks, with a bar; an interrupted run goes on.

    Raises:
        typer.Exit: It was interrupted.
    """
    from mars_logic.code_cache import warn_if_unwritable
    from mars_logic.domains.conan.blocks import write_blocks

    warn_if_unwritable()
    number = 0
    try:
        with (
            as_interruption(),
            pipes_may_break(),
            progress() as shown,
            closing(write_blocks(folder, job, processes)) as done,
        ):
            bar = shown.add_task(job.name, total=job.scenes)
            for number in done:
                shown.update(bar, completed=number)
    except KeyboardInterrupt:
        say(f"{job.name}: {number:,} of {job.scenes:,} scenes are done; the same command goes on")
        raise typer.Exit(INTERRUPTED) from None


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
