"""The keys ``length`` and ``map`` of world files: how they are read, inherited and refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from mars_logic import load_world
from mars_logic.world.diff import beside_rules
from mars_logic.world.dump import to_yaml
from mars_logic.world.load import parse_theory
from mars_logic.world.maps import DEFAULT_LEGEND, GENERATED, Drawn, Scattered
from mars_logic.world.problems import WorldError
from mars_logic.world.rules import Neighbour
from mars_logic.world.theory import Theory, World
from mars_logic.world.words import manual
from tests.paths import REPOSITORY

DEFAULT = load_world("default")
ROOM = "#####\n#.@.#\n#####\n"


def drawn(*drawings: str, more: str = "") -> str:
    """A world file with drawings."""
    blocks = [f"    - |\n{_indented(text)}" for text in drawings]
    return f"base: default\nmap:\n  drawn:\n{''.join(blocks)}{more}"


def _indented(text: str) -> str:
    return "".join(f"      {row}\n" for row in text.splitlines())


def world_of(text: str, file: str = "own.yaml") -> World:
    world = parse_theory(text, file)
    assert isinstance(world, World)
    return world


def problem_of(text: str, file: str = "own.yaml") -> str:
    """The one message that a wrong file gets."""
    with pytest.raises(WorldError) as refused:
        parse_theory(text, file)
    (problem,) = refused.value.problems
    return str(problem)


# --- The length of an episode ---------------------------------------------------------------------


def test_a_world_states_the_length_of_its_episodes() -> None:
    world = world_of("base: default\nlength: 200\n")
    assert world.vocabulary.length == 200 and world.length == 200
    assert world.digest != DEFAULT.digest
    assert "An episode ends after 200" in manual(world).replace("\n", " ")
    assert beside_rules(DEFAULT, world) == {"length": ("1000", "200")}


def test_the_length_of_the_dialect_is_no_difference() -> None:
    world = world_of("base: default\nlength: 1000\n")
    assert world.length is None and world == DEFAULT and world.digest == DEFAULT.digest
    assert world.vocabulary is DEFAULT.vocabulary


def test_a_length_is_inherited_and_written(tmp_path: Path) -> None:
    (tmp_path / "short.yaml").write_text("base: default\nlength: 200\n", encoding="utf-8")
    world = world_of("base: short.yaml\nwalk: {sand: {walkable: false}}\n", f"{tmp_path}/own.yaml")
    assert world.vocabulary.length == 200
    again = world_of(to_yaml(world))
    assert again == world and again.vocabulary.length == 200
    assert world.with_rules(*DEFAULT.rules()).length == 200


@pytest.mark.parametrize("stated", ["0", "10001", "-5", "many", "1.5", "true", "[200]"])
def test_a_wrong_length_is_refused(stated: str) -> None:
    problem = problem_of(f"base: default\nlength: {stated}\n")
    assert problem.startswith("own.yaml:2: length: ")
    assert problem.endswith("allowed: a whole number of steps from 1 to 10000")


# --- Drawings -------------------------------------------------------------------------------------


def test_a_drawing_becomes_cells_around_the_start() -> None:
    world = world_of(drawn("~~~~~~\n~:C.@~\n~#TTi~\n~~~~~~\n"))
    (drawing,) = world.map.drawings
    assert (drawing.width, drawing.height) == (6, 4)
    assert drawing.start == (32, 32) and drawing.corner == (28, 31)
    cells = {(x, y): cell for x, y, cell in drawing.cells()}
    assert len(cells) == 24
    assert cells[30, 32] == Drawn("grass", "cow") and cells[32, 33] == Drawn("iron")
    assert cells[32, 32] == Drawn("grass", player=True)


@pytest.mark.parametrize("x", [0, 20, 63])
def test_the_largest_drawing_fills_the_map(x: int) -> None:
    rows = ["." * 64 for _ in range(63)]
    (drawing,) = world_of(drawn("\n".join(["." * x + "@" + "." * (63 - x), *rows]))).map.drawings
    assert drawing.corner == (0, 0) and drawing.start == (x, 0)


def test_of_several_drawings_the_seed_decides() -> None:
    world = world_of(drawn(ROOM, "....\n.~@.\n....\n", "...\n@..\n...\n...\n"))
    assert [world.map.drawing(seed) for seed in (0, 1, 2, 3, -1)] == [
        world.map.drawings[number] for number in (0, 1, 2, 0, 2)
    ]


def test_a_legend_explains_characters() -> None:
    legend = (
        "  legend:\n    w: {material: sand, creature: zombie}\n"
        "    s: {material: path, player: true}\n    '.': water\n"
    )
    world = world_of(drawn("...\nwsw\n...\n", more=legend))
    (drawing,) = world.map.drawings
    assert drawing.start_material == "path"
    assert drawing.rows[1][0] == Drawn("sand", "zombie") and drawing.rows[0][0] == Drawn("water")


def test_a_drawing_may_be_a_file_beside_the_world(tmp_path: Path) -> None:
    (tmp_path / "north.txt").write_text(ROOM, encoding="utf-8")
    (tmp_path / "own.yaml").write_text("base: default\nmap: {drawn: north.txt}\n", encoding="utf-8")
    (tmp_path / "further").mkdir()
    (tmp_path / "further" / "own.yaml").write_text(
        "base: ../own.yaml\nlength: 50\n", encoding="utf-8"
    )
    world, same = load_world(tmp_path / "own.yaml"), world_of(drawn(ROOM))
    assert world == same and world.digest == same.digest
    assert load_world(tmp_path / "further" / "own.yaml").map == world.map


def test_drawn_worlds_are_written_and_read_as_they_are() -> None:
    legend = (
        "  legend:\n    Q: {material: lava, creature: plant}\n"
        "    '0': {material: iron, player: true}\n"
    )
    world = world_of(drawn("~~~\nQ0T\n~~~\n", "CZS\np0p\n!!!\n", more=legend))
    for one in (world, World.from_rules("mars", world.rules(), name="whole", **world.own)):
        again = world_of(to_yaml(one))
        assert again == world and again.digest == world.digest and again.map == world.map


def test_every_sign_of_the_usual_legend_is_read() -> None:
    signs = "".join(sign for sign, cell in DEFAULT_LEGEND.items() if not cell.player)
    world = world_of(drawn(f"{signs}\n{'.' * (len(signs) - 1)}@\n{signs}\n"))
    assert [cell.as_data() for cell in world.map.drawings[0].rows[0]] == [
        cell.as_data() for cell in DEFAULT_LEGEND.values() if not cell.player
    ]


def test_cells_creatures_and_starts_count_for_the_digest() -> None:
    worlds = [
        world_of(drawn(text))
        for text in (
            "....\n.@..\n....\n",
            "....\n..@.\n....\n",
            "....\n.@C.\n....\n",
            "....\n.@..\n...:\n",
            "....\n.@..\n....\n....\n",
        )
    ]
    assert len({world.digest for world in [*worlds, DEFAULT]}) == 6
    assert len({world.digest for world in [worlds[0], world_of(drawn("....\n.@..\n....\n"))]}) == 1


def test_rules_of_the_generator_have_no_effect_where_maps_are_drawn() -> None:
    changed = "neighbour: {tree: sand}\nrename: {tree: iron}\n"
    base = world_of(f"base: default\n{changed}")
    told = world_of(drawn(ROOM))
    same = World.from_rules("mars", base.rules(), map=told.map)
    assert same == told and same.digest == told.digest
    assert same.with_rules(Neighbour(subject="tree", material="sand")) == told
    problem = problem_of(drawn(ROOM, more="neighbour: {tree: sand}\n"))
    assert "rules of the generator have no effect" in problem
    assert "What lies where" in manual(told) and "Trees stand" not in manual(told)


def test_a_base_of_which_nothing_is_known_has_the_map_too() -> None:
    theory = parse_theory(drawn(ROOM).replace("default", "unknown") + "dynamics: mars\n", "a.yaml")
    assert type(theory) is Theory and theory.map.is_drawn
    assert not any(rule.startswith(("neighbour", "rename")) for rule, _ in theory.uncertain)
    assert theory.most_likely().map == theory.sample(3).map == theory.map
    assert Theory.from_world(world_of(drawn(ROOM))).map.is_drawn


BROKEN = {
    "ragged": ("....\n.@.\n....\n", "this row has 3 characters, the first one 4"),
    "an empty row": ("...\n\n.@.\n...\n", "there is a hole: this row is empty"),
    "a hole": ("....\n.@ .\n....\n", "there is a hole: column 3 is blank"),
    "unknown": ("...\n.@Q\n...\n", "column 3 is the unknown character 'Q'"),
    "a tab": ("...\n.@\t\n...\n", "there is a hole: column 3 is blank"),
    "two starts": ("...\n.@.\n@..\n", "column 1 is a second start; the first is in row 2"),
    "two starts in a row": ("...\n@.@\n...\n", "column 3 is a second start"),
    "no start": ("...\n...\n...\n", "the player has no start"),
    "too few columns": ("..\n.@\n..\n", "the drawing is too small: 2 x 3 cells"),
    "too few rows": ("...\n.@.\n", "the drawing is too small: 3 x 2 cells"),
    "too many columns": (f"{'.' * 65}\n@{'.' * 64}\n{'.' * 65}\n", "too large: 65 x 3 cells"),
    "too many rows": ("...\n" * 64 + ".@.\n", "too large: 3 x 65 cells"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_drawing_is_one_clear_line(kind: str, tmp_path: Path) -> None:
    text, message = BROKEN[kind]
    problem = problem_of(drawn(text.replace("\t", "\\t")) if kind != "a tab" else _quoted(text))
    assert message in problem and problem.startswith("own.yaml:") and "; allowed: " in problem
    (tmp_path / "north.txt").write_text(text, encoding="utf-8")
    in_file = problem_of("base: default\nmap: {drawn: north.txt}\n", f"{tmp_path}/own.yaml")
    assert in_file.startswith(f"{tmp_path}/north.txt:") and message in in_file


def _quoted(text: str) -> str:
    escaped = text.replace("\n", "\\n").replace("\t", "\\t")
    return f'base: default\nmap: {{drawn: "{escaped}"}}\n'


def test_a_mistake_in_a_file_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "north.txt").write_text("...\n.@.\n..Q\n", encoding="utf-8")
    problem = problem_of("base: default\nmap: {drawn: north.txt}\n", f"{tmp_path}/own.yaml")
    assert problem.startswith(f"{tmp_path}/north.txt:3: drawing: column 3 is the unknown")


WRONG = {
    "map: 3\n": "own.yaml:2: map: 3 is not a mapping",
    "map: {drwan: a.txt}\n": "map.drwan: unknown key 'drwan', did you mean 'drawn'?",
    "map: {drawn: nowhere.txt}\n": "map.drawn: 'nowhere.txt': there is no such file",
    "map: {drawn: .}\n": "map.drawn: '.': this is a folder",
    "map: {drawn: ''}\n": "map.drawn: ",
    "map: {drawn: 5}\n": "map.drawn: 5 is not a drawing",
    "map: {drawn: []}\n": "map.drawn: 0 drawings are not possible",
    "map: {drawn: [{b: c}]}\n": "map.drawn[0]: a mapping is not a drawing",
    "map: {drawn: [a]}\n": "map.drawn[0]: 'a': there is no such file",
    "map: {legend: {T: tree}}\n": "map.legend: there is no drawing",
    "map: {drawn: a.txt, scatter: {}}\n": "map.scatter: nothing is scattered over a map",
    "map: {drawn: a.txt, legend: [T]}\n": "map.legend: a list is not a mapping",
    "map: {drawn: a.txt, legend: {TT: tree}}\n": "map.legend.TT: 'TT' is no character",
    "map: {drawn: a.txt, legend: {' ': tree}}\n": "map.legend. : ' ' is no character",
    "map: {drawn: a.txt, legend: {T: tre}}\n": "unknown material 'tre', did you mean 'tree'?",
    "map: {drawn: a.txt, legend: {T: none}}\n": "map.legend.T: unknown material 'none'",
    "map: {drawn: a.txt, legend: {T: {creature: cow}}}\n": "map.legend.T: 'material' is missing",
    "map: {drawn: a.txt, legend: {T: {material: sand, creature: cwo}}}\n": (
        "map.legend.T.creature: unknown creature 'cwo', did you mean 'cow'?"
    ),
    "map: {drawn: a.txt, legend: {T: {material: sand, player: 1}}}\n": (
        "map.legend.T.player: 1 is neither true nor false"
    ),
    "map: {drawn: a.txt, legend: {T: {material: sand, creature: cow, player: true}}}\n": (
        "map.legend.T: a creature and the player are on one cell"
    ),
    "map: {drawn: a.txt, legend: {T: {material: sand, colour: red}}}\n": (
        "map.legend.T.colour: unknown field 'colour'"
    ),
    "map: {scatter: [iron]}\n": "map.scatter: a list is not a mapping",
    "map: {scatter: {irn: {in: stone, share: 0.1}}}\n": "unknown material 'irn'",
    "map: {scatter: {iron: {in: stoen, share: 0.1}}}\n": "map.scatter.iron.in: unknown material",
    "map: {scatter: {iron: {in: stone}}}\n": "map.scatter.iron: 'share' is missing",
    "map: {scatter: {iron: 0.1}}\n": "map.scatter.iron: 0.1 is not a mapping",
    "map: {scatter: {iron: {in: stone, share: 0}}}\n": "map.scatter.iron.share: 0 is out of range",
    "map: {scatter: {iron: {in: stone, share: 1.5}}}\n": "share: 1.5 is out of range",
    "map: {scatter: {iron: {in: stone, share: much}}}\n": "share: 'much' is not a number",
    "map: {scatter: {iron: {in: iron, share: 0.1}}}\n": "iron cannot take the place of iron",
    "map: {scatter: {iron: {in: stone, share: 0.1, zone: 3}}}\n": "unknown field 'zone'",
}


@pytest.mark.parametrize("stated", WRONG)
def test_a_wrong_map_is_one_clear_line(stated: str) -> None:
    problem = problem_of(f"base: default\n{stated}")
    assert WRONG[stated] in problem and "; allowed: " in problem and "\n" not in problem


def test_worlds_with_traces_state_no_map() -> None:
    assert "worlds of conan state no map" in problem_of("dynamics: conan\nmap: {scatter: {}}\n")


# --- What is scattered ----------------------------------------------------------------------------


def test_scattered_materials_are_read_written_and_told() -> None:
    shares = "diamond: {in: stone, share: 0.02}, coal: {in: diamond, share: 1}"
    stated = f"base: default\nmap: {{scatter: {{{shares}}}}}\n"
    world = world_of(stated)
    both = Scattered("diamond", "stone", 0.02), Scattered("coal", "diamond", 1.0)
    assert world.map.scattered == both and not world.map.is_drawn
    again = world_of(to_yaml(world))
    assert again == world and again.digest == world.digest != DEFAULT.digest
    told = "Diamond lies in 2 % of the stone. Coal lies in 100 % of the diamond."
    assert told in manual(world).replace("\n", " ")
    assert beside_rules(DEFAULT, world) == {"map": ("Maps are generated.", told)}


def test_a_map_that_says_nothing_is_the_generator() -> None:
    world = world_of("base: default\nmap: {}\n")
    assert world.map == GENERATED and world.digest == DEFAULT.digest and world == DEFAULT


def test_a_world_replaces_the_map_of_its_base(tmp_path: Path) -> None:
    (tmp_path / "drawn.yaml").write_text(drawn(ROOM), encoding="utf-8")
    world = world_of("base: drawn.yaml\nmap: {}\n", f"{tmp_path}/own.yaml")
    assert world.map == GENERATED and world == DEFAULT


def test_worlds_of_the_gallery_are_read() -> None:
    for path in sorted((REPOSITORY / "worlds" / "gallery").glob("*.yaml")):
        lines = path.read_text(encoding="utf-8").splitlines()
        world = load_world(path)
        assert len(lines) <= 60 and world.title and world.name == path.stem


def test_drawn_worlds_have_the_generator_rules_of_crafter() -> None:
    world, crafter = world_of(drawn(ROOM)), load_world("crafter")
    assert world.neighbour == crafter.neighbour and world.rename == crafter.rename
