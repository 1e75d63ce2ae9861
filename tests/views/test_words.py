"""Descriptions are read back by a parser of their own and compared with what was observed."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.data import Views
from mars_logic.sim import Observation, Simulator, Snapshot
from mars_logic.views import words
from mars_logic.world import names
from tests.logic.mutants import NINE
from tests.paths import REPOSITORY
from tests.sim.moments import moments
from tests.views.reader import read_mars, read_smartplay

COLUMNS = range(-4, 5)
ROWS = range(-3, 4)
AROUND = {(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} - {(0, 0)}
OBJECTS = {"player", "cow", "zombie", "skeleton", "arrow", "plant", "ripe-plant"}


# --- what was observed


def look(seen, env, dx, dy):
    """What a cell looks like, in the words of the descriptions."""
    thing = names.LOOKS[seen.objects[env, 4 + dx, 3 + dy]]
    if thing == "none":
        material = names.MATERIALS[seen.materials[env, 4 + dx, 3 + dy]]
        return "boundary" if material == "none" else material
    return "arrow" if thing.startswith("arrow") else thing.replace("_", "-")


def looks(seen, env):
    return {(x, y): look(seen, env, x, y) for x in COLUMNS for y in ROWS if (x, y) != (0, 0)}


def nearest(cells, name):
    """The places of a kind that are nearest."""
    places = [place for place, found in cells.items() if found == name]
    least = min(abs(x) + abs(y) for x, y in places)
    return [(x, y) for x, y in places if abs(x) + abs(y) == least]


def check_knowledge(description, seen, env, action):
    """What both styles tell besides the view."""
    items = dict(zip(names.ITEMS, seen.inventory[env].tolist(), strict=True))
    assert description.action == action
    assert description.vitals == {vital: items[vital] for vital in names.VITALS}
    assert list(description.vitals) == list(names.VITALS)
    assert description.held == {item: items[item] for item in names.HOLDABLE if items[item]}
    condition = "died" if items["health"] == 0 else "sleeping" if seen.sleeping[env] else "awake"
    assert description.condition == condition
    assert description.ahead == look(seen, env, *seen.facing[env])


def check_mars(seen, env, action):
    text = words.describe(seen, "mars", env, action)
    description = read_mars(text)
    check_knowledge(description, seen, env, action)
    ground = names.MATERIALS[seen.materials[env, 4, 3]]
    assert description.ground == ("boundary" if ground == "none" else ground)

    cells = looks(seen, env)
    places = [(x, y) for _, x, y in description.places]
    assert len(set(places)) == len(places)
    assert all(cells[x, y] == name for name, x, y in description.places)
    around = {cells[place] for place in AROUND}
    objects = {place for place, name in cells.items() if name in OBJECTS}
    assert set(places[:8]) == AROUND
    assert objects <= set(places)
    for name in set(cells.values()) - around - OBJECTS:
        [place] = [place for place in places if cells[place] == name]
        assert place in nearest(cells, name)
    for place in set(places) - AROUND - objects:
        assert cells[place] not in around


def check_smartplay(seen, env, action):
    text = words.describe(seen, "smartplay", env, action)
    description = read_smartplay(text)
    check_knowledge(description, seen, env, action)
    cells = looks(seen, env)
    told_kinds = [name for name, _, _ in description.places]
    assert len(set(told_kinds)) == len(told_kinds)
    assert set(told_kinds) == set(cells.values()) - {"boundary"}
    for name, steps, (east, south) in description.places:
        assert any(
            (steps, east, south) == (abs(x) + abs(y), np.sign(x), np.sign(y))
            for x, y in nearest(cells, name)
        )


def check(seen, action):
    for env in range(len(seen.sleeping)):
        check_mars(seen, env, action)
        check_smartplay(seen, env, action)
        for style in words.STYLES:
            text = words.describe(seen, style, env, action)
            assert len(text) <= words.MAX_LENGTH[style]
            assert set(text) <= set(words.CHARACTERS[style])


ACTIONS = st.none() | st.sampled_from(names.ACTIONS)


@settings(max_examples=25, deadline=None)
@given(name=st.sampled_from(NINE), seed=st.integers(0, 2**32 - 1), action=ACTIONS)
def test_descriptions_tell_what_is_seen_in_play(name, seed, action):
    simulator = Simulator(load_world(name), n=8)
    simulator.restore(Snapshot(moments(simulator.world, seed, 8)))
    check(simulator.observe(), action)


def anything(seed, n):
    """Observations with any codes anywhere, of all or of some."""
    dice = np.random.default_rng(seed)
    seen = Observation.empty(n)
    kinds = dice.integers(1, 14)
    seen.materials[:] = dice.choice(dice.integers(0, len(names.MATERIALS), kinds), (n, 9, 7))
    seen.objects[:] = dice.integers(0, len(names.LOOKS), (n, 9, 7))
    seen.objects[dice.random((n, 9, 7)) < dice.random()] = 0
    seen.inventory[:] = dice.integers(0, 10, (n, len(names.ITEMS)))
    seen.inventory[dice.random(seen.inventory.shape) < dice.random()] = 0
    seen.facing[:] = dice.choice([(-1, 0), (1, 0), (0, -1), (0, 1)], n)
    seen.sleeping[:] = dice.random(n) < 0.5
    seen.daylight[:] = dice.random(n)
    return seen


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), action=ACTIONS)
def test_descriptions_tell_what_is_seen_whatever_it_is(seed, action):
    check(anything(seed, 4), action)


# --- the formats


def scene(cells, facing, otherwise, ground="path"):
    """An observation with these looks at (dx, dy), the same everywhere else, and nothing held."""
    seen = Observation.empty(1)
    seen.materials[:] = names.MATERIALS.index(otherwise)
    seen.objects[:] = 0
    seen.materials[0, 4, 3] = names.MATERIALS.index(ground)
    seen.objects[0, 4, 3] = names.LOOKS.index("player")
    for (dx, dy), name in cells.items():
        if name in names.MATERIALS:
            seen.materials[0, 4 + dx, 3 + dy] = names.MATERIALS.index(name)
        else:
            seen.objects[0, 4 + dx, 3 + dy] = names.LOOKS.index(name)
    seen.inventory[:] = [[9] * 4 + [0] * 12]
    seen.facing[:] = facing
    seen.sleeping[:] = False
    seen.daylight[:] = 1
    return seen


def test_the_example_of_the_paper_on_mars():
    cells = {
        (-1, 0): "tree",
        (1, 0): "path",
        (0, -1): "path",
        (1, 1): "path",
        (1, -1): "path",
        (-3, 0): "water",
        (-3, -3): "sand",
    }
    seen = scene(cells, facing=(-1, 0), otherwise="stone")
    assert words.describe(seen, "mars", action="move_left").splitlines() == [
        "I took action move_left.",
        "I am on the path.",
        "I see: (object with coordinate)",
        "tree is in front of me.",
        "<tree(-1, 0), path(1, 0), stone(0, -1), path(0, 1), stone(-1, -1), path(1, -1), "
        "stone(-1, 1), path(1, 1), water(-3, 0), sand(-3, 3)>",
        "My status: <health: 9/9, food: 9/9, drink: 9/9, energy: 9/9>",
        "I have nothing in your inventory.",
    ]


def test_the_example_of_the_paper_on_smartplay():
    seen = scene({(-2, 3): "water", (-1, 3): "sand"}, facing=(-1, 0), otherwise="grass")
    text = words.describe(seen, "smartplay", action="move_left")
    assert text.replace("\n\n", "\n").splitlines() == [
        "You took action move_west.",
        "You see:",
        "- water 5 steps to your south-west",
        "- grass 1 steps to your west",
        "- sand 4 steps to your south-west",
        "You face grass at your front.",
        "Your status:",
        "- health: 9/9",
        "- food: 9/9",
        "- drink: 9/9",
        "- energy: 9/9",
        "You have nothing in your inventory.",
    ]
    assert [len(paragraph.splitlines()) for paragraph in text.split("\n\n")] == [1, 4, 1, 5, 1]


def test_all_objects_are_told_in_the_style_of_mars_and_the_nearest_in_that_of_smartplay():
    cells = {
        (1, 1): "cow",
        (3, -2): "cow",
        (-4, 0): "zombie",
        (2, 0): "zombie",
        (0, 3): "arrow_up",
        (4, 3): "plant",
        (-4, -3): "ripe_plant",
    }
    seen = scene(cells, facing=(0, 1), otherwise="grass")
    assert words.describe(seen, "mars").splitlines()[3] == (
        "<grass(-1, 0), grass(1, 0), grass(0, -1), grass(0, 1), grass(-1, -1), cow(1, -1), "
        "grass(-1, 1), grass(1, 1), zombie(2, 0), arrow(0, -3), plant(4, -3), ripe-plant(-4, 3), "
        "zombie(-4, 0), cow(3, 2)>"
    )
    assert words.describe(seen, "smartplay").split("\n\n")[0].splitlines() == [
        "You see:",
        "- grass 1 steps to your west",
        "- cow 2 steps to your south-east",
        "- zombie 2 steps to your east",
        "- arrow 3 steps to your south",
        "- plant 7 steps to your south-east",
        "- ripe-plant 7 steps to your north-west",
    ]


def test_sleep_death_and_inventory():
    seen = scene({}, facing=(0, 1), otherwise="grass", ground="sand")
    seen.sleeping[:] = True
    seen.inventory[0, names.ITEMS.index("sapling")] = 1
    seen.inventory[0, names.ITEMS.index("iron_sword")] = 2
    mars, smartplay = (words.describe(seen, style, action="sleep") for style in words.STYLES)
    asleep = "sleeping, and will not be able take actions until energy is full."
    assert mars.splitlines()[1:3] == ["I am on the sand.", f"I am {asleep}"]
    assert mars.endswith("\nMy inventory: <sapling: 1, iron_sword: 2>")
    assert smartplay.startswith(f"You took action sleep.You are {asleep}\n\n\n\nYou see:\n")
    assert smartplay.endswith("\n\nYour inventory:\n- sapling: 1\n- iron_sword: 2")
    seen.inventory[0, 0] = 0
    mars, smartplay = (words.describe(seen, style) for style in words.STYLES)
    assert mars.splitlines()[:2] == ["I am on the sand.", "I died."]
    assert smartplay.startswith("You died.\n\n\n\nYou see:\n")


def test_the_edge_of_the_map():
    seen = scene({}, facing=(-1, 0), otherwise="grass")
    seen.materials[:, :4] = 0
    mars, smartplay = (words.describe(seen, style) for style in words.STYLES)
    assert "boundary is in front of me.\n<boundary(-1, 0), grass(1, 0)" in mars
    assert "You see:\n- grass 1 steps to your north\n\nYou face boundary at" in smartplay


@pytest.mark.parametrize("style", words.STYLES)
def test_the_longest_description(style):
    """It is reached: a view full of what has the longest name, or of one of each kind."""
    cells = dict.fromkeys(((x, y) for x in COLUMNS for y in ROWS if (x, y) != (0, 0)), "ripe_plant")
    if style == "smartplay":
        corners = [(x, y) for x in (-4, -3, -2, 2, 3, 4) for y in (-3, -2, 2, 3)]
        kinds = [*names.MATERIALS[1:], *names.OBJECTS[1:]]
        cells |= dict(zip(corners, kinds, strict=False))
    seen = scene(cells, facing=(1, 0), otherwise="grass")
    for (dx, dy), name in cells.items():
        if name in names.MATERIALS:
            seen.objects[0, 4 + dx, 3 + dy] = 0
    seen.materials[0, 4, 3] = 0
    seen.inventory[:] = 9
    seen.sleeping[:] = True
    longest = max(len(words.describe(seen, style, action=action)) for action in names.ACTIONS)
    assert longest == words.MAX_LENGTH[style]


def test_characters_are_in_order_and_each_once():
    for characters in words.CHARACTERS.values():
        assert sorted(set(characters)) == list(characters)


def test_recorded_views_are_described_as_they_were_seen():
    seen = anything(1, 5)
    recorded = Views(
        seen.materials,
        seen.objects,
        seen.inventory.astype(np.uint8),
        seen.facing,
        seen.sleeping,
        seen.daylight,
    )
    for style in words.STYLES:
        for moment in range(5):
            assert words.describe(recorded, style, moment) == words.describe(seen, style, moment)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"style": "poem"}, ValueError, "style must be one of mars, smartplay, not 'poem'"),
        ({"action": "jump"}, ValueError, "action must be one of noop, .*, not 'jump'"),
        ({"env": 1}, IndexError, "out of bounds"),
    ],
)
def test_wrong_arguments(arguments, error, message):
    seen = scene({}, facing=(0, 1), otherwise="grass")
    with pytest.raises(error, match=message):
        words.describe(seen, **arguments)


# --- the page about them


def test_the_page_shows_what_its_code_prints(capsys):
    page = (REPOSITORY / "docs" / "text.md").read_text(encoding="utf-8")
    pairs = re.findall(
        r"^```python\n(.*?)^```\n\n```text\n(.*?)^```", page, re.MULTILINE | re.DOTALL
    )
    assert len(pairs) == len(words.STYLES)
    shared = {}
    for code, printed in pairs:
        exec(code, shared)
        assert capsys.readouterr().out == printed
    for style in words.STYLES:
        assert f'`MAX_LENGTH["{style}"]`, {words.MAX_LENGTH[style]} characters' in page
