"""Codes of names on a page that shows several worlds with added names."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.play.agent import load_agent
from mars_logic.play.certificate import certify, save
from mars_logic.play.episodes import play
from mars_logic.sim import Simulator
from mars_logic.views.appearances import item_icons, material_sprites
from mars_logic.views.report import page, source, templates
from mars_logic.views.report.page_names import OF_CRAFTER, page_names
from mars_logic.views.report.replays import encoded, frames
from mars_logic.world import names
from mars_logic.world.dump import to_yaml
from mars_logic.world.load import parse_theory
from mars_logic.world.theory import World
from tests.paths import REPOSITORY
from tests.views.report.decoding import decoded
from tests.views.report.test_frames import certificate

COPPER = load_world(REPOSITORY / "worlds" / "gallery" / "copper.yaml")
RED = parse_theory(
    "base: default\nadds: {materials: {tin: {}, copper: {colour: '#ff0000'}}, items: [copper]}\n"
    "collect: {grass: {yields: {copper: 1}}}",
    "red.yaml",
)
PAGE = page_names([RED.vocabulary, COPPER.vocabulary])


def test_a_page_without_added_names_has_crafters() -> None:
    for dialect in ("crafter", "default", "all_three"):
        assert page_names([load_world(dialect).vocabulary]) == OF_CRAFTER
    assert tuple(each.name for each in OF_CRAFTER.materials) == names.MATERIALS
    assert tuple(each.name for each in OF_CRAFTER.items) == names.ITEMS
    assert OF_CRAFTER.actions == names.ACTIONS


def test_codes_of_a_page_stand_for_the_same_names_and_pictures() -> None:
    for world in (RED, COPPER):
        words, codes = world.vocabulary, PAGE.codes(world.vocabulary)
        for (name, sprite), code in zip(
            material_sprites(words).items(), codes.materials, strict=True
        ):
            assert PAGE.materials[code].name == name
            np.testing.assert_array_equal(PAGE.materials[code].sprite, sprite)
        for (name, icon), code in zip(item_icons(words).items(), codes.items, strict=True):
            assert PAGE.items[code].name == name
            np.testing.assert_array_equal(PAGE.items[code].sprite, icon)
        assert [PAGE.actions[code] for code in codes.actions] == list(words.actions)


def test_the_same_name_in_two_colours_has_two_codes() -> None:
    told = [each.name for each in PAGE.materials[len(names.MATERIALS) :]]
    assert told == ["tin", "copper", "copper", "kiln"]
    picture = templates.picture(PAGE)
    assert picture.shape == (48, 16 * max(len(PAGE.materials), len(PAGE.items), 17), 4)
    np.testing.assert_array_equal(picture[:16, 14 * 16 : 15 * 16], PAGE.materials[14].sprite)


def test_frames_have_the_codes_of_the_page() -> None:
    random = Random(0)
    for world in (RED, COPPER):
        assert isinstance(world, World)
        codes = PAGE.codes(world.vocabulary)
        actions = [random.choice((1, 2, 3, 4, 5, 5)) for _ in range(60)]
        found = decoded(encoded(frames(certificate(world, 1, actions), world, PAGE)))
        simulator = Simulator(world)
        simulator.reset(1)
        for moment in range(61):
            if moment:
                simulator.step(actions[moment - 1])
            state = simulator.state()
            np.testing.assert_array_equal(
                found.cells[moment] & 1023, codes.materials[state.materials]
            )
            assert found.inventory[codes.items, moment].tolist() == state.inventory.tolist()
            assert found.inventory[:, moment].sum() == state.inventory.sum()
        assert found.action.tolist() == codes.actions[actions].tolist()


@pytest.mark.slow
def test_a_page_tells_of_play_in_worlds_with_added_names(tmp_path: Path) -> None:
    """Achievements, items and materials of their own, from a certificate as from a recording."""
    file = tmp_path / "red.yaml"
    file.write_text(to_yaml(RED), encoding="utf-8")
    world = load_world(file)
    played = play(load_agent("random")(), Simulator(world), 0, {"none"})
    kept = certify(played, world, str(file), "random")
    path = tmp_path / "red__random__s0.json"
    save(kept, path)
    assert "collect_copper" in kept.unlocked
    html = page.report(source.read(path), 9)
    assert '"tin"' in html and '"copper"' in html and "collect copper" in html
    assert "The rules of" in html and "collect.copper" in html, "its rules are tested, too"
