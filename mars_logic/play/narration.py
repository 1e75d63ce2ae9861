"""A narration of an episode: interactions with their places and purposes.

Interactions of the plan are narrated stage by stage, all others (survival, access) in sum. The
world's rules alone determine the role of each material.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mars_logic.play.episode_stages import Cell, EpisodeStage, EpisodeStages
from mars_logic.play.interactions import Interaction
from mars_logic.system.display import listed
from mars_logic.world import names
from mars_logic.world.rules import Collect, Creature, Make, Place
from mars_logic.world.words.kinds import spaced, with_article

if TYPE_CHECKING:
    from mars_logic.world.theory import World

_COUNTABLE = frozenset(
    {"tree", "diamond", "sapling", "table", "furnace", *names.TOOLS, *names.BEINGS}
)
"""Nouns with an article; of all others one speaks as of water."""
_VAIN = "in vain"
_MANY = 3
"""More tools than this are told by their number."""


@dataclass(frozen=True, slots=True)
class Narration:
    """An episode in words.

    Attributes:
        steps: A sentence for each stage, in order.
        besides: The other interactions, in sum; empty without any.
        left: Planned interactions that were needed and not done; empty without any.
    """

    steps: tuple[str, ...]
    besides: str
    left: str


def tell(world: World, found: EpisodeStages) -> Narration:
    """Narrate an episode.

    Args:
        world: The rules.
        found: Its stages.
    """
    return Narration(
        tuple(_sentence(world, stage) for stage in found.stages),
        _sum(world, found.others),
        _sum(world, found.left),
    )


def _sentence(world: World, stage: EpisodeStage) -> str:
    first, last = stage.deeds[0].step, stage.deeds[-1].step
    when = f"Step {first}" if first == last else f"Steps {first} to {last}"
    where = _where(stage.start, stage.deeds[0].stood)
    what, reasons = _what(world, stage), list(_reasons(stage))
    if not reasons and not what.endswith(_VAIN):
        reasons = ["to clear the way"]
    why = f", {listed(reasons, ', and')}" if reasons else ""
    return f"{when}, {where}: {what}{why}."


def _where(start: Cell, end: Cell) -> str:
    """Where one cell lies from another, with north upwards."""
    east, south = end[0] - start[0], end[1] - start[1]
    if abs(east) + abs(south) <= 1:
        return "here"
    vertical = f"{abs(south)} {'south' if south > 0 else 'north'}" if south else ""
    horizontal = f"{abs(east)} {'east' if east > 0 else 'west'}" if east else ""
    return listed(filter(None, (vertical, horizontal)))


def _what(world: World, stage: EpisodeStage) -> str:
    """The interaction, as an imperative."""
    _, _, subject = stage.rule.partition(".")
    times = len(stage.deeds)
    match world[stage.rule] if subject else None:
        case Collect() as rule:
            return _collecting(rule, stage.deeds)
        case Creature() if subject == "plant":
            return f"eat {_some(f'ripe {subject}', times, countable=True)}"
        case Creature() as rule:
            return f"{'kill and eat' if rule.eatable else 'kill'} {_some(subject, times)}"
        case Make() as rule:
            return f"make {_some(subject, times * rule.gives)}"
        case Place():
            return f"place {_some(subject, times, countable=True)}"
    return "sleep until rested" if times == 1 else f"sleep {_times(times)}"


def _collecting(rule: Collect, done: Sequence[Interaction]) -> str:
    hits = Counter(i for deed in done for i in rule.yields if f"collect_{i}" in deed.counted)
    cells = len({deed.cell for deed in done})
    source = _some(rule.subject, cells) if rule.subject in _COUNTABLE else spaced(rule.subject)
    tries = f" in {len(done)} tries" if len(done) > hits.total() > 0 else ""
    chances = [item for item, given in rule.yields.items() if given.probability]
    if not hits and chances:
        wanted = listed((_some(item, 1) for item in chances), " or")
        return f"try {source} {_times(len(done))} for {wanted}, {_VAIN}"
    if not hits:
        return f"clear {source}"
    if set(hits) == {"drink"}:
        return f"drink from {source}{tries}"
    amounts = [_some(item, n * rule.yields[item].amount) for item, n in hits.items()]
    whence = "" if set(hits) == {rule.subject} else f" from {source}"
    return f"take {listed(amounts)}{whence}{tries}"


def _reasons(stage: EpisodeStage) -> Iterator[str]:
    if stage.used_by:
        yield f"for {listed(_user(rule) for rule in stage.used_by)}"
    if stage.held_for:
        yield f"to collect from {listed(_subject(rule) for rule in stage.held_for)}"
    if stage.beside:
        yield f"to make {_tools(stage.beside)} beside it"
    if stage.same_place and not stage.used_by:
        yield f"to {_next(stage.same_place)}"
    if stage.meant_for and not stage.used_by:
        yield f"meant for {listed(_meant(rule) for rule in stage.meant_for)}"
    if stage.unlocked:
        kind = "achievement" if len(stage.unlocked) == 1 else "achievements"
        yield f"for the {kind} {listed(map(spaced, stage.unlocked))}"


def _next(rule: str) -> str:
    """The next interaction with the same cell."""
    if rule == "creature.plant":
        return "eat it once it is ripe"
    verb = "collect from" if rule.startswith("collect.") else "place"
    return f"{verb} {_the(rule)} there"


def _tools(rules: Sequence[str]) -> str:
    if len(rules) > _MANY:
        return f"{len(rules)} tools"
    return listed(_the(rule) for rule in rules)


def _meant(rule: str) -> str:
    """The intended use of an item."""
    return f"collecting from {_subject(rule)}" if rule.startswith("collect.") else _user(rule)


def _user(rule: str) -> str:
    """The interaction that used up an item, in words."""
    if rule.startswith("place.") and _subject(rule) not in _COUNTABLE:
        return f"{_subject(rule)} to place"
    return _the(rule)


def _the(rule: str) -> str:
    return f"the {_subject(rule)}"


def _subject(rule: str) -> str:
    return spaced(rule.partition(".")[2])


def _sum(world: World, counts: Counter[str]) -> str:
    """Interactions with counts: ``drinking from water 12 times and placing a stone twice``."""
    return listed(f"{_doing(world, rule)} {_times(n)}" for rule, n in sorted(counts.items()))


def _doing(world: World, rule_id: str) -> str:
    _, _, subject = rule_id.partition(".")
    plural = spaced(subject) + "s" * (subject in _COUNTABLE)
    match world[rule_id] if subject else None:
        case Collect() as rule:
            return f"{'drinking' if set(rule.yields) == {'drink'} else 'collecting'} from {plural}"
        case Creature() as rule:
            verb = "eating" if rule.eatable or subject == "plant" else "killing"
            return f"{verb} {with_article(spaced(subject))}"
        case Make():
            return f"making {with_article(spaced(subject))}"
        case Place():
            return f"placing {with_article(spaced(subject))}"
    return "sleeping"


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def _some(name: str, amount: int, *, countable: bool | None = None) -> str:
    """``a table``, ``3 trees``, ``2 wood``."""
    text = spaced(name)
    if not (name in _COUNTABLE if countable is None else countable):
        return f"{amount} {text}"
    return with_article(text) if amount == 1 else f"{amount} {text}s"
