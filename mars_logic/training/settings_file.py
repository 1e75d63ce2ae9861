"""The settings of a training run as a file in its folder; read without PyTorch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from mars_logic.errors import InputError
from mars_logic.system.files import refusal, write_or_refuse
from mars_logic.system.json_files import read_json
from mars_logic.training.settings import Settings

SETTINGS_SCHEMA: Final = "mars-logic training 1"
SETTINGS: Final = "training.json"
CURVE: Final = "curve.csv"
ALLOWED: Final = "a file that mars-logic train wrote"


def write_settings(folder: Path, settings: Settings) -> None:
    """Write the settings of a run into its folder.

    Raises:
        InputError: They cannot be written.
    """
    document = {"schema": SETTINGS_SCHEMA, **settings.to_json()}
    write_or_refuse(folder / SETTINGS, json.dumps(document, indent=2) + "\n")


def read_settings(folder: Path) -> Settings:
    """The settings of the run in a folder.

    Raises:
        InputError: The file is missing, damaged, or of another version.
    """
    path = folder / SETTINGS
    what = "the settings of a training run, in the folder of its results"
    plain = read_json(path, what, 1_000_000)
    require_schema(path, plain, SETTINGS_SCHEMA)
    del plain["schema"]
    return Settings.from_json(plain, path)


def require_schema(path: Path, values: Any, schema: str) -> None:
    """Refuse what is no file of a training run, or of another version.

    Raises:
        InputError: It is none.
    """
    if not isinstance(values, dict) or "schema" not in values:
        raise refusal(path, "it is no file of a training run", ALLOWED)
    if values["schema"] != schema:
        found = str(values["schema"])[:60]
        raise InputError(f"{path}:1: schema: {found!r}; allowed: '{schema}'")
