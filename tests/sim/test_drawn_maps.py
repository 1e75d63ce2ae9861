"""Episodes on drawn maps, and on generated maps with scattered materials."""

from __future__ import annotations

import pickle
from itertools import pairwise
from typing import Any

import gymnasium
import numpy as np
import pytest

import mars_logic
from mars_logic.data.recorder import Recorder
from mars_logic.envs.vector import WorldVectorEnv
from mars_logic.plan.observed_map import MapTracker
from mars_logic.sim import Scene, Simulator, generate_map
from mars_logic.sim.codes import NONE, OBJECTS
from mars_logic.sim.stream import uniform
from mars_logic.theory.evidence import Evidence
from mars_logic.theory.signatures import Start
from mars_logic.world import names
from mars_logic.world.load import parse_theory
from mars_logic.world.maps import Drawn, DrawnMap, WorldMap
from mars_logic.world.theory import World
from tests.paths import REPOSITORY

DEFAULT = mars_logic.load_world("default")
ISLAND = """\
~~~~~~~~~~
~:p..TT.:~
~:.@.C..~~
~:.##cZ.:~
~..#di_S:~
~~~~~~~~~~
"""
GALLERY = REPOSITORY / "worlds" / "gallery"
LEFT, RIGHT, UP, DOWN = 1, 2, 3, 4


def drawn(*texts: str, length: int = 300) -> World:
    blocks = "".join(
        "    - |\n" + "".join(f"      {row}\n" for row in text.splitlines()) for text in texts
    )
    world = parse_theory(f"base: default\nlength: {length}\nmap:\n  drawn:\n{blocks}", "own.yaml")
    assert isinstance(world, World)
    return world


def scattered(**shares: tuple[str, float]) -> World:
    rows = ", ".join(f"{m}: {{in: {within}, share: {p}}}" for m, (within, p) in shares.items())
    world = parse_theory(f"base: default\nmap: {{scatter: {{{rows}}}}}\n", "own.yaml")
    assert isinstance(world, World)
    return world


def any_drawing(seed: int, width: int, height: int) -> DrawnMap:
    """A drawing with every material, creatures, and a start anywhere."""
    random = np.random.default_rng(seed)
    beings = (None, None, None, *DEFAULT.vocabulary.subjects["creature"])
    rows = [
        [
            Drawn(str(random.choice(names.MATERIALS[1:])), beings[random.integers(len(beings))])
            for _ in range(width)
        ]
        for _ in range(height)
    ]
    x, y = int(random.integers(width)), int(random.integers(height))
    rows[y][x] = Drawn("grass", player=True)
    return DrawnMap(tuple(map(tuple, rows)))


@pytest.mark.parametrize(("seed", "width", "height"), [(0, 3, 3), (1, 64, 64), (2, 20, 50)])
def test_an_episode_begins_as_drawn(seed: int, width: int, height: int) -> None:
    drawing = any_drawing(seed, width, height)
    world = World.from_rules("mars", DEFAULT.rules(), map=WorldMap(drawings=(drawing,)))
    found = generate_map(world, seed=5, episode=3)
    assert found.start == drawing.start
    expected = np.zeros((64, 64), np.uint8)
    creatures = []
    for x, y, cell in drawing.cells():
        expected[x, y] = names.MATERIALS.index(cell.material)
        if cell.creature:
            creatures.append((cell.creature, x, y))
    assert (found.materials == expected).all()
    assert found.creatures == tuple(creatures)


def test_derived_fields_are_those_of_the_map() -> None:
    simulator = Simulator(drawn(ISLAND))
    simulator.reset(0)
    env = simulator.snapshot().envs[0]
    again = Scene(simulator.snapshot()).fill("water", 0, 0).fill("water", 1, 0)._derive()
    for field in ("grass", "path", "things"):
        assert (again.snapshot().envs[0]["chunks"][field] == env["chunks"][field]).all()
    assert env["num_things"] == 4 and env["stream"]["words"][0] != 0


