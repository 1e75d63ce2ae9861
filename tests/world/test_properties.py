"""Properties of all worlds, tried on random ones."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.world.diff import diff
from mars_logic.world.digest import effective
from mars_logic.world.dump import to_yaml
from mars_logic.world.rules import Rule
from mars_logic.world.theory import World
from tests.world.strategies import rules, worlds


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("worlds") / "world.yaml"


def again(world: World, file: Path) -> World:
    """The world, written and loaded."""
    file.write_text(to_yaml(world), encoding="utf-8")
    return load_world(file)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(world=worlds())
def test_written_and_loaded_a_world_is_the_same(world: World, file: Path) -> None:
    loaded = again(world, file)
    assert loaded == world and loaded.digest == world.digest
    assert to_yaml(loaded) == to_yaml(world)


@settings(max_examples=25, deadline=None)
@given(changes=st.lists(rules(), max_size=4))
def test_a_changed_world_is_written_as_its_change(changes: list[Rule], file: Path) -> None:
    default = load_world("default")
    world = default.with_rules(*changes)
    loaded = again(world, file)
    assert loaded == world and loaded.digest == world.digest
    assert loaded.base is default
    stated = yaml.safe_load(file.read_text(encoding="utf-8"))
    written = {
        f"{family}.{s}"
        for family in stated
        if isinstance(stated[family], dict)
        for s in stated[family]
    }
    assert written == {change.id for change in diff(default, world)}


@settings(max_examples=25, deadline=None)
@given(name=st.text(min_size=1).filter(lambda text: text.isprintable() and text.strip() != ""))
def test_any_name_can_be_written(name: str, file: Path) -> None:
    assert again(load_world("default").named(name), file).name == name


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(world=worlds(), rule=rules())
def test_the_digest_changes_exactly_with_what_has_an_effect(world: World, rule: Rule) -> None:
    changed = world.with_rules(rule)
    assert (changed.digest == world.digest) == (effective(changed) == effective(world))
    assert changed.with_rules(world[rule.id]).digest == world.digest
