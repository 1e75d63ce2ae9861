"""Runs the command line in this process, as ``mars-logic`` would."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from mars_logic.cli.main import main


@dataclass(frozen=True)
class Outcome:
    """What a command did."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on standard output."""
        return json.loads(self.out)


Run = Callable[..., Outcome]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    def call(*arguments: object) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["mars-logic", *map(str, arguments)])
        capsys.readouterr()
        with warnings.catch_warnings(), pytest.raises(SystemExit) as ended:
            main()
        captured = capsys.readouterr()
        code = ended.value.code
        status = code if isinstance(code, int) else 0 if code is None else 1
        return Outcome(status, captured.out, captured.err)

    return call
