from pathlib import Path

import pytest

from mars_logic import load_world
from mars_logic.world.dump import to_yaml
from mars_logic.world.load import bundled_worlds
from mars_logic.world.problems import WorldError
from mars_logic.world.rules import Collect, Walk
from mars_logic.world.theory import World

MARS = (
    *("default", "terrain", "survival", "task_dep"),
    *("terr_surv", "terr_task", "surv_task", "all_three"),
)


def test_crafter_and_the_eight_worlds_come_first_then_the_papers() -> None:
    paper = ("default_paper", "survival_paper", "terr_surv_paper", "terrain_paper")
    assert bundled_worlds() == ("crafter", *MARS, *paper)


@pytest.mark.parametrize("name", bundled_worlds())
def test_bundled_worlds_load(name: str) -> None:
    world = load_world(name)
    assert world.name == name
    assert world.dynamics == ("crafter" if name == "crafter" else "mars")
    assert len(world.rules()) == 52
    assert all(world[rule.id] is rule for rule in world.rules())


def test_bundled_worlds_differ_from_each_other() -> None:
    digests = {load_world(name).digest for name in bundled_worlds()}
    assert len(digests) == len(bundled_worlds())


def test_values_of_all_three() -> None:
    world = load_world("all_three")
    assert world.collect["stone"].yields["wood"].probability == 0.5
    assert world.collect["sand"].spawns == {"cow": 0.1}
    assert world.walk["water"].deadly and not world.walk["path"].walkable
    assert world.neighbour["player"].material == "diamond"
    assert world.place["furnace"].uses == {"iron": 4}
    assert world.make["wood_sword"].nearby == ("table", "furnace")


@pytest.mark.parametrize("name", [n for n in bundled_worlds() if n != "crafter"])
def test_bundled_files_state_only_what_differs(name: str) -> None:
    world = load_world(name)
    assert world.path and world.base
    stated = Path(world.path).read_text(encoding="utf-8")
    for family in ("neighbour", "rename", "walk", "creature", "drink", "collect", "place", "make"):
        same = getattr(world, family) == getattr(world.base, family)
        assert (f"\n{family}:" not in stated) == same


@pytest.mark.parametrize("name", bundled_worlds())
def test_written_and_loaded_again_it_is_the_same_world(name: str, tmp_path: Path) -> None:
    world = load_world(name)
    file = tmp_path / "again.yaml"
    file.write_text(to_yaml(world), encoding="utf-8")
    again = load_world(file)
    assert again == world and again.digest == world.digest and again.name == world.name


def test_a_world_based_on_a_file_beside_it(tmp_path: Path) -> None:
    (tmp_path / "first.yaml").write_text(
        "base: default\nwalk: {tree: {walkable: true}}\n", encoding="utf-8"
    )
    second = tmp_path / "second.yaml"
    second.write_text(
        "base: first.yaml\nname: second\nwalk: {tree: {deadly: true}}\n", encoding="utf-8"
    )
    world = load_world(second)
    assert world.walk["tree"] == Walk(subject="tree", walkable=True, deadly=True)
    assert world.base and world.base.name == "first"
    (tmp_path / "again.yaml").write_text(to_yaml(world), encoding="utf-8")
    assert load_world(tmp_path / "again.yaml") == world


def test_a_name_in_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine").write_text("base: default\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert load_world("mine") == load_world("default")


@pytest.mark.parametrize("base", ["loop.yaml", "./loop.yaml"])
def test_a_world_cannot_be_its_own_base(tmp_path: Path, base: str) -> None:
    file = tmp_path / "loop.yaml"
    file.write_text(f"base: {base}\n", encoding="utf-8")
    with pytest.raises(WorldError, match=r"loop\.yaml:1: base: this world is its own base"):
        load_world(file)


def test_nor_through_another(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("base: b.yaml\n", encoding="utf-8")
    (tmp_path / "b.yaml").write_text("base: a.yaml\n", encoding="utf-8")
    with pytest.raises(WorldError, match="its own base"):
        load_world(tmp_path / "a.yaml")


def test_with_rules_keeps_the_old_world_as_base() -> None:
    default = load_world("default")
    changed = default.with_rules(Collect(subject="diamond", yields={"coal": 1}), name="changed")
    assert changed.base is default and changed.name == "changed"
    assert changed["collect.diamond"] != default["collect.diamond"]
    assert changed.with_rules(default["collect.diamond"]) == default


def test_a_world_needs_every_rule_once() -> None:
    rules = load_world("default").rules()
    with pytest.raises(ValueError, match="exactly once"):
        World.from_rules("mars", rules[1:])
    with pytest.raises(ValueError, match="exactly once"):
        World.from_rules("mars", (*rules, rules[0]))


def test_renamed_worlds_are_equal() -> None:
    world = load_world("default")
    assert world.named("other") == world and world.named("other").name == "other"


def test_there_is_no_rule_of_that_name() -> None:
    with pytest.raises(KeyError):
        load_world("default")["collect.path"]