def test_all_ways_of_beginning_give_the_same_episodes() -> None:
    world = drawn(ISLAND, "TTTT\nT@CT\nTTTT\n", length=20)
    actions = np.random.default_rng(3).integers(0, 17, (60, 4))
    plain = Simulator(world, 4)
    others = [Simulator(world, 4, threads=2), Simulator(world, 4, reset_pool=3)]
    plain.reset(0)
    others.append(pickle.loads(pickle.dumps(plain)))
    for other in others:
        other.reset(0)
    for action in actions:
        expected = plain.step(action)
        plain.next_episode()
        for other in others:
            assert (other.step(action).reward == expected.reward).all()
            other.next_episode()
            assert (other.semantic() == plain.semantic()).all()
    assert (plain.episodes > 2).all()


def test_seeds_choose_among_drawings_and_decide_what_creatures_do() -> None:
    world = drawn(ISLAND, "TTTTT\nT@.CT\nT...T\nTTTTT\n")
    simulator = Simulator(world, 5)
    simulator.reset([0, 1, 2, 3, -1])
    maps = simulator.semantic()
    assert (maps[0] == maps[2]).all() and (maps[1] == maps[3]).all() and (maps[1] == maps[4]).all()
    assert (maps[0] != maps[1]).any()
    for _ in range(30):
        simulator.step([0] * 5)
    assert (simulator.semantic()[1] != simulator.semantic()[3]).any()


@pytest.mark.parametrize("start", [(0, 0), (63, 63), (0, 63)])
def test_nobody_leaves_a_drawing(start: tuple[int, int]) -> None:
    rows = [[Drawn("sand")] * 64 for _ in range(64)]
    rows[start[1]][start[0]] = Drawn("sand", player=True)
    full = DrawnMap(tuple(map(tuple, rows)))
    for drawing in (full, drawn("...\n.@.\n...\n").map.drawings[0]):
        world = World.from_rules("mars", DEFAULT.rules(), map=WorldMap(drawings=(drawing,)))
        simulator = Simulator(world, 4)
        simulator.reset(0)
        inside = {(x, y) for x, y, _ in drawing.cells()}
        for _ in range(70):
            simulator.step([LEFT, RIGHT, UP, DOWN])
            assert {(int(x), int(y)) for x, y in simulator.positions} <= inside


def test_a_drawing_may_hold_more_creatures_than_records_usually_have_room_for() -> None:
    herd = "\n".join(["C" * 64] * 20 + ["C" * 30 + "@" + "C" * 33])
    simulator = Simulator(drawn(herd), 2)
    simulator.reset(0)
    assert len(simulator.state().objects) == 64 * 21 - 1
    for action in (LEFT, DOWN, 5, 5, 5):
        simulator.step([action, action])
    assert len(simulator.state(1).objects) >= 64 * 21 - 2


def test_materials_are_scattered_by_draws_after_those_of_the_generator() -> None:
    shares: dict[str, tuple[str, float]] = {
        "diamond": ("grass", 0.1),
        "lava": ("diamond", 0.5),
        "coal": ("water", 1.0),
    }
    world = scattered(**shares)
    for seed in (0, 7):
        simulator, usual = Simulator(world), Simulator(DEFAULT)
        simulator.reset(seed)
        usual.reset(seed)
        env: Any = usual.snapshot().envs.copy()[0]
        expected, taken = usual.state().materials.copy(), usual.semantic()[0] > 12
        stream = np.array([env["stream"]])[0]
        for material, (within, share) in shares.items():
            for x, y in np.argwhere((expected == names.MATERIALS.index(within)) & ~taken):
                if uniform(stream) < share:
                    expected[x, y] = names.MATERIALS.index(material)
        assert (simulator.state().materials == expected).all()
        assert (simulator.state().objects == usual.state().objects).all()
        after = simulator.snapshot().envs[0]["stream"]
        assert (after["words"] == stream["words"]).all()
        assert after["position"] == stream["position"]


def test_scattering_leaves_the_player_and_creatures_where_they_are() -> None:
    world = scattered(water=("grass", 1.0))
    simulator = Simulator(world, 8)
    simulator.reset(0)
    for env in range(8):
        state = simulator.state(env)
        grass = np.argwhere(state.materials == names.MATERIALS.index("grass"))
        stood_on = {(state.x, state.y), *((int(o["x"]), int(o["y"])) for o in state.objects)}
        assert {(int(x), int(y)) for x, y in grass} <= stood_on


