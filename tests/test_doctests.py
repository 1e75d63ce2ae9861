"""The examples in docstrings work as written; those of an extra run where it is installed."""

from __future__ import annotations

import doctest
import importlib
import re
from io import StringIO
from pathlib import Path

import pytest

from tests.paths import REPOSITORY

PACKAGES = {"mars_logic": "mars_logic", "agents": "mars_logic.agents"}
"""Folders of the checkout, and as which package each is imported."""
NEEDS_EXTRA = {
    "mars_logic.envs.stable_baselines": "stable_baselines3",
    "mars_logic.training.ppo": "torch",
}
"""Modules that only import with an extra, and the package of it that they import."""
PROMPT = re.compile(r"^\s*>>> ", re.MULTILINE)


def module_name(folder: str, path: Path) -> str:
    parts = path.relative_to(REPOSITORY / folder).with_suffix("").parts
    return ".".join((PACKAGES[folder], *parts)).removesuffix(".__init__")


def documented_modules() -> list[str]:
    """Modules with at least one example; the others need not be imported."""
    return [
        module_name(folder, path)
        for folder in PACKAGES
        for path in sorted((REPOSITORY / folder).rglob("*.py"))
        if PROMPT.search(path.read_text(encoding="utf-8"))
    ]


MODULES = documented_modules()


def test_there_are_examples() -> None:
    assert {"mars_logic", "mars_logic.sim.simulator"} <= set(MODULES)
    assert set(NEEDS_EXTRA) <= set(MODULES), "a module that moved"


@pytest.mark.slow
@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in NEEDS_EXTRA:
        pytest.importorskip(NEEDS_EXTRA[name], reason="its extra is not installed")
    module = importlib.import_module(name)
    monkeypatch.chdir(tmp_path)
    runner, output = doctest.DocTestRunner(), StringIO()
    attempted = 0
    for test in doctest.DocTestFinder(exclude_empty=True).find(module):
        assert not any(doctest.SKIP in example.options for example in test.examples), test.name
        attempted += runner.run(test, out=output.write).attempted
    assert attempted > 0, "none of its examples is in a docstring"
    assert runner.summarize(verbose=False).failed == 0, output.getvalue()
