"""Repairs: the smallest changes of a world's rules that make an achievement possible.

An explanation names whole rules. A repair names the changes within them in words ("let collecting
from a tree need no wood pickaxe") and is proved on the changed world.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby, islice
from typing import TypeVar

from mars_logic.logic.base_facts import former_loot
from mars_logic.logic.certainty import Certainty
from mars_logic.logic.reachability_model import OPTIMISTIC, ReachabilityModel
from mars_logic.logic.repair_data import Repair
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.rules import Collect, Make, Neighbour, Place, Rename, Rule, Walk
from mars_logic.world.theory import World
from mars_logic.world.trace_rules import LeavingCreature, OptionRule, UsingCollect
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words.kinds import spaced, with_article

_SOURCES = {"tree": "a tree"}

_REGIONS = {
    "neighbour.player": ("the player", "start in"),
    "neighbour.tree": ("trees", "stand in"),
}
"""Phrase for regions without a surrounding material."""

Change = TypeVar("Change")
Amendment = Callable[[Rule, Vocabulary], Rule]

_TRIES = 120
"""Maximum number of change sets tried in order of size."""


@dataclass(frozen=True)
class Edit:
    """One small change of a rule: "let" the subject do something.

    Attributes:
        rule: The rule's id.
        subject: The subject of the rule, in words: ``collecting from a tree``.
        verb: The verb: ``need``.
        what: The object: ``no wood pickaxe``.
        apply: The rule after the change, in the vocabulary of its dialect.
        takes: Whether it also removes a possibility, as a change of the remaining material does.
    """

    rule: str
    subject: str
    verb: str
    what: str
    apply: Amendment
    takes: bool = False

    @property
    def words(self) -> str:
        """The change as a request."""
        return _request([self])


class Repairs:
    """The repairs of one reachability model; each changed world is judged once."""

    def __init__(
        self,
        reachability: ReachabilityModel,
        prove: Callable[[ReachabilityModel, str], Certainty | None],
        *,
        short: bool = False,
    ):
        """Prepare; nothing is solved yet.

        Args:
            reachability: The reachability model of the world to repair.
            prove: The certainty of an achievement in the model of a changed world; None if it is
                not proved reachable.
            short: Whether to consider shortages of cells as well.
        """
        self._short = short
        self._reachability = reachability
        self._prove = prove
        self._changed: dict[World, ReachabilityModel] = {}

    def of(self, achievement: str, rules: Iterable[str]) -> Repair | None:
        """The fewest small changes of some rules that make an achievement possible.

        Args:
            achievement: The unreachable achievement.
            rules: The ids of the rules to give up for it.

        Returns:
            The first of the smallest sets of changes, in the order of rules and fields; None if
            no such changes of these rules suffice.
        """
        world = self._reachability.world
        edits = [
            edit
            for rule in rules
            for edit in _edits(world[rule], _former(world, rule), world.vocabulary)
        ]
        found = self._of(achievement, edits)
        if found is None:
            return None
        edited = _edited(world, found)
        changes = tuple(edit.words for edit in found)
        mended = tuple(edited[name] for name in dict.fromkeys(edit.rule for edit in found))
        certainty = self._prove(self._judged(edited), achievement)
        return Repair(changes, _told(found), certainty, mended)

    def _of(self, achievement: str, edits: Sequence[Edit]) -> Sequence[Edit] | None:
        """The smallest sufficient set of edits, preferring those that remove no possibility.

        Adding edits that remove no possibility preserves reachability; the search therefore starts
        without removing edits and adds them one at a time.
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
        """The smallest set of changed rules that made an achievement unreachable.

        With the base's versions of them, it would be possible.

        Returns:
            Their ids, sorted; none without a base, or if the base lacks the achievement as well.
        """
        world = self._reachability.world
        base = world.base
        if not isinstance(base, World) or base.dynamics != world.dynamics:
            return ()
        if achievement not in base.achievements:
            return ()
        changed = sorted(rule.id for rule in base.rules() if rule != world.rule(rule.id))

        def reverted(world: World, rules: Sequence[str]) -> World:
            return world.with_rules(*(base[rule] for rule in rules))

        return tuple(self._smallest(achievement, changed, reverted) or ())

    def _smallest(
        self,
        achievement: str,
        changes: Sequence[Change],
        apply: Callable[[World, Sequence[Change]], World],
    ) -> Sequence[Change] | None:
        """A smallest sufficient set of changes; beyond the limit of tries, a minimal one."""

        def helps(some: Sequence[Change]) -> bool:
            changed = self._judged(apply(self._reachability.world, some))
            return achievement in changed.unlocked(OPTIMISTIC) and not (
                self._short and changed.shortages.refutes(achievement)
            )

        if not changes or not helps(changes):
            return None
        # A change without which all others fail is part of every sufficient set.
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

    def _judged(self, world: World) -> ReachabilityModel:
        if world not in self._changed:
            self._changed[world] = self._reachability.of(world)
        return self._changed[world]


def _but(changes: Sequence[Change], one: Change) -> Sequence[Change]:
    return [change for change in changes if change is not one]


