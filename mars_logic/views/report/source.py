"""Reads the input of a report."""

from __future__ import annotations

from pathlib import Path

from mars_logic.views.report import experiment_folder, loose_episodes
from mars_logic.views.report.loose_episodes import ALLOWED
from mars_logic.views.report.report_data import Material

__all__ = ["ALLOWED", "read"]


def read(path: Path) -> Material:
    """Read an experiment's folder, a folder of certificates or trajectories, or one such file.

    Raises:
        InputError: There is nothing to report, or a file is wrong.
    """
    if path.is_dir() and experiment_folder.is_experiment(path):
        return experiment_folder.read(path)
    return loose_episodes.read(path)
