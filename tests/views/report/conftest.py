"""An experiment's folder with a learner, and a browser to read reports with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import pytest

from mars_logic.experiments import spec as specs
from mars_logic.experiments.folder import ResultsFolder
from mars_logic.experiments.units import units_of
from mars_logic.experiments.work import carry_out
from mars_logic.experiments.worlds import places_of
from mars_logic.play import learning
from mars_logic.play.agent import load_agent
from mars_logic.views.report import page, source
from mars_logic.views.report.report_data import Material
from tests.views.report.opened import Open, Opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SPEC = """
agents:
  - random
  - {name: inductive, label: learner, learn: 1, evaluate: 1}
worlds: [all_three]
seeds: [8]
length: 160
"""


class AgentHere:
    """Stands in for an agent in a process of its own (`AgentApart`), which takes long to start."""

    def __init__(self, name: str, **options: Any) -> None:
        self._agent: Any = load_agent(name)(**options)
        self.begin, self.act = self._agent.begin, self._agent.act
        self.note, self.end = self._agent.note, self._agent.end
        self.freeze, self.told = self._agent.freeze, self._agent.tell

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """There is nothing to end."""

    @property
    def decision(self) -> Any:
        return self._agent.decision


@pytest.fixture(scope="package")
def experiment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small experiment, as `mars-logic experiment` leaves it."""
    beside = tmp_path_factory.mktemp("experiment")
    (beside / "spec.yaml").write_text(SPEC, encoding="utf-8")
    spec = specs.read(beside / "spec.yaml")
    out = beside / "first"
    units = units_of(spec, places_of(spec, beside, out))
    with pytest.MonkeyPatch.context() as patch, ResultsFolder(out) as folder:
        patch.setattr(learning, "IsolatedAgent", AgentHere)
        folder.begin(spec, units)
        for unit in units:
            folder.keep(unit, carry_out(unit))
        folder.collect(units)
    return out


@pytest.fixture(scope="package")
def material(experiment: Path) -> Material:
    return source.read(experiment)


@pytest.fixture(scope="package")
def file(material: Material, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(page.report(material, 60), encoding="utf-8")
    return path


@pytest.fixture
def opened(browser: Browser, file: Path) -> Iterator[Open]:
    """Opens the report; in the end, nothing may have gone wrong in it."""
    contexts, pages = [], []

    def open_(width: int = 1280, height: int = 900, address: str = "", **how: Any) -> Opened:
        context = browser.new_context(viewport={"width": width, "height": height}, **how)
        contexts.append(context)
        found = Opened(context.new_page())
        pages.append(found)
        found.watch(file.as_uri())
        found.page.goto(file.as_uri() + address)
        found.page.wait_for_selector("#player[data-ready]")
        return found

    yield open_
    for context in contexts:
        context.close()
    assert [wrong for found in pages for wrong in found.wrong] == []