def test_environments_play_on_drawn_maps() -> None:
    world = drawn(ISLAND, length=6)
    env = gymnasium.make("mars_logic/World-v0", world=world, observation="symbolic")
    env.reset(seed=1)
    ended = [env.step(0)[3] for _ in range(6)]
    assert ended == [False] * 5 + [True]
    vector = WorldVectorEnv(world, 2, observation="symbolic")
    vector.reset(seed=1)
    assert [vector.step(np.zeros(2, np.int64))[3].all() for _ in range(6)] == ended


def test_observations_alone_tell_where_the_player_is_on_a_drawn_map() -> None:
    rows = [[".", "T", "~"][i] for i in np.random.default_rng(1).integers(0, 3, 64 * 60)]
    text = "\n".join("".join(rows[y * 64 : y * 64 + 64]) for y in range(60))
    world = drawn("@" + text[1:])
    simulator = Simulator(world)
    simulator.reset(0)
    tracker = MapTracker(simulator.observe(), world.map.start(0))
    for action in np.random.default_rng(2).choice([LEFT, RIGHT, UP, DOWN], 200).tolist():
        simulator.step(action)
        tracker.note(action, (), simulator.observe())
        assert tracker.seen.position == tuple(simulator.positions[0].tolist())


def test_play_on_drawn_maps_is_no_evidence_of_how_maps_are_generated() -> None:
    for world, found in ((DEFAULT, True), (drawn(ISLAND), False)):
        simulator = Simulator(world)
        simulator.reset(0)
        recorder = Recorder(world, 0, agent="random")
        recorder.begin(simulator.observe())
        for action in (RIGHT, 5, DOWN, 5):
            reward, done = simulator.step(action)
            recorder.note(action, float(reward[0]), (), bool(done[0]), simulator.observe())
        trajectory = recorder.trajectory()
        assert trajectory.about.own_map is not found
        evidence = Evidence.of([trajectory])
        kinds = {type(signature) for signature in evidence.signatures}
        assert (Start in kinds) is found and len(kinds) > found


def test_creatures_of_drawings_have_a_code() -> None:
    codes = [OBJECTS.index(kind) for kind in DEFAULT.vocabulary.subjects["creature"]]
    assert NONE not in codes and all(one != other for one, other in pairwise(sorted(codes)))


def test_added_materials_lie_where_they_are_drawn_or_scattered() -> None:
    island = mars_logic.load_world(GALLERY / "island.yaml")
    found, words = generate_map(island, 0), island.vocabulary
    (cross,) = np.argwhere(found.materials == words.materials.index("cross")).tolist()
    drawing = island.map.drawings[0]
    assert [*cross] == [*next((x, y) for x, y, c in drawing.cells() if c.material == "cross")]
    copper = mars_logic.load_world(GALLERY / "copper.yaml")
    usual, own = generate_map(DEFAULT, 3), generate_map(copper, 3)
    changed = usual.materials != own.materials
    assert (own.materials[changed] == copper.vocabulary.materials.index("copper")).all()
    assert (usual.materials[changed] == names.MATERIALS.index("stone")).all()
    stones = int((usual.materials == names.MATERIALS.index("stone")).sum())
    assert abs(int(changed.sum()) - 0.02 * stones) < 4 * (0.02 * stones) ** 0.5
    assert own.creatures == usual.creatures


def test_the_treasure_of_the_island_is_dug_up() -> None:
    world = mars_logic.load_world(GALLERY / "island.yaml")
    actions, simulator = world.vocabulary.actions, Simulator(world)
    simulator.reset(0)
    cells = world.map.drawings[0].cells()
    x, y = next((x, y) for x, y, cell in cells if cell.material == "cross")
    scene = Scene(simulator.snapshot(), words=world.vocabulary)
    scene.player(at=(x - 1, y), facing=(1, 0), inventory={"wood": 1, "stone": 1})
    simulator.restore(scene.fill("table", x - 1, y + 1).snapshot())
    for action in ("make_spade", "do"):
        simulator.step(actions.index(action))
    assert simulator.unlocked[0, world.achievements.index("collect_treasure")]
