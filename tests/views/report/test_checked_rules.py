"""Files of `check` on a page: moments for and against each rule, as films from the recordings."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mars_logic.data import store
from mars_logic.play.agent import load_agent
from mars_logic.play.recording import record
from mars_logic.sim import Simulator
from mars_logic.theory.rulesets import check_rules, read_rules
from mars_logic.theory.rulesets.artefact import rules_text
from mars_logic.views.report import page, source
from mars_logic.world.load import load_world
from tests.views.report.opened import Opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SAID = "Grass cannot be walked on.\nTrees cannot be walked on.\nPaths cannot be walked on.\n"


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two recordings in one file, one in another, and rules tested on all."""
    folder = tmp_path_factory.mktemp("checked")
    simulator, agent = Simulator(load_world("default")), load_agent("random")
    played = []
    for seed in (0, 1, 2):
        _, found = record(agent(), simulator, seed=seed, agent_name="random")
        played.append(found)
    store.save(played[:2], folder / "two.parquet")
    store.save(played[2], folder / "one.parquet")
    (folder / "rules.txt").write_text(SAID, encoding="utf-8")
    recorded = [*store.load_all(folder / "two.parquet"), store.load(folder / "one.parquet")]
    rules = check_rules(read_rules([str(folder / "rules.txt")], recorded[0].about.words), recorded)
    path = folder / "found.json"
    path.write_text(rules_text(rules, path), encoding="utf-8")
    (folder / "rules.txt").unlink()
    return folder


def films(html: str) -> list[tuple[int, int]]:
    found = re.findall(r'class="film" data-replay="(\d+)" data-step="(\d+)"', html)
    return [(int(replay), int(step)) for replay, step in found]


def test_a_counterexample_leads_to_its_own_episode_of_a_file(checked: Path) -> None:
    material = source.read(checked)
    (rules,) = material.rules.values()
    (grass,) = [rule for rule in rules.rules if rule.id == "walk.grass"]
    first = grass.counterexamples[0]
    assert first.trajectory and "seed 0" in first.trajectory
    html = page.report(material, 60)
    replay, step = films(html)[0]
    assert step == first.step
    seeds = [kept.certificate.seed for kept in material.kept]
    assert seeds[replay] == 0


def test_the_page_begins_with_the_rules(checked: Path) -> None:
    html = page.report(source.read(checked), 60)
    assert re.findall(r'<section id="(\w+)"', html)[:3] == ["rules", "results", "replay"]
    menu = html.partition("</nav>")[0]
    assert re.findall(r'<a href="#(\w+)"', menu)[:3] == ["rules", "results", "replay"]


def test_supporting_moments_are_found_in_the_recordings(checked: Path) -> None:
    material = source.read(checked)
    html = page.report(material, 60)
    table = html.partition("<h3>Rules in found.json")[2].partition("<h3>The rules of default")[0]
    (rules,) = material.rules.values()
    verdicts = {rule.id: rule.verdict for rule in rules.rules}
    assert verdicts["walk.tree"] == "supported" and table.count(">example<span") == 1
    assert table.count("<summary>example</summary>") == 1


def test_rules_alone_bring_the_recordings_that_they_name(checked: Path) -> None:
    material = source.read(checked / "found.json")
    assert len(material.kept) >= 1 and films(page.report(material, 60))
    both = source.read(checked / "found.json", checked)
    assert len(both.kept) == 3, "each episode once"


def test_the_episodes_that_rules_name_come_first(checked: Path) -> None:
    html = page.report(source.read(checked), 1)
    assert films(html), "the only episode that is shown is that of a counterexample"


def test_films_show_the_moments_around_a_step(
    browser: Browser, checked: Path, tmp_path: Path
) -> None:
    out = tmp_path / "page.html"
    out.write_text(page.report(source.read(checked), 60), encoding="utf-8")
    found = Opened(browser.new_page())
    found.watch(out.as_uri())
    found.page.goto(out.as_uri())
    found.page.wait_for_selector("#player[data-ready]")
    first = found.page.locator("details.film").first
    assert first.get_attribute("open") is not None, "that of a contradicted rule is open"
    first.locator("canvas").last.wait_for()
    step = int(first.get_attribute("data-step") or "")
    told = first.locator("figcaption").all_inner_texts()
    assert len(told) == min(3, step + 1) and told[-1] == f"step {step}"
    assert all(re.fullmatch(r"step \d+, then [a-z ]+", each) for each in told[:-1])
    drawn = first.locator("canvas").last.evaluate(
        "canvas => new Set(canvas.getContext('2d')"
        ".getImageData(0, 0, canvas.width, canvas.height).data).size"
    )
    assert drawn > 10, "it is a picture"
    before = found.step
    second = found.page.locator("details.film", has_text="example").nth(1)
    second.locator("summary").click()
    second.locator("canvas").last.wait_for()
    assert found.step == before, "the player stays where it is"
    assert found.wrong == []
    found.page.close()
