"""Reads a report in Chromium, as a person would: with keys and clicks."""

from __future__ import annotations

import json
import re
import shutil
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mars_logic.sim import Simulator
from mars_logic.views.report import page, source
from mars_logic.views.report.page_names import OF_CRAFTER
from mars_logic.views.report.replays import cells
from mars_logic.views.report.report_data import Material, chosen
from mars_logic.world.dump import to_yaml
from mars_logic.world.load import load_theory, load_world
from mars_logic.world.names import LOOKS, MATERIALS
from tests.views.report.opened import Open, Opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FIRST_PAINT_MS = 1000
"""What is promised; measured alone it is a tenth of that, but tests share their machine."""
LEARNED, TESTED = 1, 2
"""The learner's first episode in the page, and the one after learning."""


@pytest.mark.slow
def test_it_opens_at_once_and_alone(opened: Open, file: Path) -> None:
    page = opened().page
    paints = page.evaluate(
        "performance.getEntriesByName('first-contentful-paint').map(e => e.startTime)"
    )
    assert paints and paints[0] < FIRST_PAINT_MS
    assert page.title() == "first · mars-logic report"
    assert (
        "Content-Security-Policy" in file.read_text(encoding="utf-8")
        and file.stat().st_size < 1_000_000
    )


@pytest.mark.slow
def test_the_recording_is_what_the_simulator_does(opened: Open, material: Material) -> None:
    page = opened().page
    for number, kept in enumerate(chosen(material.kept, 60)):
        world, certificate = load_world("all_three"), kept.certificate
        simulator = Simulator(world)
        simulator.reset(certificate.seed, certificate.episode)
        codes = OF_CRAFTER.codes(world.vocabulary)
        last = certificate.steps
        moments = sorted({0, 1, last // 3, last // 2, last})
        # In an order in which it has to go back as well.
        there = page.evaluate(
            """async ([number, moments]) => {
                const text = document.getElementById(`frames-${number}`).text;
                const recording = new Recording(await inflated(text));
                const found = {};
                for (const moment of moments.toReversed().concat(moments)) {
                    recording.seek(moment);
                    const held = Array.from({length: 16}, (_, item) => recording.amount(item));
                    found[moment] = {
                        cells: [...recording.cells], held, total: recording.total(),
                        place: [recording.x[moment], recording.y[moment]],
                    };
                }
                return found;
            }""",
            [number, moments],
        )
        total = 0.0
        for moment in range(last + 1):
            if moment:
                total += float(simulator.step(certificate.actions[moment - 1]).reward[0])
            if moment in moments:
                found, state = there[str(moment)], simulator.state()
                assert found["cells"] == cells(state, world.dynamics, codes).reshape(-1).tolist()
                assert found["held"] == state.inventory.tolist()
                assert found["place"] == [state.x, state.y]
                assert found["total"] == pytest.approx(total, abs=1e-4)


@pytest.mark.slow
def test_keys_play_step_and_change_speed(opened: Open) -> None:
    found = opened()
    found.show(LEARNED)
    found.focus_player()
    found.press("ArrowRight", "ArrowRight", "ArrowLeft")
    assert found.step == 1
    found.press("End")
    last = found.step
    assert f"step {last} of {last}" in found.page.inner_text("#position")
    found.press("Home", "Shift+ArrowRight")
    assert found.step == 10
    found.press("+", "+")
    assert found.page.inner_text("#speed") == "32 steps/s"
    found.press("-")
    assert found.page.inner_text("#speed") == "16 steps/s"
    found.press(" ")
    assert found.page.get_attribute("#play", "aria-label") == "Pause"
    found.wait_until(lambda step: step >= 14)
    found.press(" ")
    stopped = found.step
    time.sleep(0.2)
    assert found.step == stopped
    assert found.page.get_attribute("#play", "aria-label") == "Play"


@pytest.mark.slow
def test_what_the_player_faces_is_told(opened: Open, material: Material) -> None:
    found = opened()
    found.show(LEARNED)
    kept = chosen(material.kept, 60)[LEARNED].certificate
    simulator = Simulator(load_world("all_three"))
    simulator.reset(kept.seed, kept.episode)
    for step, action in enumerate(kept.actions[:12], 1):
        simulator.step(action)
        found.page.fill("#scrub", str(step))
        seen = simulator.observe()
        x, y = 4 + seen.facing[0, 0], 3 + seen.facing[0, 1]
        thing, ground = LOOKS[seen.objects[0, x, y]], MATERIALS[seen.materials[0, x, y]]
        on = "" if thing == "none" else f"{thing.replace('_', ' ')} on "
        expected = "asleep" if seen.sleeping[0] else f"facing {on}{ground}"
        assert found.page.inner_text("#ahead") == expected


@pytest.mark.slow
def test_playing_ends_with_the_episode_and_begins_again(opened: Open) -> None:
    found = opened()
    found.show(LEARNED)
    found.focus_player()
    found.press("+", "+", "+", "+", "End", "ArrowLeft", "ArrowLeft", " ")
    found.page.wait_for_selector("#player:not(.playing)")
    last = found.step
    assert f"step {last} of {last}" in found.page.inner_text("#position")
    found.press(" ")
    found.wait_until(lambda step: step < last)


@pytest.mark.slow
def test_buttons_and_slider(opened: Open) -> None:
    found = opened()
    for name, step in (("forward", 1), ("forward", 2), ("back", 1), ("first", 0)):
        found.page.click(f"#{name}")
        assert found.step == step
    found.page.fill("#scrub", "7")
    assert found.step == 7
    found.page.click("#last")
    assert found.step == int(found.page.get_attribute("#scrub", "max") or 0)
    found.page.click("#play")
    found.wait_until(lambda step: step > 0)


@pytest.mark.slow
def test_the_time_line_shows_unlocks_and_revisions(opened: Open, material: Material) -> None:
    found = opened()
    found.show(LEARNED)
    kept = chosen(material.kept, 60)[LEARNED]
    steps = sorted(set(kept.certificate.unlocked.values()))
    marks = found.page.locator("#unlocks button")
    assert marks.count() == len(steps) > 1
    marks.nth(1).click()
    assert found.step == steps[1]
    news = [name for name, step in kept.certificate.unlocked.items() if step == steps[1]]
    assert all(name.replace("_", " ") in found.page.inner_text("#news") for name in news)
    revised = material.learned[kept.row.unit].revisions
    own = sorted({each.step for each in revised if each.episode == kept.row.number})
    assert found.page.locator("#revised button").count() == len(own) > 0
    # With keys alone: one tab stop, arrow keys, Enter.
    found.page.focus("#revised button[tabindex='0']")
    found.press("ArrowRight", "Enter")
    assert found.step == own[1]
    assert "revised" in found.page.inner_text("#news")
    found.focus_player()
    found.press("Home", "]")
    assert found.step == min([*steps, *own])


def test_belief_and_thoughts_at_each_moment(opened: Open, material: Material) -> None:
    found = opened()
    kept = chosen(material.kept, 60)[TESTED]
    revised = {each.rule for each in material.learned[kept.row.unit].revisions}
    found.show(TESTED)
    assert found.page.inner_text("#belief-count") == f"{len(revised)} rules changed"
    thought = kept.thoughts[1]
    found.page.fill("#scrub", str(thought.step))
    assert found.page.inner_text("#layer") == thought.layer
    assert found.page.inner_text("#about") == thought.what
    found.show(LEARNED)
    assert found.page.inner_text("#belief-count") == "0 rules changed"
    assert not found.page.is_visible("#no-thought")
    found.show(0)  # at random: it neither thinks nor believes
    assert not found.page.is_visible("#belief") and not found.page.is_visible("#thought")
    assert not found.page.is_visible("#no-thought")


@pytest.mark.slow
def test_it_says_where_thoughts_were_not_kept(
    browser: Browser, material: Material, tmp_path: Path
) -> None:
    episodes = [
        replace(each, thoughts=()) if number == TESTED else each
        for number, each in enumerate(material.kept)
    ]
    path = tmp_path / "report.html"
    path.write_text(page.report(replace(material, kept=tuple(episodes)), 60), encoding="utf-8")
    found = Opened(browser.new_page())
    found.page.goto(path.as_uri())
    found.page.wait_for_selector("#player[data-ready]")
    found.show(TESTED)
    assert "not kept" in found.page.inner_text("#no-thought")
    found.show(LEARNED)
    found.page.fill("#scrub", "1")
    assert not found.page.is_visible("#no-thought") and found.page.is_visible("#thought")
    found.page.close()


@pytest.mark.slow
def test_a_rule_s_example_and_revision_are_a_click_away(opened: Open) -> None:
    found = opened()
    for kind in ("example", "revised"):
        link = found.page.locator("#rules a.jump", has_text=kind).last
        episode, step = re.fullmatch(r"#e(\d+)s(\d+)", link.get_attribute("href") or "").groups()
        link.focus()
        found.press("Enter")
        found.page.wait_for_selector(f"#player[data-ready='{episode}'][data-step='{step}']")
        assert found.page.evaluate("document.activeElement.id") == "player"
        found.press("ArrowLeft")
        assert found.step == max(0, int(step) - 1)
        link.click()  # the address stays the same
        found.page.wait_for_selector(f"#player[data-step='{step}']")


@pytest.mark.slow
def test_a_verdict_leads_to_the_very_step_that_contradicts(
    browser: Browser, experiment: Path, tmp_path: Path
) -> None:
    """The learner believes again, in the end, of one rule what its own play has refuted."""
    shutil.copytree(experiment, folder := tmp_path / "wrong")
    (unit,) = (path.parent for path in (folder / "units").glob("*/theory.yaml"))
    revisions = json.loads((unit / "revisions.json").read_text(encoding="utf-8"))
    refuted = next(each for each in revisions if each["because"] and "collect." in each["rule"])
    rule, crafter = refuted["rule"], load_world("crafter")
    wrong = load_theory(unit / "theory.yaml").with_rules(crafter[rule])
    (unit / "theory.yaml").write_text(to_yaml(wrong), encoding="utf-8")
    material = source.read(folder)
    (path := tmp_path / "wrong.html").write_text(page.report(material, 60), encoding="utf-8")
    found = Opened(browser.new_page())
    found.watch(path.as_uri())
    found.page.goto(path.as_uri())
    found.page.wait_for_selector("#player[data-ready]")
    row = found.page.locator("#rules tr.contradicted", has_text=rule)
    row.locator("a.jump", has=found.page.locator(".verdict")).click()
    kept = chosen(material.kept, 60)
    (episode,) = (
        number
        for number, each in enumerate(kept)
        if each.path.is_relative_to(unit) and each.row.number == refuted["episode"]
    )
    step = refuted["step"]
    found.page.wait_for_selector(f"#player[data-ready='{episode}'][data-step='{step}']")
    assert found.page.evaluate("document.activeElement.id") == "player"
    assert rule in found.page.inner_text("#news")
    assert found.wrong == []
    found.page.close()


def test_an_address_leads_to_a_moment(opened: Open) -> None:
    found = opened(address="#e2s5")
    found.page.wait_for_selector("#player[data-ready='2'][data-step='5']")


def test_rules_can_be_filtered_and_trees_show_another_player(opened: Open) -> None:
    page = opened().page
    button = page.locator(".filters button", has_text="untested").first
    button.click()
    rows = page.locator(".rule-table >> nth=0 >> tbody tr:visible")
    told = [
        row.split()[0]
        for row in page.locator(".filters [aria-pressed=true] span").all_inner_texts()
    ]
    assert rows.count() == int(told[0]) < 52
    groups = page.locator("#trees g[data-player]")
    shown = [group.get_attribute("data-player") for group in groups.all() if group.is_visible()]
    players = page.locator("#trees select option").all_inner_texts()
    other = next(name for name in players if name not in shown)
    page.select_option("#trees select", label=other)
    assert [g.get_attribute("data-player") for g in groups.all() if g.is_visible()] == [other]


def test_the_pictures_are_drawn(opened: Open) -> None:
    """What was seen is bright, the rest is dimmed or hidden."""
    found = opened()
    found.show(LEARNED)
    mean = """([x, y, w, h]) => {
        const pen = document.querySelector('#map').getContext('2d');
        const pixels = pen.getImageData(x, y, w, h).data;
        return pixels.reduce((sum, value) => sum + value, 0) / pixels.length;
    }"""
    around, corner = [464, 480, 96, 64], [0, 0, 96, 64]
    bright, dim = found.page.evaluate(mean, around), found.page.evaluate(mean, corner)
    assert bright > 1.3 * dim
    found.page.uncheck("#unseen")
    assert found.page.evaluate(mean, corner) < dim
    colours = """new Set(document.querySelector('#view').getContext('2d')
        .getImageData(0, 0, 432, 336).data).size"""
    assert found.page.evaluate(colours) > 20
    found.page.check("#close")
    assert "scale(2.5)" in found.page.evaluate("document.querySelector('#map').style.transform")
