from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic.views import terminal
from mars_logic.views.appearances import APPEARANCES, appearances
from mars_logic.world import names
from tests.views.conftest import make, observations

ESCAPE = re.compile("\x1b\\[[0-9;]*m")


def test_every_character_pair_stands_for_one_thing():
    assert tuple(terminal.MATERIALS) == names.MATERIALS
    assert set(terminal.OBJECTS) == {*APPEARANCES, "body"} - {"none"}  # Conan's, beside Crafter's
    pairs = [*terminal.MATERIALS.values(), *terminal.OBJECTS.values()]
    assert len(set(pairs)) == len(pairs)
    assert all(len(pair) == 2 and pair.isascii() for pair in pairs)


@given(observations, st.integers(0, 4))
@settings(max_examples=30, deadline=None)
def test_the_characters_say_what_is_seen(observation, env):
    env %= len(observation.facing)
    text = terminal.to_ansi(observation, env, colour=False)
    assert "\x1b" not in text
    things = {pair: name for name, pair in terminal.OBJECTS.items()}
    materials = {pair: name for name, pair in terminal.MATERIALS.items()}
    looks = appearances(observation)[env]
    lines = text.split("\n")
    for y in range(7):
        for x in range(9):
            pair = lines[y][2 * x : 2 * x + 2]
            if pair in things:
                assert APPEARANCES[looks[x, y]] == things[pair]
            else:
                assert looks[x, y] == 0
                assert names.MATERIALS[observation.materials[env, x, y]] == materials[pair]
    for name, amount in zip(names.ITEMS, observation.inventory[env], strict=True):
        if name in names.VITALS:
            assert re.search(rf"^{name} *#{{{amount}}}-{{{9 - amount}}} {amount}$", text, re.M)
        else:
            assert (f"{name} {amount}" in re.split(", |\n", text)) == (amount > 0)


def test_colours_change_no_character():
    observation = make(4)
    coloured = terminal.to_ansi(observation)
    assert ESCAPE.sub("", coloured) == terminal.to_ansi(observation, colour=False)
    assert coloured.count("\x1b[38;2;") >= 63


def test_colours_tell_night_and_sleep():
    day = make(4)
    night = replace(day, daylight=np.array([0.1]))
    asleep = replace(day, sleeping=np.array([True]))
    assert len({terminal.to_ansi(each) for each in (day, night, asleep)}) == 3
