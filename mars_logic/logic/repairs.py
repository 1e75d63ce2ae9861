"""Repairs: the smallest changes of a world's rules that make an achievement possible.

An explanation names whole rules. A repair names what of them has to change, as a person would
put it ("let collecting from a tree need no wood pickaxe"), and is proved: the rules are really
changed, and the world is judged once more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby, islice
from typing import TypeVar

from mars_logic.logic.judge import OPTIMISTIC, Judge
from mars_logic.logic.proof import Certainty, Repair
from mars_logic.world import names
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.rules import Collect, Make, Neighbour, Place, Rename, Rule, Walk
from mars_logic.world.words.kinds import spaced, with_article
from mars_logic.world.world import World

_SOURCES = {"tree": "a tree"}

_REGIONS = {
    "neighbour.player": ("the player", "start in"),
    "neighbour.tree": ("trees", "stand in"),
}
"""What is said of regions that are not surrounded by their material."""

Change = TypeVar("Change")

_TRIES = 120
"""Sets of changes that are tried by size; the bundled worlds' rules have a dozen changes each."""


@dataclass(frozen=True)
class Edit:
    """One small change of a rule: "let" the subject do something.

    Attributes:
        rule: The rule's id.
        subject: What the rule is about, in words: ``collecting from a tree``.
        verb: What it is to do: ``need``.
        what: And what it is to do that with: ``no wood pickaxe``.
        apply: The rule after the change.
        takes: Whether it takes something away as well, as when other ground is left behind.
    """

    rule: str
    subject: str
    verb: str
    what: str
    apply: Callable[[Rule], Rule]
    takes: bool = False

    @property
    def words(self) -> str:
        """What it says, as a request."""
        return _request([self])


class Repairs:
    """The repairs of one judgement; a changed world is judged once, whatever it is asked for."""

    def __init__(
        self,
        judge: Judge,
        prove: Callable[[Judge, str], Certainty | None],
        *,
        short: bool = False,
    ):
        """Prepare; nothing is solved yet.

        Args:
            judge: The judgement of the world that is to be mended.
            prove: How certain an achievement is by the judgement of a changed world; None if it is
                not proved reachable.
            short: Whether there is too little of something, which is looked at then.
        """
        self._short = short
        self._judge = judge
        self._prove = prove
        self._changed: dict[World, Judge] = {}

    def of(self, achievement: str, rules: Iterable[str]) -> Repair | None:
        """The fewest small changes of some rules that make an achievement possible.

        Args:
            achievement: What is unreachable.
            rules: The ids of rules that have to be given up for it.

        Returns:
            The first of the smallest sets of changes, in the order of rules and fields; None if no
            such changes of these rules are enough.
        """
        world = self._judge.world
        edits = [edit for rule in rules for edit in _edits(world[rule], _former(world, rule))]
        found = self._of(achievement, edits)
        if found is None:
            return None
        again = self._judged(_edited(world, found))
        changes = tuple(edit.words for edit in found)
        return Repair(changes, _told(found), self._prove(again, achievement))

    def _of(self, achievement: str, edits: Sequence[Edit]) -> Sequence[Edit] | None:
        """The smallest set of edits that helps, of those that take least away.

        More changes are no worse unless they take something away; so it is tried first without
        these, and then with ever more of them.
        """
        taking = [edit for edit in edits if edit.takes]
        for size in range(len(taking) + 1):
            for some in combinations(taking, size):
                allowed = [edit for edit in edits if not edit.takes or edit in some]
                found = self._smallest(achievement, allowed, _edited)
                if found is not None:
                    return found
        return None

    def contrast(self, achievement: str) -> tuple[str, ...]:
        """The fewest changed rules that took an achievement away.

        Were they the base's, it would be possible.

        Returns:
            Their ids, sorted; none without a base, or if the base lacks the achievement as well.
        """
        world = self._judge.world
        base = world.base
        if not isinstance(base, World) or base.dynamics != world.dynamics:
            return ()
        changed = sorted(rule.id for rule in world.rules() if rule != base[rule.id])

        def reverted(world: World, rules: Sequence[str]) -> World:
            return world.with_rules(*(base[rule] for rule in rules))

        return tuple(self._smallest(achievement, changed, reverted) or ())

    def _smallest(
        self,
        achievement: str,
        changes: Sequence[Change],
        apply: Callable[[World, Sequence[Change]], World],
    ) -> Sequence[Change] | None:
        """A smallest set of changes that helps; past so many tries, a minimal one."""

        def helps(some: Sequence[Change]) -> bool:
            changed = self._judged(apply(self._judge.world, some))
            return achievement in changed.unlocked(OPTIMISTIC) and not (
                self._short and changed.shortages.refutes(achievement)
            )

        if not changes or not helps(changes):
            return None
        # What cannot be left out even if all else is changed is part of every set that helps.
        needed = [c for c in changes if len(changes) == 1 or not helps(_but(changes, c))]
        others = [change for change in changes if change not in needed]
        sets = (
            [change for change in changes if change in needed or change in more]
            for size in range(len(others))
            for more in combinations(others, size)
        )
        for some in islice(sets, _TRIES):
            if some and helps(some):
                return some
        kept: Sequence[Change] = changes
        for change in changes:
            if len(kept) > 1 and helps(_but(kept, change)):
                kept = _but(kept, change)
        return kept

    def _judged(self, world: World) -> Judge:
        if world not in self._changed:
            self._changed[world] = self._judge.of(world)
        return self._changed[world]


