"""What follows from a world, each as a job of a worker: its map, proofs, tech tree and film."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from mars_logic.errors import InputError
from mars_logic.workbench.edits import with_rules
from mars_logic.workbench.reading import TextReading, read, world_of
from mars_logic.workbench.worker import Begin

_MAP_PIXELS: Final = 640
_MOST_REPAIRS: Final = 3
"""Repairs that are offered for an achievement, at most."""


@dataclass(frozen=True)
class RepairOffer:
    """A repair that a button makes.

    Attributes:
        words: What it changes, and how certain the achievement is then.
        text: The text after it; empty where the file has no place for it.
    """

    words: str
    text: str


@dataclass(frozen=True)
class ProofRow:
    """What is proved about an achievement.

    Attributes:
        achievement: Its name.
        verdict: ``reachable``, ``unreachable``, ``depends`` or ``unknown``.
        words: The verdict in words.
        sentences: Why it is unreachable, from the achievement to what fails.
        repairs: What would mend it.
    """

    achievement: str
    verdict: str
    words: str
    sentences: tuple[str, ...] = ()
    repairs: tuple[RepairOffer, ...] = ()


@dataclass(frozen=True)
class Proofs:
    """What is proved about a world.

    Attributes:
        about: How many achievements are reachable, and on which maps.
        rows: The achievements, in order.
        tree: The tech tree with these verdicts, as SVG.
    """

    about: str
    rows: tuple[ProofRow, ...]
    tree: str


_EXAMPLE: Final = "name: example\nbase: default\n"


def load_reading() -> None:
    """Load what reading a text takes."""
    read(_EXAMPLE, Path("example.yaml"))


def load_pictures() -> None:
    """Load what pictures and play take: the compiled simulator, and the sprites."""
    map_picture(lambda _what, _parts: lambda: None, _EXAMPLE, Path("example.yaml"), 0)


def load_logic() -> None:
    """Load what proofs and films take."""
    for name in ("logic", "views.report.tech_tree_svg", "workbench.shared"):
        importlib.import_module(f"mars_logic.{name}")


def reading(_: Begin, text: str, path: Path) -> TextReading:
    """What the text says; see :func:`mars_logic.workbench.reading.read`."""
    return read(text, path)


def map_picture(_: Begin, text: str, path: Path, seed: int) -> str:
    """The map of a seed with a legend, as a PNG in a ``data:`` URL.

    Raises:
        InputError: The text is no world.
    """
    from mars_logic.sim import Simulator
    from mars_logic.views.report.templates import as_url
    from mars_logic.views.whole_map import cropped, draw, with_legend

    world = world_of(text, path)
    simulator = Simulator(world)
    simulator.reset(seed)
    state = simulator.state()
    state = cropped(state) if world.map.is_drawn else state
    words = world.vocabulary
    picture = draw(state, max(1, _MAP_PIXELS // len(state.materials)), words.ripe_age, words)
    return as_url(with_legend(picture, state, words))


def proofs(begin: Begin, text: str, path: Path, seed: int | None) -> Proofs:
    """A verdict for each achievement, and the tech tree.

    Args:
        begin: Told how far it is.
        text: The text of a world.
        path: Its file.
        seed: The seed of the map that it is about; None for all ordinary maps.

    Raises:
        InputError: The text is no world.
    """
    from mars_logic.experiments.proving import prove
    from mars_logic.logic.proof import counted, verdict_words
    from mars_logic.views.report.tech_tree import tech_tree
    from mars_logic.views.report.tech_tree_svg import draw

    world = world_of(text, path)
    proof = prove(world, seed, judged=begin("proving", len(world.achievements)))
    rows = tuple(
        ProofRow(name, each.verdict, verdict_words(each), tuple(each.words))
        for name, each in proof.achievements.items()
    )
    place = "on all ordinary maps" if proof.map_seed is None else f"on map {proof.map_seed}"
    about = f"{counted(proof)} achievements reachable {place}"
    return Proofs(about, rows, draw(tech_tree(world, proof)))


def explained(begin: Begin, text: str, path: Path, row: ProofRow, seed: int | None) -> ProofRow:
    """What is proved about an unreachable achievement, with its explanation and repairs.

    Args:
        begin: Told how far it is.
        text: The text of a world.
        path: Its file.
        row: What is proved.
        seed: The seed of the map that it is about; None for all ordinary maps, or for the first
            drawing.
    """
    from mars_logic.experiments.proving import explain
    from mars_logic.world.words.kinds import spaced

    begin(f"explaining {spaced(row.achievement)}", 1)
    world = world_of(text, path)
    seed = 0 if seed is None and world.map.is_drawn else seed
    found = explain(world, row.achievement, seed, _MOST_REPAIRS)
    if found is None:
        return row
    offers = []
    for repair in filter(None, found.repairs):
        sure = (repair.certainty or "").replace("_", " ")
        then = f"reachable, {sure}" if sure else "unknown"
        try:
            after = with_rules(text, path, repair.rules)
        except InputError:
            after = ""
        offers.append(RepairOffer(f"{repair.words} (then {then})", after))
    return replace(row, sentences=found.chain, repairs=tuple(offers))


def pytest_of(begin: Begin, text: str, path: Path) -> str:
    """A test for pytest that proves what holds now.

    Raises:
        InputError: The text is no world.
    """
    from mars_logic.experiments.proving import prove

    world = world_of(text, path)
    proof = prove(world, judged=begin("proving", len(world.achievements)))
    verdicts = {name: each.verdict for name, each in proof.achievements.items()}
    lines = "\n".join(f'    "{name}": "{verdict}",' for name, verdict in verdicts.items())
    return _TEST.format(file=path.name, lines=lines)


_TEST: Final = """\
from pathlib import Path

import mars_logic
from mars_logic.experiments.proving import prove

WORLD = Path(__file__).with_name({file!r})
VERDICTS = {{
{lines}
}}


def test_what_can_be_reached() -> None:
    proof = prove(mars_logic.load_world(WORLD))
    assert {{name: each.verdict for name, each in proof.achievements.items()}} == VERDICTS
"""
