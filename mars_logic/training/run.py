"""A training run in its folder: the curve, the best and the last model, checkpoints, its logs."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from mars_logic.errors import InputError
from mars_logic.system.files import refusal, unreplaceable, write_or_refuse
from mars_logic.training import checkpoint, curve, earlier_format, settings_file
from mars_logic.training.batch import begin_anew, make_batch, memory, recall
from mars_logic.training.curve import Point
from mars_logic.training.episode_log import WINDOW
from mars_logic.training.laws import Clauses, predicates_of
from mars_logic.training.learners import make_learner
from mars_logic.training.progress import TrainingProgress
from mars_logic.training.settings import Settings
from mars_logic.world.dump import to_yaml
from mars_logic.world.theory import World

SECONDS: Final = 10.0
"""Between checkpoints."""
_SHARE: Final = 0.1
"""Of the time, at most so much goes into checkpoints: large ones are written less often."""
_LARGE: Final = 1e18
_DAMAGED: Final = (
    *(LookupError, TypeError, AttributeError, ValueError, RuntimeError, ArithmeticError),
)
"""What restoring values of other types, shapes or sizes ends with."""
ROWS: Final = 200
"""About so many rows has the curve of a run, whose checkpoints lie between rows."""
WORLD: Final = "world.yaml"
TENSORBOARD: Final = "tensorboard"

Watch = Callable[[int, Point | None], None]
"""Is told the steps so far, and the last row of the curve."""


class TrainingRun:
    """Trains in a folder, anew or from the checkpoint there.

    Attributes:
        points: The curve so far.
        resumed: The steps of the checkpoint that it goes on from; 0 where it begins.
    """

    def __init__(
        self,
        folder: Path,
        settings: Settings,
        world: World,
        laws: Clauses | None,
        steps: int,
        *,
        device: str = "cpu",
        seconds: float = SECONDS,
        trust: bool = False,
    ) -> None:
        """Prepare; a checkpoint of the same settings is continued.

        Args:
            folder: Of the results; it exists.
            settings: Of the run.
            world: Where it is trained.
            laws: The clauses of the laws, if the reward uses any.
            steps: Steps in all environments together at which it ends.
            device: Where networks compute.
            seconds: Between checkpoints.
            trust: Whether a run of the version before is continued, whose files hold pickles.

        Raises:
            InputError: The folder holds another run, one of another version, or one that is not
                trusted; or it cannot be written to.
        """
        self._folder, self._settings, self._steps, self._seconds = folder, settings, steps, seconds
        self._world = world
        self._every = max(steps // ROWS, 1)
        uses_laws = settings.laws is not None
        self._envs = make_batch(settings, world, predicates_of(laws) if uses_laws else None)
        self._learner = make_learner(settings, self._envs, device)
        self.points: list[Point] = []
        self.resumed, self._next = 0, self._every
        self._best: float | None = None
        self._due, self._at = time.monotonic() + seconds, 0
        _require_room(folder)
        if os.path.lexists(folder / settings_file.SETTINGS):
            require_same(folder, settings)
        earlier_format.convert(folder, trust)
        if os.path.lexists(folder / checkpoint.CHECKPOINT):
            self._resume()
        else:
            settings_file.write_settings(folder, settings)
            write_or_refuse(folder / WORLD, to_yaml(world))
            self._learner.start()
        self._board = _board(folder / TENSORBOARD, self.resumed)

    def train(self, watch: Watch, stop: Callable[[], bool]) -> bool:
        """Train to the end, or until it is told to stop; whether it came to the end.

        Args:
            watch: Is told between updates.
            stop: Is asked between updates.
        """
        done = self.resumed

        def between(steps: int, losses: dict[str, float]) -> bool:
            nonlocal done
            done = steps
            self._at = steps
            if steps >= self._next:
                self._add(steps, losses)
            watch(steps, self.points[-1] if self.points else None)
            if stop():
                return False
            if time.monotonic() >= self._due and steps > self.resumed:
                self.save()
            return True

        try:
            self._learner.train(self._steps, between)
            self.save()
        except (ValueError, RuntimeError):
            if _sound(self._learner.model()):
                raise
            raise InputError(
                f"--set: after {self._at} steps, weights are no longer finite; "
                "allowed: other hyperparameters, such as a smaller learning_rate"
            ) from None
        finally:
            self._board.close()
        return done >= self._steps

    def save(self) -> None:
        """Write the curve, the last model and a checkpoint.

        Raises:
            OSError: One cannot be written; what was there before is untouched.
        """
        begun = time.monotonic()
        curve.write(self._folder / settings_file.CURVE, self.points)
        self._save_model("last")
        progress = TrainingProgress(self._at, self._every, self._next, self._best, self.points)
        content = {"envs": memory(self._envs), "learner": self._learner.state()}
        checkpoint.save(self._folder / checkpoint.CHECKPOINT, asdict(progress) | content)
        now = time.monotonic()
        self._due = now + max(self._seconds, (now - begun) / _SHARE)

    def _resume(self) -> None:
        path = self._folder / checkpoint.CHECKPOINT
        found = checkpoint.load(path)
        progress = TrainingProgress.of(found, path)
        try:
            if "begin" in found:  # of the version before
                seen = begin_anew(self._envs, **found["begin"])
            else:
                seen = recall(self._envs, found["envs"])
            self._learner.restore(found["learner"], seen)
            if self._learner.steps != progress.steps:
                raise ValueError("the steps are not those of the model")
        except _DAMAGED:
            told = "it is damaged, or of another version of mars-logic or of its libraries"
            right = "the version that wrote it, or another folder"
            raise refusal(path, told, right) from None
        self.resumed = self._at = progress.steps
        self._every, self._next, self._best = progress.every, progress.next, progress.best
        self.points = progress.points

    def _add(self, steps: int, losses: dict[str, float]) -> None:
        """Add a row to the curve, and keep the best model."""
        self._next = (steps // self._every + 1) * self._every
        recent = self._envs.recent
        if recent is None:
            return
        point = Point.of(steps, self._envs.ended, recent)
        self.points.append(point)
        for name, value in asdict(point).items():
            self._board.add_scalar(f"episodes/{name}", value, steps)
        for name, rate in zip(self._envs.goals, recent.rates, strict=True):
            self._board.add_scalar(f"success/{name}", rate, steps)
        for name, value in losses.items():
            self._board.add_scalar(f"losses/{name}", value, steps)
        if recent.episodes == WINDOW and (self._best is None or point.reward > self._best):
            self._best = point.reward
            self._save_model("best")

    def _save_model(self, which: str) -> None:
        content = {"steps": self._at, "settings": self._settings.to_json()}
        path = self._folder / checkpoint.MODELS[which]
        checkpoint.save(path, {**content, "model": self._learner.model()})


def require_same(folder: Path, settings: Settings) -> None:
    """Refuse to continue a run with other settings.

    Raises:
        InputError: The settings differ, or those in the folder cannot be read.
    """
    there = settings_file.read_settings(folder)
    named = replace(there, world=settings.world, laws=settings.laws)
    if there.digest == settings.digest and there.laws_digest == settings.laws_digest:
        there = named  # the same world and laws, whatever their files are called
    if differences := there.differences(settings):
        raise InputError(
            f"{folder / settings_file.SETTINGS}:1: this folder holds another training run "
            f"(there / now: {'; '.join(differences)}); allowed: the same settings, to continue it, "
            "another folder, or --force to start again"
        )


def _require_room(folder: Path) -> None:
    """Refuse a folder in which a file could not be replaced, before any time is spent."""
    for name in (*checkpoint.FILES, WORLD):
        if obstacle := unreplaceable(folder / name):
            raise refusal(folder / name, obstacle, settings_file.ALLOWED)


def _sound(content: checkpoint.Content) -> bool:
    """Whether weights are numbers whose squares are finite."""
    return all(
        _sound(each) if isinstance(each, dict) else bool((np.abs(each) < _LARGE).all())
        for each in content.values()
    )


def _board(folder: Path, steps: int) -> Any:
    """A writer for TensorBoard; what was logged after the checkpoint is hidden there.

    One that writes nothing, where TensorBoard is not installed.

    Raises:
        InputError: The folder cannot be written to.
    """
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return _Nowhere()
    try:
        return SummaryWriter(str(folder), purge_step=steps or None)
    except OSError as error:
        what = (error.strerror or str(error)).lower()
        raise InputError(f"{folder}:1: folder: {what}; allowed: a folder to write to") from None


class _Nowhere:
    """Takes what would be logged."""

    def add_scalar(self, name: str, value: float, step: int) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""
