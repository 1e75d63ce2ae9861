"""The contract of all readers of sentences, those of worlds and those of puzzles.

A sentence is read only by forms that begin at its first word and end behind its last one. No form
is searched for inside a sentence, so a negation, a hedge, a condition or a plan that no form has
leaves the sentence unread. A sentence that is not read is reported with the words that stopped it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final, NamedTuple

from mars_logic.errors import InputError

if TYPE_CHECKING:
    from mars_logic.world.words.parts import Fields, Part
    from mars_logic.world.words.scan import Scan
    from mars_logic.world.words.vocabulary import Word

_LEAD: Final = re.compile(
    r"\s*(?:(?:[-*+\u2022>]+|\(?[0-9]+[.):]|(?i:rule|fact|finding)\s+[0-9]+[.:]"
    r"|\**(?i:(?:(?:my|current|new|revised)\s+)?hypothesis"
    r"|rule|fact|finding|observation|result|conclusion|note|tip|psa):\**)(?:\s+|$))*"
)
QUOTED: Final = 160
"""Characters of a sentence that an error message repeats."""
_LISTED: Final = 8
"""Maximum number of expected words that an error message lists; beyond it, names are omitted."""


class UnreadError(InputError):
    """A sentence, or what it states, cannot be read.

    Attributes:
        problem: Description of the error.
        sentence: The sentence; empty where a part of one is read.
        unread: The words that stopped the reader; empty if the sentence ends too early, or if its
            words were read but their statement is not allowed.
    """

    def __init__(self, problem: str, sentence: str = "", unread: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.sentence = sentence
        self.unread = unread


class Stop(NamedTuple):
    """Where all readings of a sentence ended.

    Attributes:
        problem: The same in words, with the words that were expected.
        unread: The words that stopped them; empty if the sentence ends too early.
        suggestion: The word probably intended, if there is one.
    """

    problem: str
    unread: str
    suggestion: str | None


def without_lead(sentence: str) -> str:
    """A sentence without bullets, numbers and labels before it, such as ``2.`` or ``Rule:``."""
    return _LEAD.sub("", sentence, count=1)


def readings(part: Part, scan: Scan) -> Iterator[Fields]:
    """Every way in which a form reads a whole sentence: all words from the first to the last one.

    The scan keeps where the other ways ended.
    """
    for fields, end in part.read(scan, 0, {}):
        if end == len(scan.words):
            yield fields
        else:
            scan.fail(end, "the end of the sentence")


def only_reading(part: Part, scan: Scan, sentence: str) -> Fields:
    """The one way in which a form reads a whole sentence.

    Raises:
        UnreadError: There is none, or there are several that differ.
    """
    found = [*readings(part, scan)]
    if not found:
        stopped = stop(sentence, [scan])
        raise UnreadError(stopped.problem, sentence, stopped.unread)
    if any(each != found[0] for each in found):
        raise UnreadError(f"{quote(sentence)} can be read in several ways", sentence)
    return found[0]


def stop(sentence: str, scans: Sequence[Scan], names: Collection[str] = ()) -> Stop:
    """The words at the furthest position that any reading of a sentence reached.

    Args:
        sentence: The sentence.
        scans: Of each form that was tried, all of the same words.
        names: Words that are left out where too many are expected.
    """
    furthest = max(scan.furthest for scan in scans)
    best = [scan for scan in scans if scan.furthest == furthest]
    words = best[0].words
    wanted = sorted({word for scan in best for word in scan.wanted})
    objections = {word: at for scan in best for word, at in scan.objections.items()}
    seen = words[furthest].text if furthest < len(words) else ""
    meant = next(iter(get_close_matches(seen, wanted, n=1)), None)
    if meant:
        unread, hint = (furthest, furthest + 1), f' (did you mean "{meant}"?)'
    elif objections:
        unread, hint = (min(objections.values()), furthest), _expected(sorted(objections), names)
    else:
        unread, hint = (furthest, len(words)), _expected(wanted, names)
    quoted = _between(sentence, words[slice(*unread)])
    problem = cannot_read(quoted, sentence) if quoted else f"{quote(sentence)} ends too early"
    return Stop(problem + hint, quoted, meant)


def cannot_read(unread: str, sentence: str) -> str:
    """The message that some words of a sentence cannot be read."""
    return f"cannot read {quote(unread)} in {quote(sentence)}"


def quote(text: str) -> str:
    """A text in quotation marks on one line, cut if it is long."""
    line = " ".join(text.split())
    return f'"{line if len(line) <= QUOTED else line[: QUOTED - 4] + " ..."}"'


def _between(sentence: str, words: Sequence[Word]) -> str:
    return sentence[words[0].start : words[-1].end] if words else ""


def _expected(wanted: list[str], names: Collection[str]) -> str:
    if len(wanted) > _LISTED:
        wanted = [*(word for word in wanted if word not in names), "a name"]
    if len(wanted) > _LISTED:
        return ""
    *most, last = wanted
    return f" (expected {', '.join(most)}{' or ' if most else ''}{last})"
