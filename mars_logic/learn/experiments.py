"""What to try where the belief has nothing to offer: deeds whose outcome nothing seen foretells."""

from __future__ import annotations

from collections.abc import Iterator

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


class Experiments:
    """Which settings were tried to no effect, and which deeds are known to work."""

    def __init__(self) -> None:
        self._failed: dict[tuple[str, str], dict[tuple[int, ...], None]] = {}
        self._works: set[tuple[str, str]] = set()

    def learn(self, evidence: Evidence) -> None:
        """Note what was tried of late."""
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
            self._failed.setdefault((rule, where), {})[held] = None
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

    def open(self, here: Situation) -> Iterator[Task]:
        """What can be tried, and would tell something."""
        held = tuple(here.held.get(item, 0) for item in names.HOLDABLE)
        for material in names.COLLECTABLE:
            if not self.known("collect", material, held):
                yield Task(f"collect.{material}", DO, here.of_material(material))
        yield from self._stepping(here)
        if any(held):
            for thing in names.PLACEABLE:
                yield from self._placing(here, thing, held)
            for tool in names.TOOLS:
                yield from self._making(here, tool, held)

    def _placing(self, here: Situation, thing: str, held: tuple[int, ...]) -> Iterator[Task]:
        rule = f"place.{thing}"
        if self._ever_worked(rule):
            return
        for material in names.NATURAL:
            if not self.known(rule, material, held):
                yield Task(rule, ACTION[f"place_{thing}"], here.of_material(material))

    def _ever_worked(self, rule: str) -> bool:
        return any(known == rule for known, _ in self._works)

    def _stepping(self, here: Situation) -> Iterator[Task]:
        """Moves onto what nobody stepped on yet; what is believed to kill is left alone."""
        dx, dy = here.seen.facing
        ahead = ACTION[_MOVES[dx, dy]]
        for material in names.NATURAL:
            code = names.MATERIALS.index(material)
            if not here.lore.deadly[code] and not self.known("walk", material, ()):
                # To face it is to move towards it; who faces it already moves on.
                yield Task(f"walk.{material}", ahead, here.of_material(material))

    def _making(self, here: Situation, tool: str, held: tuple[int, ...]) -> Iterator[Task]:
        rule = f"make.{tool}"
        if self._ever_worked(rule):
            return
        position = here.seen.position
        stations = [m for m in ("table", "furnace") if here.near(m)[position]]
        if not self.known(rule, "+".join(stations), held):
            yield Task(rule, ACTION[f"make_{tool}"])

    def nearest(self, here: Situation) -> tuple[Task, int] | None:
        """The cheapest experiment, and the action to take now."""
        ways = [(task, *task.price(here)) for task in self.open(here)]
        near = [way for way in ways if way[1] < min(FAR, _FAR_ENOUGH)]
        if not near:
            return None
        task, _, action = min(near, key=lambda way: (way[1], way[0].name))
        return task, action