def _edited(world: World, edits: Sequence[Edit]) -> World:
    changed: dict[str, Rule] = {}
    for edit in edits:
        before = changed.get(edit.rule, world[edit.rule])
        changed[edit.rule] = edit.apply(before, world.vocabulary)
    return world.with_rules(*changed.values())


def _former(world: World, rule: str) -> Rule | None:
    return world.base.rule(rule) if isinstance(world.base, World) else None


def _told(edits: Sequence[Edit]) -> str:
    """Several edits in words, one request for each rule."""
    return ", and ".join(_request(list(same)) for _, same in groupby(edits, lambda e: e.rule))


def _request(edits: Sequence[Edit]) -> str:
    """The edits of one rule in words: ``let making a table use no wood and no stone``."""
    deeds = [
        f"{verb} {_listed([edit.what for edit in same])}"
        for verb, same in groupby(edits, lambda edit: edit.verb)
    ]
    return f"let {edits[0].subject} {_listed(deeds)}"


def _listed(things: Sequence[str]) -> str:
    *others, last = things
    return f"{', '.join(others)} and {last}" if others else last


def _edits(rule: Rule, former: Rule | None, words: Vocabulary) -> Iterator[Edit]:
    match rule:
        case Collect():
            yield from _collect(rule, former if isinstance(former, Collect) else None)
        case Place():
            yield from _place(rule, words.placed_on)
        case Make():
            yield from _make(rule)
        case LeavingCreature() if isinstance(former, LeavingCreature):
            this = f"killing {with_article(rule.subject)}"
            for item in former_loot(rule, former):
                again = _with(yields=FrozenMap({**rule.yields, item: former.yields[item]}))
                yield Edit(rule.id, this, "yield", f"{spaced(item)} again", again)
        case OptionRule():
            on = not rule.on
            yield Edit(
                rule.id,
                f"the option {spaced(rule.subject)}",
                "be",
                "on" if on else "off",
                _with(on=on),
            )
        case Walk():
            change = _with(deadly=False) if rule.walkable else _with(walkable=True)
            what = "harmless" if rule.walkable else "walkable"
            yield Edit(rule.id, spaced(rule.subject), "be", what, change)
        case Neighbour() | Rename() if isinstance(former, Neighbour | Rename) and former != rule:
            subject, verb = _REGIONS.get(rule.id, (rule.subject, "be surrounded by"))
            if isinstance(rule, Rename):
                subject, verb = "the map", "have"
            what = f"{former.material} again, not {rule.material}"
            yield Edit(rule.id, subject, verb, what, lambda *_: former, takes=True)


def _collect(rule: Collect, former: Collect | None) -> Iterator[Edit]:
    this = f"collecting from {_SOURCES.get(rule.subject, rule.subject)}"
    for item in rule.requires if rule.collectable else ():
        yield Edit(rule.id, this, "need", f"no {spaced(item)}", _without("requires", item))
    if isinstance(rule, UsingCollect) and rule.collectable:
        for item in rule.uses:
            yield Edit(rule.id, this, "use", f"no {spaced(item)}", _without("uses", item))
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


def _place(rule: Place, everywhere: tuple[str, ...]) -> Iterator[Edit]:
    this = "placing stone" if rule.subject == "stone" else f"placing {with_article(rule.subject)}"
    for item in rule.uses:
        yield Edit(rule.id, this, "use", f"no {spaced(item)}", _without("uses", item))
    if set(rule.where) != set(everywhere):
        anywhere = _with(where=everywhere)
        yield Edit(rule.id, this, "be", "possible on any ground", anywhere)


def _make(rule: Make) -> Iterator[Edit]:
    this = f"making {with_article(spaced(rule.subject))}"
    for item in rule.uses:
        yield Edit(rule.id, this, "use", f"no {spaced(item)}", _without("uses", item))
    for material in rule.nearby:

        def far(old: Rule, words: Vocabulary, material: str = material) -> Rule:
            assert isinstance(old, Make)
            return _changed(old, words, nearby=tuple(m for m in old.nearby if m != material))

        yield Edit(rule.id, this, "need", f"no {spaced(material)} nearby", far)


def _with(**fields: object) -> Amendment:
    return lambda old, words: _changed(old, words, **fields)


def _without(field: str, item: str) -> Amendment:
    def apply(old: Rule, words: Vocabulary) -> Rule:
        amounts = {name: n for name, n in getattr(old, field).items() if name != item}
        return _changed(old, words, **{field: FrozenMap(amounts)})

    return apply


def _yielding(gain: str, given: object) -> Amendment:
    def apply(old: Rule, words: Vocabulary) -> Rule:
        assert isinstance(old, Collect)
        certain = {gain: {"amount": getattr(given, "amount", 1)}}
        kept = {name: y for name, y in old.yields.items() if name != gain}
        return _changed(old, words, collectable=True, yields=kept | certain)

    return apply


def _changed(rule: Rule, words: Vocabulary, **fields: object) -> Rule:
    """The rule with other values, checked like any rule."""
    return type(rule).model_validate({**_fields(rule), **fields}, context=words)


def _fields(rule: Rule) -> dict[str, object]:
    return {name: getattr(rule, name) for name in type(rule).model_fields}
