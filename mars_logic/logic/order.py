"""Search for an order of a plan's interactions in which every precondition holds.

The counts of a plan come from ``encodings/plan/witness.lp``, without an order. Here the plan is
executed in an abstract state: the inventory (up to the cap), the materials within reach and the
placed objects. A depth-first search finds an order or proves that none exists.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from operator import ge, gt, sub

from mars_logic.logic.ground import AWAY, GLANCE, Ground, Reach
from mars_logic.logic.rule_atoms import CAP
from mars_logic.logic.solve import LimitReachedError

MOST_STATES = 20_000
"""States after which the search for an order gives up."""

AMPLE = 20
"""Number of ground cells above which the loss of one is assumed to disconnect nothing."""

Action = tuple[str, str]
"""The term of a rule, and the outcome counted on: ``plain``, an item or a creature."""

Counts = Mapping[Action, int]
Left = tuple[int, ...]
"""Remaining number of applications of each action."""

Held = tuple[int, ...]
"""Amount held of each item that the plan needs."""


@dataclass(frozen=True)
class Stage:
    """A part of a play.

    Attributes:
        number: Its place among the stages of the ground.
        begun: Remaining number of applications of each action when the stage began.
        sealed: Whether the cell ahead of the start became impassable.
    """

    number: int
    begun: Left
    sealed: bool = False


@dataclass(frozen=True)
class Spot:
    """The player's abstract position.

    Attributes:
        stage: The stage of the play.
        fresh: The material that the last interaction left ahead of the player, if relevant.
        cut: The material of a removed cell that may have been on every path.
    """

    stage: Stage
    fresh: str | None = None
    cut: str | None = None


@dataclass(frozen=True)
class Now:
    """The part of the abstract state on which an interaction's applicability depends.

    Attributes:
        reach: Zones and cells within reach.
        done: Number of applications of each action in this stage, by its index.
        spot: The player's abstract position.
        applied: The same as done since the beginning.
    """

    reach: Reach
    done: Left
    spot: Spot
    applied: Left


class Order:
    """The search for an order of one plan.

    Attributes:
        nothing: The inventory at the beginning.
        planted: Whether a plant stands at the beginning.
    """

    def __init__(self, ground: Ground, counts: Counts):
        """Prepare the search.

        Args:
            ground: The zones at the plan's level of certainty.
            counts: Number of applications of each action.
        """
        self.ground = ground
        self.actions = sorted(counts)
        self.counts = tuple(counts[action] for action in self.actions)
        relations = ground.relations
        needs = _amounts([*relations["requires"], *relations["uses"]])
        uses = _amounts(relations["uses"])
        brings: defaultdict[Action, Counter[str]] = defaultdict(Counter)
        for rule, outcome, item, amount in relations["brings"]:
            brings[rule, outcome][item] += int(amount)
        items = sorted({item for action in self.actions for item in needs[action[0]]})

        def columns(amounts: Mapping[str, int]) -> Held:
            return tuple(amounts.get(item, 0) for item in items)

        self.needs = [columns(needs[rule]) for rule, _ in self.actions]
        self._costs = [any(columns(uses[rule])) for rule, _ in self.actions]
        self._changes = [
            [
                (column, change)
                for column, item in enumerate(items)
                if (change := brings[action][item] - uses[action[0]].get(item, 0))
            ]
            for action in self.actions
        ]
        self.nothing = columns({})
        self.planted = False
        self._parts = [_family_and_subject(rule) for rule, _ in self.actions]
        self.grounds, self.short = self._grounds_of_placing()
        self.spawning = {row[0] for row in relations["spawns"]}
        self._consumed = [self._consumes(*parts) for parts in self._parts]
        self._sealing = [self._seals(*parts) for parts in self._parts]
        self._reached: dict[tuple[tuple[bool, ...], int, bool], Reach] = {}

    def find(self) -> list[Action] | None:
        """A valid order, or None if there is none.

        Raises:
            LimitReachedError: There are too many orders to try.
        """
        failed: set[tuple[Left, Held, Spot]] = set()
        path: list[int] = []

        def search(left: Left, held: Held, spot: Spot) -> bool:
            if not any(left):
                return True
            state = left, held, spot
            if state in failed or not self._suffices(left, held):
                return False
            if len(failed) >= MOST_STATES:
                raise LimitReachedError
            now = self._now(left, spot)
            for index in self._next(left, held, now, path[-1] if path else None):
                path.append(index)
                rest = (*left[:index], left[index] - 1, *left[index + 1 :])
                if search(rest, self._held_after(index, held), self._spot_after(index, now)):
                    return True
                path.pop()
            more = spot.stage.number + 1 < len(self.ground.stages)
            if more and search(left, held, Spot(self._moved_on(left, spot.stage))):
                return True
            failed.add(state)
            return False

        if self._lacks_a_cell():
            return None
        found = search(self.counts, self.nothing, Spot(Stage(0, self.counts)))
        return [self.actions[index] for index in path] if found else None

    def _lacks_a_cell(self) -> bool:
        """Whether, in whatever order, the player never faces a cell that a rule collects from."""
        if len(self.ground.stages) > 1:
            return False
        rules = frozenset(rule for rule, _ in self.actions)
        cells = self.ground.after(rules).cells
        left = {self._left_ahead(index) for index in range(len(self.actions))}
        return any(
            family == "collect"
            and not cells[material]
            and material not in left
            and (material in self.ground.walked_onto or not self.ground.laying[material] & rules)
            for family, material in self._parts
        )

    def _left_ahead(self, index: int) -> str | None:
        """The material that a rule surely leaves ahead of the player."""
        family, subject = self._parts[index]
        if family == "collect" and self.actions[index][0] not in self.spawning:
            return self.ground.leaves.get(subject, subject)
        return self.ground.puts.get(subject, subject) if family == "place" else None

    def _moved_on(self, left: Left, stage: Stage) -> Stage:
        sealed = stage.sealed
        if self.ground.stages[stage.number] == GLANCE:
            done = map(sub, stage.begun, left)
            sealed = any(seals and times for seals, times in zip(self._sealing, done, strict=True))
        return Stage(stage.number + 1, left, sealed)

    def _seals(self, family: str, subject: str) -> bool:
        """Whether the rule leaves an impassable cell ahead of the player."""
        if family == "collect":
            return self.ground.leaves.get(subject, subject) not in self.ground.walkable
        return family == "place"

    def _now(self, left: Left, spot: Spot) -> Now:
        stage = spot.stage
        key = tuple(map(gt, self.counts, left)), stage.number, stage.sealed
        reach = self._reached.get(key)
        if reach is None:
            acted = frozenset(self.actions[index][0] for index, some in enumerate(key[0]) if some)
            closed = frozenset(self.ground.ahead if stage.sealed else ())
            reach = self.ground.after(acted, self.ground.stages[stage.number], closed)
            self._reached[key] = reach
        done, applied = (tuple(map(sub, begun, left)) for begun in (stage.begun, self.counts))
        return Now(reach, done, spot, applied)

    def _spot_after(self, index: int, now: Now) -> Spot:
        spot = now.spot
        cut = spot.cut or self._cuts(index, now)
        fresh = self._left_ahead(index)
        if self._parts[index][0] not in ("collect", "place", "creature"):
            fresh = spot.fresh
        return Spot(spot.stage, fresh if cut or fresh in self.short else None, cut)

    def _cuts(self, index: int, now: Now) -> str | None:
        """The ground of which the rule removes a cell that may lie on a necessary path."""
        if not self._sealing[index] or self.ground.stages[now.spot.stage.number] != AWAY:
            return None
        taken = [material for material in self._consumed[index] if self._finds(material, now)]
        if now.spot.fresh in taken:
            return None
        for material in taken:
            if material not in self.ground.walked_onto:
                return None
            used = self._used(material, now)
            reach = now.reach
            if reach.loose[material] > used or reach.cells[material] - used >= AMPLE:
                return None
        return next(iter(sorted(taken)), None)

    def _grounds_of_placing(self) -> tuple[dict[str, Collection[str]], set[str]]:
        """For each object, the materials to place it on; only one, if that is sufficient.

        A material suffices if more of its cells can be faced from the beginning than the plan takes
        or covers. Insufficient materials are returned as well.
        """
        where = self.ground.where
        placed = [subject for family, subject in self._parts if family == "place"]
        used: Counter[str] = Counter()
        for (family, subject), times in zip(self._parts, self.counts, strict=True):
            taken = where[subject] if family == "place" else {subject}
            used.update(dict.fromkeys(taken, times))
        cells = self.ground.after(frozenset()).cells
        alone = len(self.ground.stages) == 1
        short = {m for m, times in used.items() if not alone or cells[m] < times + AMPLE}
        grounds: dict[str, Collection[str]] = {
            thing: next(((m,) for m in sorted(where[thing] - short)), where[thing])
            for thing in placed
        }
        return grounds, short

    def _suffices(self, left: Left, held: Held) -> bool:
        """Whether the inventory and the remaining yields cover the remaining uses."""
        balance = list(held)
        for times, changes in zip(left, self._changes, strict=True):
            if times:
                for column, change in changes:
                    balance[column] += times * change
        return all(amount >= 0 for amount in balance)

    def _next(self, left: Left, held: Held, now: Now, last: int | None) -> list[int]:
        """Applicable actions: the last one first, then those that use up nothing."""
        able = [
            index
            for index, needs in enumerate(self.needs)
            if left[index] and all(map(ge, held, needs)) and self._applies(index, now)
        ]
        return sorted(able, key=lambda index: (index != last, self._costs[index]))

    def _applies(self, index: int, now: Now) -> bool:
        """Whether the rule is applicable apart from the inventory."""
        family, subject = self._parts[index]
        match family:
            case "collect":
                return self._finds(subject, now)
            case "place":
                return any(self._finds(material, now) for material in self.grounds[subject])
            case "make":
                return self._stands_near(subject, now)
            case "creature":
                return self._meets(subject, now)
        return True

    def _finds(self, material: str, now: Now) -> bool:
        """Whether the player can face a cell of the material.

        Turning toward ground moves the player onto it. Laid ground therefore counts only while the
        player still faces it.
        """
        laid = 0 if material in self.ground.walked_onto else self._laid(material, now)
        return self._is_left(material, laid, now)

    def _is_left(self, material: str, laid: int, now: Now) -> bool:
        """Whether a cell, original or laid, remains neither taken nor covered."""
        if material == now.spot.fresh:
            return True
        if now.spot.cut not in (None, material):
            return False
        return now.reach.cells[material] + laid > self._used(material, now)

    def _laid(self, material: str, now: Now) -> int:
        laying = self.ground.laying[material]
        return sum(
            times
            for (rule, _), times in zip(self.actions, now.done, strict=True)
            if times and rule in laying
        )

    def _used(self, material: str, now: Now) -> int:
        """Upper bound on the cells of the material taken or covered in this stage."""
        return sum(
            times
            for consumed, times in zip(self._consumed, now.done, strict=True)
            if times and material in consumed
        )

    def _consumes(self, family: str, subject: str) -> Collection[str]:
        """The materials of which a rule removes a cell (one of them)."""
        if family == "place":
            return self.grounds[subject]
        if family == "collect" and self.ground.leaves.get(subject, subject) != subject:
            return (subject,)
        return ()

    def _stands_near(self, tool: str, now: Now) -> bool:
        nearby = self.ground.nearby[tool]
        placed = set(self.ground.puts.values()) if len(nearby) > 1 else nearby
        if not all(self._is_left(m, self._laid(m, now) * (m in placed), now) for m in nearby):
            return False
        if len(nearby) <= 1:
            return True
        return now.spot.cut is None and bool(self.ground.spots[tool] & now.reach.zones)

    def _meets(self, being: str, now: Now) -> bool:
        if now.spot.cut is not None:
            return being == now.spot.fresh
        if being == "plant":
            return self.planted or any(
                times and parts == ("place", "plant")
                for parts, times in zip(self._parts, now.done, strict=True)
            )
        living = self.ground.homes[being] & now.reach.zones
        living |= self.ground.nears[being] & now.reach.beside
        if being in self.ground.finite and not self._is_one_left(being, living, now.applied):
            return False
        return bool(living) or self._came_out(being, now.done) > 0

    def _is_one_left(self, being: str, zones: Collection[str], applied: Left) -> bool:
        """Whether fewer were killed than lived in some zones and came out of what was collected."""
        counts = zip(self._parts, applied, strict=True)
        killed = sum(times for parts, times in counts if parts == ("creature", being))
        there = sum(self.ground.flocks[being][zone] for zone in zones)
        return there + self._came_out(being, applied) > killed

    def _came_out(self, being: str, applied: Left) -> int:
        """How many of a creature came out of what was collected."""
        spawning = self.ground.always_spawning[being]
        actions = zip(self.actions, applied, strict=True)
        return sum(n for (rule, outcome), n in actions if outcome == being or rule in spawning)

    def _held_after(self, index: int, held: Held) -> Held:
        after = list(held)
        for column, change in self._changes[index]:
            after[column] = min(CAP, after[column] + change)
        return tuple(after)


def _family_and_subject(rule: str) -> tuple[str, str]:
    family, _, subject = rule.rstrip(")").partition("(")
    return family, subject


def _amounts(rows: list[tuple[str, ...]]) -> defaultdict[str, dict[str, int]]:
    """By rule: the amount of each item; the greater one, if there are two."""
    amounts: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for rule, item, amount in rows:
        amounts[rule][item] = max(amounts[rule].get(item, 0), int(amount))
    return amounts
