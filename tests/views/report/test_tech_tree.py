from pathlib import Path
from xml.etree import ElementTree

import pytest

from mars_logic import load_world, prove
from mars_logic.views.report.tech_tree import Node, TechTree, tech_tree
from mars_logic.views.report.tech_tree_svg import draw, thing_of
from mars_logic.world.load import bundled_worlds, parse_theory
from mars_logic.world.theory import World

SVG = "{http://www.w3.org/2000/svg}"
CIRCULAR = "name: circular\nbase: default\ncollect:\n  tree: {requires: {wood_pickaxe: 1}}\n"


def tree_of(world: World, goal: str | None = None) -> TechTree:
    return tech_tree(world, prove(world), goal)


@pytest.fixture
def circular(tmp_path: Path) -> World:
    path = tmp_path / "circular.yaml"
    path.write_text(CIRCULAR, encoding="utf-8")
    return load_world(path)


@pytest.mark.parametrize("name", bundled_worlds())
def test_rules_stand_between_what_they_take_and_what_they_give(name: str) -> None:
    tree = tree_of(load_world(name))
    nodes = {node.name: node for node in tree.nodes}
    assert len(nodes) == len(tree.nodes)
    for node in tree.nodes:
        assert node.layer % 2 == (not node.is_rule)
    for edge in tree.edges:
        rule = edge.source if edge.tie == "gives" else edge.target
        assert nodes[rule].is_rule
        assert nodes[edge.source].is_rule != nodes[edge.target].is_rule
    for node in tree.nodes:
        before = [nodes[edge.source] for edge in tree.edges if edge.target == node.name]
        if node.is_rule:  # all that it takes lies before it
            assert all(other.layer < node.layer for other in before)
        else:  # something that brings it about lies right before it
            assert any(other.layer == node.layer - 1 for other in before)


@pytest.mark.parametrize("name", bundled_worlds())
def test_the_drawing_is_well_formed_and_names_every_node(name: str) -> None:
    tree = tree_of(load_world(name))
    root = ElementTree.fromstring(draw(tree))
    titles = {element.text for element in root.iter() if element.tag.endswith("title")}
    assert {title.partition(":")[0] for title in titles if title} >= {n.name for n in tree.nodes}


def test_a_goal_shows_its_witness_alone() -> None:
    world = load_world("default")
    tree = tree_of(world, "make_wood_sword")
    assert {node.name for node in tree.nodes if node.status == "witness"} == {
        "collect.tree",
        "wood",
        "place.table",
        "table",
        "make.wood_sword",
        "wood_sword",
    }
    assert not [node for node in tree.nodes if node.status == "unreachable"]


def test_what_is_unreachable_is_told_apart_by_more_than_colour(circular: World) -> None:
    tree = tree_of(circular)
    status = {node.name: node.status for node in tree.nodes}
    assert status["wood"] == status["collect.tree"] == status["make.iron_sword"] == "unreachable"
    assert status["sapling"] == "witness"
    assert status["skeleton"] == "unknown"
    drawing = draw(tree)
    assert drawing.count("url(#hatch)") > sum(s == "unreachable" for s in status.values())
    assert drawing.count(">×<") == sum(s == "unreachable" for s in status.values())
    assert drawing.count(">?<") == sum(s == "unknown" for s in status.values())


def test_goals_that_do_not_exist_are_refused() -> None:
    world = load_world("default")
    with pytest.raises(ValueError, match="goal must be one of"):
        tree_of(world, "collect_gold")


def test_shares_lie_within_the_things_that_they_tell_about_and_below_their_names() -> None:
    world = load_world("all_three")
    shares = dict.fromkeys(world.achievements, 0.5)
    tree = tree_of(world)
    root = ElementTree.fromstring(draw(tree, unlocked={"oracle": shares}))
    boxes = {title: group for group in root.iter(f"{SVG}g") if (title := _told(group))}
    things = {node.name: node for node in tree.nodes if not node.is_rule}
    assert things
    for achievement in shares:
        pill = boxes[f"{achievement}: unlocked in 50% of episodes"].find(f"{SVG}rect")
        thing = things[thing_of(achievement, things)]
        box = boxes[f"{thing.name}: in a witness"]
        frame, (name, *_) = box.find(f"{SVG}rect"), box.findall(f"{SVG}text")
        assert pill is not None
        assert frame is not None
        descenders = float(name.get("y", "")) + 3
        assert descenders <= float(pill.get("y", "")), achievement
        assert _lower_side(pill) <= _lower_side(frame), achievement


def _told(group: ElementTree.Element) -> str | None:
    return group.findtext(f"{SVG}title")


def _lower_side(box: ElementTree.Element) -> float:
    return float(box.get("y", "")) + float(box.get("height", ""))


def told_of(tree: TechTree) -> dict[str, Node]:
    return {node.name: node for node in tree.nodes}


def test_added_names_are_drawn() -> None:
    """Items, stations and meals of a world's own; a station differs from the item of its name."""
    world = parse_theory(
        "base: default\nadds: {materials: [oven, clay], items: [oven, pie]}\n"
        "place: {oven: {uses: {wood: 1}, where: [grass]}}\n"
        "make: {pie: {uses: {sapling: 1}, nearby: [oven, clay]}}\neat: {pie: {food: 1}}",
        "own.yaml",
    )
    assert isinstance(world, World)
    found = tech_tree(world, prove(world))
    ties = {(edge.source, edge.target): edge.tie for edge in found.edges}
    assert ties["place.oven", "placed oven"] == "gives"
    assert ties["placed oven", "make.pie"] == "holds"
    assert ties["pie", "eat.pie"] == "takes" and ties["eat.pie", "eaten pie"] == "gives"
    assert thing_of("place_oven", told_of(found)) == "placed oven"
    assert thing_of("eat_pie", told_of(found)) == "eaten pie"
    assert ("clay", "make.pie") not in ties
    told = told_of(found)
    assert told["make.pie"].detail == "near clay" and told["eat.pie"].title == "eat pie"
    assert told["make.pie"].layer < told["eat.pie"].layer
