"""Putting the interactions of a plan into an order in which each finds its needs met.

The numbers of a plan come from ``encodings/witness.lp``, which says nothing about their order. Here
the plan is carried out in the abstract: what is held (no more than the cap), which materials the
player gets to, which things stand where they are needed. A depth-first search finds an order, or
that there is none.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from operator import ge

from mars_logic.logic.facts import CAP, MILLION
from mars_logic.logic.solve import LimitReachedError, Relations

MOST_STATES = 20_000
"""States after which the search for an order gives up."""

GLANCE, OUTSET, AWAY = "glance", "outset", "away"
"""Stages of a play: before the player turns, before it moves, and from then on.

Only where something can be done that cannot be done later is there more than the last; see
``encodings/outset.lp``.
"""

Action = tuple[str, str]
"""The term of a rule, and the outcome counted on: ``plain``, an item or a creature."""

Counts = Mapping[Action, int]
Left = tuple[int, ...]
"""How often each action is still to be carried out."""

Held = tuple[int, ...]
"""How many are held of each item that something in the plan needs."""


@dataclass(frozen=True)
class Reach:
    """How far the player gets once some rules have been applied.

    Attributes:
        zones: The zones that it gets into.
        cells: How many cells of each material it gets to face.
    """

    zones: frozenset[str]
    cells: Mapping[str, int]


@dataclass(frozen=True)
class Stage:
    """A part of a play.

    Attributes:
        number: Its place among the stages of the ground.
        begun: How often each action was still to be carried out when it began.
        sealed: Whether the ground ahead of the first cell was made into what cannot be walked on.
    """

    number: int
    begun: Left
    sealed: bool = False


@dataclass(frozen=True)
class Now:
    """What a situation depends on.

    Attributes:
        reach: How far the player gets.
        done: How often each action was carried out in this stage.
        fresh: The ground that the last action has just laid in front of the player, if any.
    """

    reach: Reach
    done: Counts
    fresh: str | None


class Ground:
    """The zones of a map as seen at one level, and the way into them."""

    def __init__(self, relations: Relations, level: str):
        """Take over what the level has found out.

        Args:
            relations: What was judged.
            level: A level of certainty.
        """
        self.relations = relations
        self.material = dict(_pairs(relations["made_of"]))
        self.beside = _grouped(relations["borders"])
        self.holds = {zone: int(number) for zone, number in relations["holds"]}
        self.around = _grouped(relations["within"])
        self.leaves = dict(_pairs(relations["leaves"]))
        self.puts = dict(_pairs(relations["puts"]))
        self.where = _grouped(relations["where"])
        self.laying: defaultdict[str, set[str]] = defaultdict(set)
        for material, left in self.leaves.items():
            if left != material:
                self.laying[left].add(f"collect({material})")
        for thing, put in self.puts.items():
            self.laying[put].add(f"place({thing})")
        self.nearby = _grouped(relations["nearby"])
        self.spots = _grouped(relations["spot"])
        self.walkable = _at(relations["walk"], level)
        self.spare = _at(relations["spare"], level)
        self.expendable = _at(relations["expendable"], level)
        self.survived = _at(relations["survives"], level)
        turns = any(row[0] == level for row in relations["turns"])
        self.ahead = {row[0] for row in relations["ahead"]}
        self.first = self.ahead | {row[0] for row in relations["first" if turns else "ahead"]}
        self.at_hand = {
            zone: int(number) if turns else int(zone in self.ahead)
            for zone, number in relations["at_hand"]
        }
        ground = {row[0] for row in relations["walkable"]}
        self.obstacles = {
            zone for zone, material in self.material.items() if material not in ground
        }
        self.walked_onto = ground
        self.forsaken = bool(relations["forsaken"])
        self.stages = [
            *([GLANCE] if relations["fleeting"] else []),
            *([OUTSET] if self.forsaken else []),
            AWAY,
        ]
        # Ground is faced with a run-up, anything else from wherever one is beside it.
        self.fronts = _counted(relations["front"], set(self.material) - self.obstacles)
        self.edges = _counted(relations["edge"], self.obstacles)
        self.exits = _at(relations["exit"], level)
        luck = _at(relations["accepts"], level)
        self.homes: defaultdict[str, set[str]] = defaultdict(set)
        for creature, zone, kind in relations["haunts"]:
            if kind in luck:
                self.homes[creature].add(zone)
        self.always_spawning: defaultdict[str, set[str]] = defaultdict(set)
        for rule, creature, probability in relations["spawns"]:
            if int(probability) == MILLION:
                self.always_spawning[creature].add(rule)
        self.after = lru_cache(maxsize=None)(self._after)

    def _after(
        self, acted: frozenset[str], stage: str = AWAY, closed: frozenset[str] = frozenset()
    ) -> Reach:
        """How far the player gets.

        Args:
            acted: The rules that have been applied.
            stage: The stage of the play.
            closed: Zones that it does not get into any more.
        """
        if stage != AWAY:
            return self._at_first(stage)
        passable = self._passable(acted)
        zones: set[str] = set()
        open_to = (self.first & self.exits) - closed
        grown = True
        while grown:
            entered = {zone for zone in open_to if self.material[zone] in passable} - zones
            zones |= entered
            open_to |= {other for zone in entered for other in self.beside[zone]} - closed
            open_to |= {zone for zone, around in self.around.items() if around <= zones}
            grown = bool(entered)
        reached = open_to if self.forsaken else self.first | open_to
        return Reach(frozenset(zones), self._cells(zones, reached & self.obstacles))

    def _at_first(self, stage: str) -> Reach:
        """What can be faced from the first cell: without turning, what lies ahead."""
        cells: Counter[str] = Counter()
        if stage == GLANCE:
            cells.update(self.material[zone] for zone in self.ahead)
        else:
            for zone in self.first & self.obstacles:
                cells[self.material[zone]] += self.at_hand[zone]
        return Reach(frozenset(), cells)

    def _cells(self, zones: set[str], obstacles: set[str]) -> Counter[str]:
        """How many cells of each material the player can face; see ``encodings/cells.lp``.

        Who has left its first cell for good does not come back to what was at hand there.
        """
        cells: Counter[str] = Counter()
        for outer, zone, number in self.fronts:
            if outer in zones:
                cells[self.material[zone]] += number
        for zone in obstacles:
            at_hand = self.at_hand.get(zone)
            if zone in zones:
                found = self.holds[zone]
            elif at_hand is None or self.forsaken:
                found = 1
            else:
                found = at_hand
            if self.forsaken:
                found = max(0, found - (at_hand or 0))
            cells[self.material[zone]] += found
        outside = obstacles - zones
        for outer, zone, number in self.edges:
            if outer in zones and zone in outside:
                cells[self.material[zone]] += number - 1
        return cells

    def _passable(self, acted: frozenset[str]) -> set[str]:
        """The materials that can be crossed."""
        passable = set(self.walkable)
        while True:
            mined = {
                material
                for material, left in self.leaves.items()
                if f"collect({material})" in acted
                and material in self.survived
                and left in passable
            }
            covered = {
                material
                for thing, put in self.puts.items()
                if f"place({thing})" in acted and put in passable and thing in self.spare
                for material in self.where[thing] & self.expendable
            }
            if mined | covered <= passable:
                return passable
            passable |= mined | covered


class Order:
    """The search for an order of one plan."""

    def __init__(self, ground: Ground, counts: Counts):
        """Prepare the search.

        Args:
            ground: The zones as seen at the level that the plan is for.
            counts: How often each action is to be carried out.
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
        self.uses = [columns(uses[rule]) for rule, _ in self.actions]
        self.brings = [columns(brings[action]) for action in self.actions]
        self.nothing = columns({})
        self.grounds = self._grounds_of_placing()

    def find(self) -> list[Action] | None:
        """An order that works, or None if there is none.

        Raises:
            LimitReachedError: There are too many orders to try.
        """
        failed: set[tuple[Left, Held, Stage, str | None]] = set()
        path: list[int] = []

        def search(left: Left, held: Held, stage: Stage) -> bool:
            if not any(left):
                return True
            last = path[-1] if path else None
            state = left, held, stage, self._fresh(last, left, stage)
            if state in failed or not self._suffices(left, held):
                return False
            if len(failed) >= MOST_STATES:
                raise LimitReachedError
            for index in self._next(left, held, stage, last):
                path.append(index)
                rest = (*left[:index], left[index] - 1, *left[index + 1 :])
                if search(rest, self._held_after(index, held), stage):
                    return True
                path.pop()
            if stage.number + 1 < len(self.ground.stages):
                if search(left, held, self._moved_on(left, stage)):
                    return True
            failed.add(state)
            return False

        found = search(self.counts, self.nothing, Stage(0, self.counts))
        return [self.actions[index] for index in path] if found else None

    def _moved_on(self, left: Left, stage: Stage) -> Stage:
        sealed = stage.sealed
        if self.ground.stages[stage.number] == GLANCE:
            sealed = any(self._seals(rule) for rule, _ in self._done(left, stage.begun))
        return Stage(stage.number + 1, left, sealed)

    def _seals(self, rule: str) -> bool:
        """Whether what the rule leaves in front of the player cannot be walked on."""
        family, _, subject = rule.rstrip(")").partition("(")
        if family == "collect":
            return self.ground.leaves.get(subject, subject) not in self.ground.walkable
        return family == "place"

    def _done(self, left: Left, begun: Left) -> Counts:
        return {
            action: count - rest
            for action, count, rest in zip(self.actions, begun, left, strict=True)
            if count > rest
        }

    def _fresh(self, last: int | None, left: Left, stage: Stage) -> str | None:
        """The ground that the last action of this stage has laid in front of the player."""
        if last is None or left == stage.begun:
            return None
        family, _, subject = self.actions[last][0].rstrip(")").partition("(")
        if family != "collect":
            return None
        laid = self.ground.leaves.get(subject, subject)
        return laid if laid in self.ground.walked_onto and laid != subject else None

    def _grounds_of_placing(self) -> dict[str, Collection[str]]:
        """For each thing, the materials that it may be placed on; one, if there is enough of it.

        It is enough if from the beginning more cells can be faced than the plan takes or covers.
        """
        where = self.ground.where
        placed = [rule[6:-1] for rule, _ in self.actions if rule.startswith("place(")]
        used: Counter[str] = Counter()
        for (rule, _), times in zip(self.actions, self.counts, strict=True):
            family, _, subject = rule.rstrip(")").partition("(")
            taken = where[subject] if family == "place" else {subject}
            used.update(dict.fromkeys(taken, times))
        cells = self.ground.after(frozenset()).cells
        alone = len(self.ground.stages) == 1
        return {
            thing: next(
                ((m,) for m in sorted(where[thing]) if alone and cells[m] >= used[m]),
                where[thing],
            )
            for thing in placed
        }

    def _suffices(self, left: Left, held: Held) -> bool:
        """Whether what is held and what is still brought is as much as what is still used."""
        balance = list(held)
        for times, brings, uses in zip(left, self.brings, self.uses, strict=True):
            if times:
                for column, (bring, use) in enumerate(zip(brings, uses, strict=True)):
                    balance[column] += times * (bring - use)
        return all(amount >= 0 for amount in balance)

    def _next(self, left: Left, held: Held, stage: Stage, last: int | None) -> list[int]:
        """What can be done now: first more of the same, then what uses nothing up."""
        acted = frozenset(rule for rule, _ in self._done(left, self.counts))
        closed = frozenset(self.ground.ahead if stage.sealed else ())
        reach = self.ground.after(acted, self.ground.stages[stage.number], closed)
        now = Now(reach, self._done(left, stage.begun), self._fresh(last, left, stage))
        able = [
            index
            for index, needs in enumerate(self.needs)
            if left[index] and all(map(ge, held, needs)) and self._applies(index, now)
        ]
        return sorted(able, key=lambda index: (index != last, any(self.uses[index])))

    def _applies(self, index: int, now: Now) -> bool:
        """Whether there is a situation for the rule, whatever is held."""
        family, _, subject = self.actions[index][0].rstrip(")").partition("(")
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
        """Whether there is a cell of the material: on the map or laid, not yet taken or covered.

        Whoever turns to ground walks onto it. So where ground was laid is counted on only as long
        as the player still looks at it.
        """
        if material == now.fresh:
            return True
        used = sum(
            times for (rule, _), times in now.done.items() if material in self.consumes(rule)
        )
        if material in self.ground.walked_onto:
            return now.reach.cells[material] > used
        laying = self.ground.laying[material]
        laid = sum(times for (rule, _), times in now.done.items() if rule in laying)
        return now.reach.cells[material] + laid > used

    def consumes(self, rule: str) -> Collection[str]:
        """The materials of one of which applying the rule takes a cell away."""
        family, _, subject = rule.rstrip(")").partition("(")
        if family == "place":
            return self.grounds[subject]
        if family == "collect" and self.ground.leaves.get(subject, subject) != subject:
            return (subject,)
        return ()

    def _stands_near(self, tool: str, now: Now) -> bool:
        nearby = self.ground.nearby[tool]
        if not all(self._finds(material, now) for material in nearby):
            return False
        return len(nearby) <= 1 or bool(self.ground.spots[tool] & now.reach.zones)

    def _meets(self, being: str, now: Now) -> bool:
        if being == "plant":
            return ("place(plant)", "plain") in now.done
        appeared = any(
            outcome == being or rule in self.ground.always_spawning[being]
            for rule, outcome in now.done
        )
        return appeared or bool(self.ground.homes[being] & now.reach.zones)

    def _held_after(self, index: int, held: Held) -> Held:
        changes = zip(held, self.uses[index], self.brings[index], strict=True)
        return tuple(min(CAP, amount - use + bring) for amount, use, bring in changes)


def _at(rows: list[tuple[str, ...]], level: str) -> set[str]:
    return {row[1] for row in rows if row[0] == level}


def _pairs(rows: list[tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    return ((row[0], row[1]) for row in rows)


def _counted(rows: list[tuple[str, ...]], ends: set[str]) -> list[tuple[str, str, int]]:
    """The rows that lead to one of the zones: from where, to where, and the number of cells."""
    return [(row[0], row[1], int(row[2])) for row in rows if row[1] in ends]


def _grouped(rows: list[tuple[str, ...]]) -> defaultdict[str, set[str]]:
    groups: defaultdict[str, set[str]] = defaultdict(set)
    for first, second in _pairs(rows):
        groups[first].add(second)
    return groups


def _amounts(rows: list[tuple[str, ...]]) -> defaultdict[str, dict[str, int]]:
    """By rule: the amount of each item; the greater one, if there are two."""
    amounts: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for rule, item, amount in rows:
        amounts[rule][item] = max(amounts[rule].get(item, 0), int(amount))
    return amounts
