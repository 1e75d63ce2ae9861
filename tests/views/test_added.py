"""Pictures, letters and words of names that worlds add."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.errors import InputError
from mars_logic.sim import Observation, Scene, Simulator
from mars_logic.views import terminal, whole_map
from mars_logic.views.appearances import (
    NUM_APPEARANCES,
    SHOT,
    appearances,
    creature_sprites,
    item_icons,
    material_sprites,
)
from mars_logic.views.atlas import cell_tiles, item_tile, rows_of
from mars_logic.views.film import frames
from mars_logic.views.image import render
from mars_logic.views.sprites import sheet
from mars_logic.views.words import STYLES, describe, extent
from mars_logic.world.added_creatures import LOOKS as CREATURE_LOOKS
from mars_logic.world.added_things import AddedMaterial
from mars_logic.world.adds import LOOKS, Adds, vocabulary_with
from mars_logic.world.load import parse_theory
from mars_logic.world.theory import Theory
from mars_logic.world.vocabulary import Vocabulary, vocabulary
from tests.paths import REPOSITORY
from tests.views.conftest import make

COPPER = load_world(REPOSITORY / "worlds" / "gallery" / "copper.yaml")
WORDS = COPPER.vocabulary
ITEM_SHAPES = ("tool", "food", "lump")


def full(looks: str = "") -> Vocabulary:
    """As many names as there is room for."""
    names = [f"material_{number}" for number in range(51)]
    shapes = [looks or LOOKS[number % len(LOOKS)] for number in range(51)]
    materials = (
        AddedMaterial(name, shape, "#7f3fbf") for name, shape in zip(names, shapes, strict=True)
    )
    items = tuple(f"item_{number}" for number in range(48))
    return vocabulary_with("mars", Adds(tuple(materials), items))


FULL = full()


def seen_in(words: Vocabulary, seed: int, n: int = 3) -> Observation:
    """Any cells, things and amounts of a vocabulary."""
    random, seen = np.random.default_rng(seed), make(seed, n=n)
    return replace(
        seen,
        materials=random.integers(0, len(words.materials), (n, 9, 7)).astype(np.uint8),
        inventory=random.integers(0, 10, (n, len(words.items))).astype(np.int16),
    )


def test_there_is_a_picture_of_every_shape() -> None:
    assert set(sheet("shapes", "#b87333")) == {*LOOKS, *CREATURE_LOOKS, *ITEM_SHAPES, SHOT}
    assert {sprite.shape for sprite in sheet("shapes", "#123456").values()} == {(16, 16, 4)}
    for looks in LOOKS:
        assert (sheet("shapes", "#123456")[looks][..., 3] == 255).all()
        assert (sheet("shapes", "#123456")[looks] != sheet("shapes", "#b87333")[looks]).any()


def test_added_materials_have_their_shape_and_colour() -> None:
    sprites = material_sprites(WORDS)
    assert tuple(sprites) == WORDS.materials
    for material in WORDS.added:
        expected = sheet("shapes", material.colour)[material.looks]
        np.testing.assert_array_equal(sprites[material.name], expected)


def test_items_look_like_the_material_of_their_name_or_like_what_is_done_with_them() -> None:
    icons = item_icons(WORDS)
    assert tuple(icons) == WORDS.items
    assert icons["copper"] is material_sprites(WORDS)["copper"]
    opaque = {name: icons[name][..., 3] > 0 for name in ("copper_pickaxe", "pie")}
    for name, shape in {"copper_pickaxe": "tool", "pie": "food"}.items():
        np.testing.assert_array_equal(opaque[name], sheet("shapes", "#808080")[shape][..., 3] > 0)
    assert icons["wood"] is sheet("items")["wood"]


@pytest.mark.parametrize("words", [WORDS, FULL], ids=["copper", "full"])
@pytest.mark.parametrize("unit", [2, 16])
def test_an_image_shows_every_cell_and_every_item(words: Vocabulary, unit: int) -> None:
    seen = replace(seen_in(words, 5), sleeping=np.zeros(3, bool))
    rows = rows_of(words)
    images = render(seen, (9 * unit, rows * unit), words=words)
    codes = seen.materials.astype(int) * NUM_APPEARANCES + appearances(seen)
    tiles = cell_tiles(unit, unit, words)
    icons = list(item_icons(words).values())
    for image, shown, held in zip(images, codes, seen.inventory.tolist(), strict=True):
        cells = image.reshape(rows, unit, 9, unit, 3).swapaxes(1, 2)
        np.testing.assert_array_equal(cells[:7], tiles[shown].swapaxes(0, 1))
        for place, (icon, amount) in enumerate(zip(icons, held, strict=True)):
            expected = item_tile(icon, amount, unit, unit)
            np.testing.assert_array_equal(cells[7 + place // 9, place % 9], expected)


def test_pictures_of_a_world_without_added_names_do_not_depend_on_its_vocabulary() -> None:
    for seed in range(20):
        seen = make(seed, n=2, daylight=0.05 * seed, sleeping=seed % 2 > 0)
        expected = render(seen, (64, 64))
        for dialect in ("crafter", "mars"):
            words = vocabulary(dialect)
            np.testing.assert_array_equal(render(seen, (64, 64), words=words), expected)


def test_an_image_has_room_for_all_items_or_is_refused() -> None:
    seen = seen_in(FULL, 1)
    assert render(seen, (9, 15), words=FULL).shape == (3, 15, 9, 3)
    with pytest.raises(InputError, match=r"size: 9 × 14 is too small; allowed: at least 9 × 15"):
        render(seen, (9, 14), words=FULL)
    with pytest.raises(ValueError, match="inventory must have 16 items"):
        render(replace(seen, materials=seen.materials % 13), (64, 64))
    with pytest.raises(ValueError, match="materials must be 0 to 14"):
        render(replace(seen_in(WORDS, 1), materials=seen.materials | 15), words=WORDS)


def test_films_and_maps_show_added_materials() -> None:
    simulator = Simulator(COPPER)
    simulator.reset(seed=1)
    simulator.restore(Scene(simulator.snapshot(), words=WORDS).fill("copper", 33, 32).snapshot())
    state = simulator.state()
    code = WORDS.materials.index("copper")
    tile = cell_tiles(8, 8, WORDS)[code * NUM_APPEARANCES]
    picture = whole_map.draw(state, 8, words=WORDS)
    np.testing.assert_array_equal(picture[32 * 8 : 33 * 8, 33 * 8 : 34 * 8], tile)
    assert whole_map.with_legend(picture, state, WORDS).shape[0] == 512
    (frame,) = frames(simulator.observe(), (72, 72), WORDS)
    np.testing.assert_array_equal(frame, render(simulator.observe(), (72, 72), words=WORDS)[0])


@pytest.mark.parametrize("words", [WORDS, FULL, *map(full, LOOKS)])
def test_every_pair_of_letters_stands_for_one_thing(words: Vocabulary) -> None:
    glyphs = terminal.material_glyphs(words)
    assert tuple(glyphs) == words.materials
    pairs = [*glyphs.values(), *terminal.OBJECTS.values()]
    assert len(set(pairs)) == len(pairs)
    assert all(len(pair) == 2 and pair.isascii() and pair.isprintable() for pair in pairs)


def test_letters_say_what_is_seen() -> None:
    assert terminal.material_glyphs(WORDS)["copper"] == "#o"
    assert terminal.material_glyphs(WORDS)["kiln"] == "Ki"
    seen = replace(seen_in(WORDS, 2), objects=np.zeros((3, 9, 7), np.uint8))
    text = terminal.to_ansi(seen, 1, colour=False, words=WORDS)
    names = {pair: name for name, pair in terminal.material_glyphs(WORDS).items()}
    lines = text.split("\n")
    for (x, y), code in np.ndenumerate(seen.materials[1]):
        assert names[lines[y][2 * x : 2 * x + 2]] == WORDS.materials[code]
    for item, amount in zip(WORDS.items[4:], seen.inventory[1, 4:].tolist(), strict=True):
        assert (f"{item} {amount}" in text) == (amount > 0)
    assert terminal.to_ansi(seen, 1, words=WORDS) != text


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("words", [WORDS, FULL], ids=["copper", "full"])
def test_descriptions_name_what_is_added_and_keep_their_extent(
    style: str, words: Vocabulary
) -> None:
    longest, characters = extent(style, words)
    told = ""
    for seed in range(30):
        seen = seen_in(words, seed)
        for env in range(3):
            action = words.actions[seed % len(words.actions)]
            text = describe(seen, style, env, action, words)
            assert len(text) <= longest and set(text) <= set(characters)
            told += text
    assert all(material.name in told for material in words.added)
    assert all(item in told for item in words.items)


WINTER = load_world(REPOSITORY / "worlds" / "gallery" / "winter.yaml")


SHOTS = parse_theory(
    f"name: shots\nbase: {REPOSITORY}/worlds/gallery/winter.yaml\nadds: {{projectiles: [bolt]}}\n",
    "shots.yaml",
)


@pytest.mark.parametrize(
    ("world", "kind", "glyph"), [(WINTER, "wolf", "Wo"), (SHOTS, "bolt", "Bo")]
)
def test_added_creatures_are_drawn_behind_the_players_appearances(
    world: Theory, kind: str, glyph: str
) -> None:
    words = world.vocabulary
    seen = replace(
        seen_in(words, 0, n=1),
        materials=np.full((1, 9, 7), words.materials.index("snow"), np.uint8),
        objects=np.zeros((1, 9, 7), np.uint8),
        daylight=np.ones(1),
        sleeping=np.zeros(1, np.bool_),
    )
    bare = render(seen, (144, 160), words=words)
    seen.objects[0, 2, 3] = words.looks.index(kind)
    shown = render(seen, (144, 160), words=words)
    rows, columns = np.nonzero((bare[0] != shown[0]).any(axis=2))
    assert {*(columns // 16)} == {2} and {*(rows // 16)} == {3}
    tile = shown[0, 48:64, 32:48]
    sprite = creature_sprites(words)[kind]
    opaque = sprite[..., 3] == 255
    np.testing.assert_array_equal(tile[opaque], sprite[opaque][:, :3])
    assert glyph in terminal.to_ansi(seen, colour=False, words=words)
    for style in STYLES:
        assert kind in describe(seen, style, vocabulary=words)
