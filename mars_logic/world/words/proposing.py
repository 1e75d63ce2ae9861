"""Proposals: what a line that cannot be read may mean, as canonical sentences to be confirmed.

The facts of the vocabulary are ranked by how much of a line they explain: its names, its numbers,
and words that are cues for a field. A proposal is no reading: nothing is judged by it until a
person has confirmed it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pydantic import ValidationError

from mars_logic.world import names
from mars_logic.world.rules import FAMILIES, Rename, Rule
from mars_logic.world.words.contract import without_lead
from mars_logic.world.words.fact_options import IMPLIED, FactOption, Places, options
from mars_logic.world.words.facts import Exactly, Excluding, Fact, Signed, rule_of
from mars_logic.world.words.kinds import spaced, with_article
from mars_logic.world.words.listing import join
from mars_logic.world.words.mentions import Mentions, mentions
from mars_logic.world.words.sentences import ParseError, parse_facts, tell_part

MOST: Final = 3
"""Proposals for a line."""
_LONGEST: Final = 60
"""Words of a line for which proposals are sought: longer ones state more than a rule."""
_MOST_NAMES: Final = 12
"""Names in a line for which proposals are sought."""
_NAME, _NUMBER, _CUE, _FILLER, _NEGATION = 3.0, 2.5, 1.0, 0.3, 2.0
_FACT: Final = 0.7
"""What each fact of a proposal costs, so that it has to explain something."""
_NO_CUE: Final = 1.0
"""What a fact without a cue costs besides."""
_FIRST: Final = 0.6
"""What it is worth that the line begins with the name of the subject."""
_FLAGS: Final = ("eatable", "attacks", "shoots", "collectable")
_BLOWS: Final = {"attack_health_factor": "A hit", "arrow_health_factor": "An arrow"}
_COUNTED: Final = ("tree", "table", "furnace", *names.BEINGS, *names.TOOLS)
"""Names with an article."""
_RARE: Final[dict[type[Rule], float]] = {Rename: 2.0}
"""What a family costs of which lines are seldom."""
_MARGIN: Final = 2.0
"""By how much one proposal has to be ahead of all others to be taken alone."""


@dataclass(frozen=True)
class Proposal:
    """What a line may mean.

    Attributes:
        sentence: It as a sentence that is read.
        facts: What the sentence states, all about one rule.
        explained: The share of the line's words for which it accounts, from 0 to 1.
        alone: Whether nothing else comes near, it accounts for nearly all words, and the line
            neither hedges nor asks.
    """

    sentence: str
    facts: tuple[Fact, ...]
    explained: float
    alone: bool = False


@dataclass(frozen=True)
class _Ranked:
    """Facts of one rule, and how much of a line they explain."""

    kind: type[Rule]
    subject: str
    chosen: tuple[FactOption, ...]
    used: Places
    score: float


def proposals(line: str, most: int = MOST) -> tuple[Proposal, ...]:
    """What a line may mean, the likeliest first; nothing if it names nothing of the vocabulary.

    Args:
        line: The line, which no form reads.
        most: How many proposals are made at most.

    A line of more than 60 words, or 12 names, gets none.

    >>> [each.sentence for each in proposals("Table recipe: wood x2.", most=1)]
    ['Placing a table uses 2 wood.']
    """
    seen = mentions(without_lead(line))
    if len(seen.words) > _LONGEST or len(seen.named) > _MOST_NAMES:
        return ()
    found: dict[str, tuple[_Ranked, tuple[Fact, ...]]] = {}
    for ranked in sorted(_ranked(seen), key=lambda each: -each.score):
        facts = _facts(ranked)
        sentence = _sentence(facts) if facts else None
        if facts and sentence and sentence not in found and _is_read(sentence):
            found[sentence] = (ranked, facts)
        if len(found) > most:
            break
    scores = [each.score for each, _ in found.values()]
    return tuple(
        Proposal(
            sentence,
            facts,
            _share(seen, each.used),
            number == 0 and _is_alone(seen, each, scores),
        )
        for number, (sentence, (each, facts)) in enumerate([*found.items()][:most])
    )


def _is_read(sentence: str) -> bool:
    """Whether a sentence is read, in one way only."""
    try:
        parse_facts(sentence)
    except ParseError:
        return False
    return True


def _is_alone(seen: Mentions, best: _Ranked, scores: list[float]) -> bool:
    """Whether nothing comes near what explains every word of a line that is plain."""
    plain = not (seen.doubtful or seen.negations or seen.cued("unless"))
    chosen = "or" not in seen.words or any(each.field == "where" for each in best.chosen)
    near = len(scores) > 1 and scores[0] - scores[1] < _MARGIN
    return plain and chosen and not near and seen.content <= best.used


def _ranked(seen: Mentions) -> Iterator[_Ranked]:
    """Every rule with a subject that a line names, with facts that it may mean."""
    for kind in FAMILIES:
        family = seen.cued(kind.family)
        for subject, places in _subjects(kind, seen):
            known = options(kind, subject, places, seen)
            for first in known:
                yield _grown(kind, subject, places, family, first, known, seen)


def _subjects(kind: type[Rule], seen: Mentions) -> Iterator[tuple[str, Places]]:
    """The subjects that a family may have here, with the positions of their names."""
    for name, span in seen.named:
        if name in kind.subjects:
            yield name, span.places
        elif name == "sapling" and "plant" in kind.subjects and kind.family == "place":
            yield "plant", span.places


def _grown(
    kind: type[Rule],
    subject: str,
    places: Places,
    family: Places,
    first: FactOption,
    known: list[FactOption],
    seen: Mentions,
) -> _Ranked:
    """A fact, and those that explain more of a line besides."""
    rare = _RARE.get(kind, 0.0)
    best = _scored(kind, subject, places | family, (first,), seen, rare)
    while True:
        taken = frozenset().union(*(each.named for each in best.chosen))
        fields = {each.field for each in best.chosen}
        more = [
            _scored(kind, subject, places | family, (*best.chosen, each), seen, rare)
            for each in known
            if each.field not in fields and taken.isdisjoint(each.named)
        ]
        longer = max(more, key=lambda each: each.score, default=best)
        if longer.score <= best.score:
            return best
        best = longer


def _scored(
    kind: type[Rule],
    subject: str,
    known: Places,
    chosen: tuple[FactOption, ...],
    seen: Mentions,
    rare: float,
) -> _Ranked:
    used = known.union(*(each.named | each.cues for each in chosen))
    weight = {at: _CUE if at in seen.content else _FILLER for at in range(len(seen.words))}
    named = {at for _, span in seen.named for at in span.places}
    numbers = {each.place for each in seen.amounts}
    score = -rare
    for _, span in seen.named:
        score += _NAME if span.places <= used else -_NAME
    for place in numbers:
        score += _NUMBER if place in used else -_NUMBER
    for place in seen.negations - named - numbers:
        score += _NEGATION if place in used else -_NEGATION
    score += sum(weight[at] for at in used - named - numbers - seen.negations)
    score -= sum(_FACT + each.doubt + (0.0 if each.cues else _NO_CUE) for each in chosen)
    if seen.named and seen.named[0][1].places <= known:
        score += _FIRST
    return _Ranked(kind, subject, chosen, used, score)


def _share(seen: Mentions, used: Places) -> float:
    content = seen.content
    return len(content & used) / len(content) if content else 0.0


def _facts(ranked: _Ranked) -> tuple[Fact, ...] | None:
    """The facts with the flags that go with them; None if no rule can be like that."""
    rule_id = f"{ranked.kind.family}.{ranked.subject}"
    found = {each.field: Fact(rule_id, each.field, each.said) for each in ranked.chosen}
    for field in [*found]:
        flag, value = IMPLIED.get(field, ("", None))
        if not flag or (field == "yields" and isinstance(found[field].said, Excluding)):
            continue
        stated = found.setdefault(flag, Fact(rule_id, flag, Exactly(value)))
        if stated.said != Exactly(value):
            return None
    try:
        rule_of(found.values())
    except ValidationError:
        return None
    return tuple(sorted(found.values(), key=str))


def _sentence(facts: tuple[Fact, ...]) -> str | None:
    """Facts on one rule as a sentence that states them; None if there is none."""
    special = [e for e in facts if isinstance(e.said, Excluding | Signed) or _only(e)]
    if not special:
        return tell_part(rule_of(facts))
    others = [each for each in facts if each not in special and each.field not in _FLAGS]
    if len(special) > 1 or others:
        return None
    (fact,) = special
    if isinstance(fact.said, Signed):
        return _told_sign(fact)
    family, _, subject = fact.rule.partition(".")
    listed = fact.said.names if isinstance(fact.said, Excluding) else tuple(fact.example)
    if fact.field in ("where", "yields"):
        things = join([spaced(each) for each in listed], lambda _left, _right: "or")
        if family == "collect":
            return f"Collecting from {_one(subject)} never yields {things}."
        verb = "can only be placed" if _only(fact) else "cannot be placed"
        what = _one(subject)
        return f"{what[0].upper()}{what[1:]} {verb} on {things}."
    if len(listed) > 1:
        return None
    doing = {"collect": "Collecting from", "make": "Making", "place": "Placing"}[family]
    near = " nearby" if fact.field == "nearby" else ""
    return f"{doing} {_one(subject)} does not need {_one(listed[0])}{near}."


def _told_sign(fact: Fact) -> str | None:
    """A sentence for points that are gained or lost, without their number."""
    assert isinstance(fact.said, Signed)
    verb = "gives" if fact.said.sign > 0 else "costs"
    family, _, subject = fact.rule.partition(".")
    vital = next((each for each in names.VITALS if each in fact.field), "health")
    what = {
        "walk": f"Walking on {_one(subject)}",
        "drink": f"Drinking {subject}",
        "creature": f"Eating {_one(subject)}",
    }[family]
    if fact.field in _BLOWS:
        what = f"{_BLOWS[fact.field]} of {_one(subject)}"
    return f"{what} {verb} {vital}."


def _one(subject: str) -> str:
    return with_article(spaced(subject)) if subject in _COUNTED else spaced(subject)


def _only(fact: Fact) -> bool:
    return fact.field == "where" and isinstance(fact.said, Exactly)
