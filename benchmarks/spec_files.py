"""Specifications of benchmarks, in YAML."""

from __future__ import annotations

from pathlib import Path
from typing import Final, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from mars_logic.errors import InputError
from mars_logic.system.files import read_bytes

_MOST_BYTES: Final = 100_000
Spec = TypeVar("Spec", bound=BaseModel)


def spec_of(path: Path, kind: type[Spec]) -> Spec:
    """The specification in a file.

    Raises:
        InputError: The file cannot be read or holds a mistake.
    """
    try:
        return kind.model_validate(yaml.safe_load(read_bytes(path, "YAML", _MOST_BYTES)))
    except yaml.YAMLError as error:
        raise InputError(f"{path}: not YAML: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        raise InputError(f"{path}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
