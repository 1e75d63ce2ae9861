"""The examples in docstrings work as written."""

from __future__ import annotations

import doctest

import pytest

from mars_logic.sim import scene, simulator


@pytest.mark.parametrize("module", [simulator, scene], ids=lambda module: module.__name__)
def test_examples(module):
    results = doctest.testmod(module)
    assert results.attempted > 0
    assert results.failed == 0
