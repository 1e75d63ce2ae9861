"""The parser's position in a sentence, and the furthest position that it reached."""

from __future__ import annotations

from dataclasses import dataclass, field

from mars_logic.world.words.vocabulary import CANONICAL, SynonymTable, Word


@dataclass
class Scan:
    """A sentence during parsing, with the furthest position reached and the words expected there.

    Attributes:
        words: The words of the sentence.
        furthest: The furthest position that any attempt reached.
        wanted: Words expected there.
        objections: Problems of words just before it that were parsed but state something
            impossible; with the position at which these words begin.
        vocabulary: The vocabulary of the words.
        in_part: Whether an amount or a number that is not given is open.
    """

    words: tuple[Word, ...]
    vocabulary: SynonymTable = CANONICAL
    in_part: bool = False
    furthest: int = 0
    wanted: set[str] = field(default_factory=set)
    objections: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._texts = tuple(word.text for word in self.words)

    def word(self, at: int) -> str | None:
        """The word at a position, or None behind the last one."""
        return self._texts[at] if at < len(self._texts) else None

    def template(self, text: str) -> tuple[str, ...]:
        """The words of a piece of a form, in the normal form of this sentence."""
        return self.vocabulary.template_words(text)

    def fail(self, at: int, *wanted: str) -> None:
        """Record the mismatch at this position and the words expected there."""
        if self._reached(at):
            self.wanted.update(wanted)

    def object(self, start: int, end: int, wanted: str) -> None:
        """Record that the words between two positions are impossible, and the alternative."""
        if self._reached(end):
            self.objections[wanted] = start

    def _reached(self, at: int) -> bool:
        if at > self.furthest:
            self.furthest = at
            self.wanted = set()
            self.objections = {}
        return at == self.furthest

    def stands(self, at: int, words: tuple[str, ...]) -> bool:
        """Whether these words stand at a position."""
        return self._texts[at : at + len(words)] == words

    def skip(self, at: int, words: tuple[str, ...], plural: bool = False) -> int | None:
        """The position behind these words if they stand here, perhaps in the plural."""
        end = at + len(words)
        if self.stands(at, words):
            return end
        if plural and self.stands(at, (*words[:-1], f"{words[-1]}s")):
            return end
        if end > self.furthest:
            offset = next(n for n, word in enumerate(words) if self.word(at + n) != word)
            self.fail(at + offset, words[offset])
        return None
