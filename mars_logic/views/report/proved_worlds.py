"""What is proved about the worlds of a report: tech trees, and a verdict for each achievement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup

from mars_logic.errors import InputError
from mars_logic.experiments.proving import prove
from mars_logic.logic.proof import Proof, counted, verdict_words
from mars_logic.views.report.contents import share
from mars_logic.views.report.replays import Replay
from mars_logic.views.report.report_data import Material
from mars_logic.views.report.tech_tree import tech_tree
from mars_logic.views.report.tech_tree_svg import NodeStyle, draw
from mars_logic.world.load import load_world_beside
from mars_logic.world.problems import WorldError
from mars_logic.world.theory import World

_LOOK: Final = NodeStyle(
    ink="var(--ink)",
    soft="var(--soft)",
    paper="var(--card)",
    witness="var(--tree-witness)",
    reachable="var(--tree-reachable)",
    doubt="var(--tree-doubt)",
    hatch="var(--tree-hatch)",
)


@dataclass(frozen=True)
class ProvedAchievement:
    """What is proved about an achievement.

    Attributes:
        name: The achievement.
        verdict: ``reachable``, ``unreachable``, ``depends`` or ``unknown``.
        words: The verdict with its certainty and the length of its witness.
        witness: How it is reached, step by step.
        sentences: Why it is unreachable, or what it depends on.
    """

    name: str
    verdict: str
    words: str
    witness: tuple[str, ...]
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class ProvedWorld:
    """A world as a page shows what is proved about it.

    Attributes:
        name: Its name.
        agents: The agents whose unlocked achievements the tree can show.
        tree: The tech tree.
        about: How many achievements are reachable, in words.
        proved: The verdicts, unreachable achievements first.
    """

    name: str
    agents: tuple[str, ...]
    tree: Markup
    about: str
    proved: tuple[ProvedAchievement, ...]


def trees(
    material: Material, shown: Sequence[Replay], begin: Callable[[str, int], Callable[[], None]]
) -> dict[str, Any]:
    """The tech tree and the proof of each world, with what each agent unlocked there."""
    worlds = _worlds(material, shown)
    done = begin("proving worlds", len(worlds))
    found = []
    for number, (name, world) in enumerate(worlds.items()):
        unlocked = {
            agent: {goal: share(rows, goal) for goal in world.achievements}
            for agent in material.agents
            if (rows := material.of(agent, name))
        }
        unlocked = dict(sorted(unlocked.items(), key=lambda each: -sum(each[1].values())))
        proof = prove(world)
        tree = replace(tech_tree(world, proof), title=name)
        svg = Markup(draw(tree, _LOOK, f"-{number}", unlocked))
        found.append(ProvedWorld(name, tuple(unlocked), svg, _about(world, proof), _proved(proof)))
        done()
    return {"trees": found}


def _worlds(material: Material, shown: Sequence[Replay]) -> dict[str, World]:
    """The worlds by their names.

    Raises:
        InputError: One is missing, or is another version now.
    """
    known = {replay.kept.row.world_name: replay.world for replay in shown}
    for row in material.rows:
        if row.world_name in known:
            continue
        place: Path = material.place
        try:
            world = load_world_beside(row.world, place)
        except WorldError as error:
            raise InputError(f"{place}:1: world: {error}") from None
        if world.digest != row.world_digest:
            raise InputError(
                f"{place}:1: world_digest: {row.world} is not the version that was played; "
                f"allowed: {row.world_digest}"
            )
        known[row.world_name] = world
    return {name: known[name] for name in material.worlds} | dict(material.own)


def _about(world: World, proof: Proof) -> str:
    place = "on the map that its file draws" if world.map.is_drawn else "on all ordinary maps"
    return f"{counted(proof)} achievements reachable, {place}"


def _proved(proof: Proof) -> tuple[ProvedAchievement, ...]:
    rows = [
        ProvedAchievement(
            name.replace("_", " "),
            each.verdict,
            verdict_words(each),
            tuple(
                (f"{step.times} × " if step.times > 1 else "") + step.rule for step in each.witness
            ),
            tuple(each.words),
        )
        for name, each in proof.achievements.items()
    ]
    return tuple(sorted(rows, key=lambda row: row.verdict == "reachable"))
