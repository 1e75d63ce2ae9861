"""Fixtures of tests of language models."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import run

__all__ = ["run"]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exchanges go to a folder of the test's own, and no key of the machine's is used."""
    monkeypatch.chdir(tmp_path)
    for name in ("MARS_LOGIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
