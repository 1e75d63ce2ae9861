"""Putting the interactions of a plan into an order in which each finds its needs met.

The numbers of a plan come from ``encodings/witness.lp``, which says nothing about their order. Here
the plan is carried out in the abstract: what is held (no more than the cap), which materials the
player gets to, which things stand where they are needed. A depth-first search finds an order, or
that there is none.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from operator import ge

from mars_logic.logic.facts import CAP
from mars_logic.logic.ground import AWAY, GLANCE, Ground, Reach
from mars_logic.logic.solve import LimitReachedError

MOST_STATES = 20_000
"""States after which the search for an order gives up."""

AMPLE = 20
"""Of so many cells of ground, it is taken that one can be spared without cutting anything off."""

Action = tuple[str, str]
"""The term of a rule, and the outcome counted on: ``plain``, an item or a creature."""

Counts = Mapping[Action, int]
Left = tuple[int, ...]
"""How often each action is still to be carried out."""

Held = tuple[int, ...]
"""How many are held of each item that something in the plan needs."""


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
class Spot:
    """Where the player is.

    Attributes:
        stage: The stage of the play.
        fresh: What the last interaction has left in front of the player, as far as it matters.
        cut: The material of which a cell was taken that may have been on the way to all else.
    """

    stage: Stage
    fresh: str | None = None
    cut: str | None = None


@dataclass(frozen=True)
class Now:
    """What a situation depends on.

    Attributes:
        reach: How far the player gets.
        done: How often each action was carried out in this stage.
        spot: Where the player is.
    """

    reach: Reach
    done: Counts
    spot: Spot


class Order:
    """The search for an order of one plan.

    Attributes:
        nothing: What is held at the beginning.
        planted: Whether a plant stands at the beginning.
    """

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
        self.planted = False
        self.grounds, self.short = self._grounds_of_placing()
        self.spawning = {row[0] for row in relations["spawns"]}

    def find(self) -> list[Action] | None:
        """An order that works, or None if there is none.

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

        found = search(self.counts, self.nothing, Spot(Stage(0, self.counts)))
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

    def _now(self, left: Left, spot: Spot) -> Now:
        acted = frozenset(rule for rule, _ in self._done(left, self.counts))
        closed = frozenset(self.ground.ahead if spot.stage.sealed else ())
        reach = self.ground.after(acted, self.ground.stages[spot.stage.number], closed)
        return Now(reach, self._done(left, spot.stage.begun), spot)

    def _spot_after(self, index: int, now: Now) -> Spot:
        rule, _ = self.actions[index]
        spot = now.spot
        cut = spot.cut or self._cuts(rule, now)
        family, _, subject = rule.rstrip(")").partition("(")
        fresh: str | None = None
        if family == "collect" and rule not in self.spawning:
            fresh = self.ground.leaves.get(subject, subject)
        elif family == "place":
            fresh = self.ground.puts.get(subject, subject)
        elif family != "creature":
            fresh = spot.fresh
        return Spot(spot.stage, fresh if cut or fresh in self.short else None, cut)

    def _cuts(self, rule: str, now: Now) -> str | None:
        """The ground of which the rule takes a cell that may be on the way to something else."""
        if not self._seals(rule) or self.ground.stages[now.spot.stage.number] != AWAY:
            return None
        taken = [material for material in self.consumes(rule) if self._finds(material, now)]
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
        """For each thing, the materials that it may be placed on; one, if there is enough of it.

        It is enough if from the beginning more cells can be faced than the plan takes or covers.
        What there is not enough of is told as well.
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
        short = {m for m, times in used.items() if not alone or cells[m] < times + AMPLE}
        grounds: dict[str, Collection[str]] = {
            thing: next(((m,) for m in sorted(where[thing] - short)), where[thing])
            for thing in placed
        }
        return grounds, short

    def _suffices(self, left: Left, held: Held) -> bool:
        """Whether what is held and what is still brought is as much as what is still used."""
        balance = list(held)
        for times, brings, uses in zip(left, self.brings, self.uses, strict=True):
            if times:
                for column, (bring, use) in enumerate(zip(brings, uses, strict=True)):
                    balance[column] += times * (bring - use)
        return all(amount >= 0 for amount in balance)

    def _next(self, left: Left, held: Held, now: Now, last: int | None) -> list[int]:
        """What can be done now: first more of the same, then what uses nothing up."""
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
        """Whether the player gets to face a cell of the material.

        Whoever turns to ground walks onto it. So where ground was laid is counted on only as long
        as the player still looks at it.
        """
        laid = 0 if material in self.ground.walked_onto else self._laid(material, now)
        return self._is_left(material, laid, now)

    def _is_left(self, material: str, laid: int, now: Now) -> bool:
        """Whether some cell, on the map or one of those laid, is not yet taken or covered."""
        if material == now.spot.fresh:
            return True
        if now.spot.cut not in (None, material):
            return False
        return now.reach.cells[material] + laid > self._used(material, now)

    def _laid(self, material: str, now: Now) -> int:
        laying = self.ground.laying[material]
        return sum(times for (rule, _), times in now.done.items() if rule in laying)

    def _used(self, material: str, now: Now) -> int:
        """How many cells of the material have been taken or covered in this stage, at most."""
        return sum(
            times for (rule, _), times in now.done.items() if material in self.consumes(rule)
        )

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
        if not all(self._is_left(m, self._laid(m, now), now) for m in nearby):
            return False
        if len(nearby) <= 1:
            return True
        return now.spot.cut is None and bool(self.ground.spots[tool] & now.reach.zones)

    def _meets(self, being: str, now: Now) -> bool:
        if now.spot.cut is not None:
            return being == now.spot.fresh
        if being == "plant":
            return self.planted or ("place(plant)", "plain") in now.done
        appeared = any(
            outcome == being or rule in self.ground.always_spawning[being]
            for rule, outcome in now.done
        )
        return appeared or bool(self.ground.homes[being] & now.reach.zones)

    def _held_after(self, index: int, held: Held) -> Held:
        changes = zip(held, self.uses[index], self.brings[index], strict=True)
        return tuple(min(CAP, amount - use + bring) for amount, use, bring in changes)


def _amounts(rows: list[tuple[str, ...]]) -> defaultdict[str, dict[str, int]]:
    """By rule: the amount of each item; the greater one, if there are two."""
    amounts: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for rule, item, amount in rows:
        amounts[rule][item] = max(amounts[rule].get(item, 0), int(amount))
    return amounts
