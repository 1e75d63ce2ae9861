"""The numbers of the games stand in one place: everything takes them from there."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mars_logic import load_world
from mars_logic.errors import InputError
from mars_logic.sim.simulator import Simulator
from mars_logic.system.resources import folder
from mars_logic.world import dialect, names, rule_set
from mars_logic.world.dialect import SWORD_DAMAGE
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.vocabulary import make_vocabulary, vocabulary
from tests.paths import REPOSITORY

HALVED = """
import pathlib, sys
from mars_logic.system import resources
kept = resources.folder
resources.folder = lambda name: pathlib.Path(sys.argv[1]) if name == "worlds" else kept(name)
from mars_logic import load_world
from mars_logic.logic.facts import facts
from mars_logic.plan.world_model import WorldModel
from mars_logic.sim.tables import compile_rules
from mars_logic.theory.evidence import needs
from mars_logic.world.words.manual import manual
for name in ("default", "crafter"):
    world = load_world(name)
    print(compile_rules(world)[0]["hungry_above"].item(), WorldModel(world).lasts["food"])
    print([line for line in facts(world).splitlines() if "food" in line and "hunger" in line])
    print([line for line in facts(world).splitlines() if line.startswith("spell(food")])
    print("(1 food less every 13 steps)" in " ".join(manual(world).split()))
print(needs._HUNGRY_AFTER)
"""


@pytest.mark.slow
def test_a_changed_interval_changes_everything(tmp_path: Path) -> None:
    """Simulator, planner, facts, manual and the reader of evidence take it from the one file."""
    worlds = tmp_path / "worlds"
    shutil.copytree(folder("worlds"), worlds)
    path = worlds / "dialects" / "crafter.yaml"
    text = path.read_text(encoding="utf-8")
    assert "food: {every: 26," in text
    path.write_text(text.replace("food: {every: 26,", "food: {every: 13,"), encoding="utf-8")
    command = [sys.executable, "-c", HALVED, str(worlds)]
    told = subprocess.run(
        command, capture_output=True, encoding="utf-8", check=True, cwd=REPOSITORY
    )
    own = ["12.0 13", "['above(hunger, 24, food, -1).']", "['spell(food, 13, 25).']", "True"]
    assert told.stdout.splitlines() == [*own, *own, "24"]


def test_the_simulator_takes_needs_from_the_dialect(monkeypatch: pytest.MonkeyPatch) -> None:
    crafter = vocabulary("crafter")
    food = FrozenMap({**crafter.need["food"], "every": 13})
    halved = replace(crafter, need=FrozenMap({**crafter.need, "food": food}))
    left = {}
    for name, words in (("as it is", crafter), ("halved", halved)):
        monkeypatch.setattr(rule_set, "vocabulary_with", lambda *_, words=words: words)
        simulator = Simulator(load_world("crafter"))
        simulator.reset(seed=1)
        for _ in range(13):
            simulator.step(0)
        left[name] = simulator.observe().inventory[0, names.ITEMS.index("food")].item()
    assert left == {"as it is": 9, "halved": 8}


@pytest.mark.parametrize("name", ["decline", "daylight", "spawning", "pause"])
def test_no_dialect_changes_what_kernels_freeze(name: str) -> None:
    stated = {"base": "crafter", "name": "own", name: {}}
    with pytest.raises(InputError, match=f"own.yaml:1: {name}: kernels know the base's alone"):
        make_vocabulary(stated, "own.yaml")


# --- No other copies ------------------------------------------------------------------------------

_COUNTERS = {"hunger", "thirst", "fatigue", "recover", "recovery"}
_TELLING = {
    **dict.fromkeys(("MOST", "MAXIMUM", "FULL"), dialect.MAXIMUM),
    **dict.fromkeys(("DAY", "PERIOD"), dialect.DAY),
    **dict.fromkeys(("BALANCE_PERIOD", "PERIOD"), dialect.BALANCE_PERIOD),
    "AREA": dialect.AREA,
    "CHUNK": dialect.CHUNK,
}
"""Names under which such numbers stood once, and the numbers."""
_SOURCES = [
    path
    for folder in ("mars_logic", "agents")
    for path in sorted((REPOSITORY / folder).rglob("*.py"))
    if path != Path(dialect.__file__)
]


def copies(source: str) -> Iterator[str]:
    """Places where source text states a number that the description has."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Compare(left=ast.Attribute(attr=name), comparators=[right]):
                if name in _COUNTERS and _is_number(right):
                    yield f"{node.lineno}: a limit of {name}"
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=number))
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=number))
            ):
                if number is not None and _TELLING.get(name.strip("_")) == number:
                    yield f"{node.lineno}: {name}"
            case ast.Dict(keys=keys, values=values):
                told = {k.value for k in keys if isinstance(k, ast.Constant)}
                numbers = all(map(_is_number, values))
                of_the_game = (set(SWORD_DAMAGE), set(names.CREATURES), set(names.DYNAMICS))
                if numbers and any(each <= told for each in of_the_game):
                    yield f"{node.lineno}: numbers for {sorted(told)}"
            case ast.Tuple(elts=[ast.Constant(value=str(sword)), number]):
                if sword in SWORD_DAMAGE and _is_number(number):
                    yield f"{node.lineno}: the damage of {sword}"


def _is_number(node: ast.expr | None) -> bool:
    match node:
        case ast.UnaryOp(operand=inner):
            return _is_number(inner)
        case ast.Constant(value=value):
            return isinstance(value, int | float) and not isinstance(value, bool)
    return False


@pytest.mark.slow
def test_no_other_module_states_such_a_number() -> None:
    found = {
        str(path.relative_to(REPOSITORY)): [*copies(path.read_text(encoding="utf-8"))]
        for path in _SOURCES
    }
    assert {name: places for name, places in found.items() if places} == {}


@pytest.mark.parametrize(
    "copy",
    [
        "if player.hunger > 25: pass",
        "_RIPE_AGE = {'crafter': 300, 'mars': 30}",
        "MOST: Final = 9",
        "SWORDS = (('iron_sword', 5), ('wood_sword', 2))",
        "HEALTH = {'cow': 3, 'zombie': 5, 'skeleton': 3}",
    ],
)
def test_a_copy_would_be_found(copy: str) -> None:
    assert [*copies(copy)]
