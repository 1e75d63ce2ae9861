"""What to try where the belief has nothing to offer: deeds whose outcome nothing seen foretells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mars_logic.plan.ground import Situation
from mars_logic.plan.lore import ACTION, DO
from mars_logic.plan.route import FAR
from mars_logic.plan.tasks import Task
from mars_logic.theory import Evidence
from mars_logic.theory.demands import idle
from mars_logic.theory.signatures import Collecting, Making, Passage, Placing
from mars_logic.world import names

_ENOUGH = 4
"""More of an item than so many is hardly ever needed."""
_FAR_ENOUGH = 60 * 4
_MOVES = {(-1, 0): "move_left", (1, 0): "move_right", (0, -1): "move_up", (0, 1): "move_down"}


@dataclass(frozen=True)
class Experiment:
    """Something to try.

    Attributes:
        rule: The rule that it is about.
        task: What to do where.
    """

    rule: str
    task: Task


class Experiments:
    """Which settings were tried to no effect, and which deeds are known to work."""

    def __init__(self) -> None:
        self._failed: dict[tuple[str, str], list[tuple[int, ...]]] = {}
        self._works: set[tuple[str, str]] = set()

    def learn(self, evidence: Evidence) -> None:
        """Note what was tried."""
        self._failed, self._works = {}, set()
        for signature in evidence.signatures:
            match signature:
                case Collecting(material=material, held=held):
                    self._note("collect", material, held, idle(signature))
                case Placing(thing=thing, material=material, held=held, held_after=after):
                    key = f"place.{thing}"
                    self._note(key, material, held, held == after and not signature.planted)
                case Passage(material=material, moved=moved):
                    self._note("walk", material, (), not moved)
                case Making(tool=tool, nearby=nearby, held=held, held_after=after):
                    stations = [m for m in nearby if m in ("table", "furnace")]
                    self._note(f"make.{tool}", "+".join(stations), held, held == after)

    def _note(self, rule: str, where: str, held: tuple[int, ...], failed: bool) -> None:
        if failed:
            self._failed.setdefault((rule, where), []).append(held)
        else:
            self._works.add((rule, where))

    def known(self, rule: str, where: str, held: tuple[int, ...]) -> bool:
        """Whether it works here, or was tried in vain with as much as this."""
        if (rule, where) in self._works:
            return True
        few = tuple(min(_ENOUGH, n) for n in held)
        return any(
            all(had >= has for had, has in zip(tried, few, strict=True))
            for tried in self._failed.get((rule, where), ())
        )

    def open(self, here: Situation) -> Iterator[Experiment]:
        """What can be tried, and would tell something."""
        held = tuple(here.held.get(item, 0) for item in names.HOLDABLE)
        for material in names.COLLECTABLE:
            if not self.known("collect", material, held):
                rule = f"collect.{material}"
                yield Experiment(rule, Task(rule, DO, here.of_material(material)))
        yield from self._stepping(here)
        if any(held):
            for thing in names.PLACEABLE:
                for material in names.NATURAL:
                    done = any(rule == f"place.{thing}" for rule, _ in self._works)
                    if not done and not self.known(f"place.{thing}", material, held):
                        task = Task(
                            f"place.{thing}",
                            ACTION[f"place_{thing}"],
                            here.of_material(material),
                        )
                        yield Experiment(f"place.{thing}", task)
            for tool in names.TOOLS:
                yield from self._making(here, tool, held)

    def _stepping(self, here: Situation) -> Iterator[Experiment]:
        """Moves onto what nobody stepped on yet; what is believed to kill is left alone."""
        dx, dy = here.seen.facing
        ahead = ACTION[_MOVES[dx, dy]]
        for material in names.NATURAL:
            code = names.MATERIALS.index(material)
            if not here.lore.deadly[code] and not self.known("walk", material, ()):
                # To face it is to move towards it; who faces it already moves on.
                task = Task(f"walk.{material}", ahead, here.of_material(material))
                yield Experiment(f"walk.{material}", task)

    def _making(self, here: Situation, tool: str, held: tuple[int, ...]) -> Iterator[Experiment]:
        rule = f"make.{tool}"
        if any(known == rule for known, _ in self._works):
            return
        position = here.seen.position
        stations = [m for m in ("table", "furnace") if here.near(m)[position]]
        if not self.known(rule, "+".join(stations), held):
            yield Experiment(rule, Task(rule, ACTION[f"make_{tool}"]))

    def nearest(self, here: Situation) -> tuple[Experiment, int] | None:
        """The cheapest experiment, and the action to take now."""
        best: tuple[int, str, Experiment, int] | None = None
        for experiment in self.open(here):
            cost, action = experiment.task.price(here)
            if cost < min(FAR, _FAR_ENOUGH) and (
                best is None or (cost, experiment.rule) < best[:2]
            ):
                best = (cost, experiment.rule, experiment, action)
        return None if best is None else (best[2], best[3])