def _but(changes: Sequence[Change], one: Change) -> Sequence[Change]:
    return [change for change in changes if change is not one]


def _edited(world: World, edits: Sequence[Edit]) -> World:
    changed: dict[str, Rule] = {}
    for edit in edits:
        changed[edit.rule] = edit.apply(changed.get(edit.rule, world[edit.rule]))
    return world.with_rules(*changed.values())


def _former(world: World, rule: str) -> Rule | None:
    return world.base[rule] if isinstance(world.base, World) else None


def _told(edits: Sequence[Edit]) -> str:
    """What several edits say together, a request for each rule."""
    return ", and ".join(_request(list(same)) for _, same in groupby(edits, lambda e: e.rule))


def _request(edits: Sequence[Edit]) -> str:
    """What edits of one rule say: ``let making a table use no wood and no stone``."""
    deeds = [
        f"{verb} {_listed([edit.what for edit in same])}"
        for verb, same in groupby(edits, lambda edit: edit.verb)
    ]
    return f"let {edits[0].subject} {_listed(deeds)}"


def _listed(things: Sequence[str]) -> str:
    *others, last = things
    return f"{', '.join(others)} and {last}" if others else last


def _edits(rule: Rule, former: Rule | None) -> Iterator[Edit]:
    match rule:
        case Collect():
            yield from _collect(rule, former if isinstance(former, Collect) else None)
        case Place():
            yield from _place(rule)
        case Make():
            yield from _make(rule)
        case Walk():
            walkable = _with(walkable=True)
            yield Edit(rule.id, spaced(rule.subject), "be", "walkable", walkable)
        case Neighbour() | Rename() if isinstance(former, Neighbour | Rename) and former != rule:
            subject, verb = _REGIONS.get(rule.id, (rule.subject, "be surrounded by"))
            if isinstance(rule, Rename):
                subject, verb = "the map", "have"
            what = f"{former.material} again, not {rule.material}"
            yield Edit(rule.id, subject, verb, what, lambda _: former, takes=True)


def _collect(rule: Collect, former: Collect | None) -> Iterator[Edit]:
    this = f"collecting from {_SOURCES.get(rule.subject, rule.subject)}"
    for item in rule.requires if rule.collectable else ():
        yield Edit(rule.id, this, "need", f"no {spaced(item)}", _without("requires", item))
    if former is None:
        return
    if former.collectable and not rule.collectable:
        possible = _with(collectable=True)
        yield Edit(rule.id, this, "be", "possible", possible)
    for gain, given in former.yields.items() if former.collectable else ():
        if gain not in rule.yields or not rule.collectable:
            yield Edit(rule.id, this, "yield", f"{spaced(gain)} again", _yielding(gain, given))
    if former.leaves != rule.leaves or not rule.collectable:
        leaving = _with(leaves=former.leaves)
        yield Edit(rule.id, this, "leave", f"{former.leaves} again", leaving, takes=True)
    if former.spawns != rule.spawns and former.spawns:
        creature = next(iter(former.spawns))
        what = f"{with_article(creature)} appear again"
        spawning = _with(spawns=former.spawns)
        yield Edit(rule.id, this, "make", what, spawning, takes=True)


def _place(rule: Place) -> Iterator[Edit]:
    this = "placing stone" if rule.subject == "stone" else f"placing {with_article(rule.subject)}"
    for item in rule.uses:
        yield Edit(rule.id, this, "use", f"no {spaced(item)}", _without("uses", item))
    if set(rule.where) != set(names.MATERIALS[1:]):
        everywhere = tuple(names.MATERIALS[1:])
        anywhere = _with(where=everywhere)
        yield Edit(rule.id, this, "be", "possible on any ground", anywhere)


def _make(rule: Make) -> Iterator[Edit]:
    this = f"making {with_article(spaced(rule.subject))}"
    for item in rule.uses:
        yield Edit(rule.id, this, "use", f"no {spaced(item)}", _without("uses", item))
    for material in rule.nearby:

        def far(old: Rule, material: str = material) -> Rule:
            assert isinstance(old, Make)
            return _changed(old, nearby=tuple(m for m in old.nearby if m != material))

        yield Edit(rule.id, this, "need", f"no {spaced(material)} nearby", far)


def _with(**fields: object) -> Callable[[Rule], Rule]:
    return lambda old: _changed(old, **fields)


def _without(field: str, item: str) -> Callable[[Rule], Rule]:
    def apply(old: Rule) -> Rule:
        amounts = {name: n for name, n in getattr(old, field).items() if name != item}
        return _changed(old, **{field: FrozenMap(amounts)})

    return apply


def _yielding(gain: str, given: object) -> Callable[[Rule], Rule]:
    def apply(old: Rule) -> Rule:
        assert isinstance(old, Collect)
        certain = {gain: {"amount": getattr(given, "amount", 1)}}
        kept = {name: y for name, y in old.yields.items() if name != gain}
        return _changed(old, collectable=True, yields=kept | certain)

    return apply


def _changed(rule: Rule, **fields: object) -> Rule:
    """The rule with other values, checked like any rule."""
    return type(rule).model_validate({**_fields(rule), **fields})


def _fields(rule: Rule) -> dict[str, object]:
    return {name: getattr(rule, name) for name in type(rule).model_fields}
