"""Proposals: what a line that cannot be read may mean, as canonical sentences to be confirmed.

The facts of the vocabulary are ranked by how much of a line they explain: its names, its numbers,
and words that are cues for a field. A proposal is no reading: nothing is judged by it until a
person has confirmed it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from pydantic import ValidationError

from mars_logic.world.rules import FAMILIES, Rename, Rule
from mars_logic.world.trace_rules import Eat
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words.contract import without_lead
from mars_logic.world.words.fact_options import IMPLIED, FactOption, Places, options
from mars_logic.world.words.fact_sentences import facts_sentence, is_read
from mars_logic.world.words.facts import Exactly, Excluding, Fact, rule_of
from mars_logic.world.words.grammar import nouns_of
from mars_logic.world.words.mentions import Mentions, mentions
from mars_logic.world.words.nouns import CRAFTER
from mars_logic.world.words.sentences import parse_facts

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
_RARE: Final[dict[type[Rule], float]] = {Rename: 2.0}
"""What a family costs of which lines are seldom."""
_MARGIN: Final = 2.0
"""By how much one proposal has to be ahead of all others to be taken alone."""


@dataclass(frozen=True)
class ProposedSentence:
    """What a line may mean.

    Attributes:
        sentence: It as a sentence that is read.
        alone: Whether nothing else comes near, it accounts for nearly all words, and the line
            neither hedges nor asks.
    """

    sentence: str
    alone: bool = False


class Proposer(NamedTuple):
    """Proposals about a world or a puzzle.

    Attributes:
        proposals: What a line may mean, the likeliest first.
        require_read: Refuses a sentence that cannot be read, with an ``UnreadError``.
    """

    proposals: Callable[[str], Sequence[ProposedSentence]]
    require_read: Callable[[str], object]


def proposer_of(words: Vocabulary) -> Proposer:
    """Proposals about a world of a vocabulary."""
    return Proposer(partial(proposals, words=words), partial(parse_facts, words=words))


@dataclass(frozen=True)
class Proposal(ProposedSentence):
    """What a line may mean about a world.

    Attributes:
        facts: What the sentence states, all about one rule.
        explained: The share of the line's words for which it accounts, from 0 to 1.
    """

    facts: tuple[Fact, ...] = ()
    explained: float = 0.0


@dataclass(frozen=True)
class _Ranked:
    """Facts of one rule, and how much of a line they explain."""

    kind: type[Rule]
    subject: str
    chosen: tuple[FactOption, ...]
    used: Places
    score: float


def proposals(line: str, words: Vocabulary = CRAFTER, most: int = MOST) -> tuple[Proposal, ...]:
    """What a line may mean, the likeliest first; nothing if it names nothing of the vocabulary.

    Args:
        line: The line, which no form reads.
        words: The vocabulary of its world.
        most: How many proposals are made at most.

    A line of more than 60 words, or 12 names, gets none.

    >>> [each.sentence for each in proposals("Table recipe: wood x2.", most=1)]
    ['Placing a table uses 2 wood.']
    """
    seen = mentions(without_lead(line), words)
    if len(seen.words) > _LONGEST or len(seen.named) > _MOST_NAMES:
        return ()
    found: dict[str, tuple[_Ranked, tuple[Fact, ...]]] = {}
    for ranked in sorted(_ranked(seen, words), key=lambda each: -each.score):
        facts = _facts(ranked, words)
        sentence = facts_sentence(facts, words) if facts else None
        if facts and sentence and sentence not in found and is_read(sentence, words):
            found[sentence] = (ranked, facts)
        if len(found) > most:
            break
    scores = [each.score for each, _ in found.values()]
    return tuple(
        Proposal(
            sentence,
            number == 0 and _is_alone(seen, each, scores),
            facts,
            _share(seen, each.used),
        )
        for number, (sentence, (each, facts)) in enumerate([*found.items()][:most])
    )


def _is_alone(seen: Mentions, best: _Ranked, scores: list[float]) -> bool:
    """Whether nothing comes near what explains every word of a line that is plain."""
    plain = not (seen.doubtful or seen.negations or seen.cued("unless"))
    chosen = "or" not in seen.words or any(each.field == "where" for each in best.chosen)
    near = len(scores) > 1 and scores[0] - scores[1] < _MARGIN
    return plain and chosen and not near and seen.content <= best.used


def _ranked(seen: Mentions, words: Vocabulary) -> Iterator[_Ranked]:
    """Every rule with a subject that a line names, with facts that it may mean."""
    nouns = nouns_of(words)
    kinds: tuple[type[Rule], ...] = (*FAMILIES, Eat) if nouns.eaten else FAMILIES
    for kind in kinds:
        family = seen.cued(kind.family)
        for subject, places in _subjects(words.subjects[kind.family], kind, seen):
            known = options(kind, subject, places, seen, nouns)
            for first in known:
                yield _grown(kind, subject, places, family, first, known, seen)


def _subjects(
    subjects: tuple[str, ...], kind: type[Rule], seen: Mentions
) -> Iterator[tuple[str, Places]]:
    """The subjects that a family may have here, with the positions of their names."""
    for name, span in seen.named:
        if name in subjects:
            yield name, span.places
        elif name == "sapling" and "plant" in subjects and kind.family == "place":
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


def _facts(ranked: _Ranked, words: Vocabulary) -> tuple[Fact, ...] | None:
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
        rule_of(found.values(), words)
    except ValidationError:
        return None
    return tuple(sorted(found.values(), key=str))
