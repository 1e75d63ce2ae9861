"""Passwords as people and language models describe them: digits and what each counts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, ClassVar, Final

from mars_logic.domains.rulearn.escape_room.rules import ATTRIBUTES, FOCUS, EscapeRoom
from mars_logic.domains.rulearn.escape_room.words import DIGIT, hint_heard, password_heard
from mars_logic.domains.rulearn.language import SentenceError
from mars_logic.world.uncertain import UNKNOWN
from mars_logic.world.words.contract import only_reading
from mars_logic.world.words.kinds import Saying, Several, named
from mars_logic.world.words.parts import Fields, Part, Slot, either, maybe, patterns, say
from mars_logic.world.words.scan import Scan
from mars_logic.world.words.vocabulary import SynonymTable

_DIGITS: Final = tuple(f"digit-{place}" for place in range(1, 10))
_ORDINALS: Final = (
    *(("first", "1st"), ("second", "2nd"), ("third", "3rd"), ("fourth", "4th"), ("fifth", "5th")),
    *(("6th",), ("7th",), ("8th",), ("9th",)),
)
_BY_HINT: Final = tuple(
    f"{verb} {link} {hint}"
    for verb in ("named", "mentioned", "given", "stated", "told", "specified")
    for link in ("by", "in")
    for hint in ("hint", "note", "clue")
)
_SYNONYMS: Final = {
    "painting": ("paintings", "picture", "pictures"),
    "watercolor": (
        *("watercolors", "watercolour", "watercolours", "water-color", "water-colour"),
        *("water color", "water colors", "water colour", "water colours"),
    ),
    "oil": ("oils",),
    "acrylic": ("acrylics",),
    "black": ("dark", "dark-colored", "dark-coloured"),
    "color": ("colors", "colour", "colours", "colored", "coloured"),
    "medium": ("media",),
    "number": ("numbers", "count", "amount", "total number"),
    "hint": ("note", "clue"),
    "names": ("mentions", "says", "tells"),
    "hinted": (*_BY_HINT, "of hint", "in hint", "of note", "in note"),
    "is": ("are", "equals", "is equal to", "=", "shows", "gives"),
    "that": ("which",),
    "code": ("password", "digits"),
    "and": ("while",),
    **{
        digit: (f"digit {digit[-1]}", *(f"{ordinal} digit" for ordinal in ordinals))
        for digit, ordinals in zip(_DIGITS, _ORDINALS, strict=True)
    },
}
_WORDS: Final = SynonymTable.of(_SYNONYMS, fillers=("", "a", "an", "the", "-", "\u2013", "\u2022"))


def _value(attribute: str) -> Part:
    """A value of an attribute, or one that it does not have."""
    kind = named(ATTRIBUTES[attribute])
    denied = Slot((attribute,), Saying(kind, lambda value: {"not": value}))
    return either(Slot((attribute,), kind), say("not {value}", value=denied))


_COLOR, _MEDIUM = _value("color"), _value("medium")
_VALUES: Final = {"color": _COLOR, "medium": _MEDIUM}


def _hinted(focus: str) -> Part:
    """What is told behind paintings that have the value which the hint names."""
    return either(
        *(
            say(template, **{focus: FOCUS})
            for template in (
                "hinted",
                f"in hinted {focus}",
                f"of hinted {focus}",
                f"in {focus} hinted",
                f"of {focus} hinted",
                f"in {focus} [that ]hint names",
                f"of {focus} [that ]hint names",
                f"whose {focus} hint names",
                f"whose {focus} is hinted",
                f"whose {focus} is what hint names",
            )
        )
    )


def _counted(focus: str) -> Part:
    """``blue oil paintings``, and what else paintings are told by."""
    hinted = say(f"hinted[ {focus}]", **{focus: FOCUS})
    plain = {each: Slot((each,), named(values)) for each, values in ATTRIBUTES.items()}
    adjective = either(
        *plain.values(), hinted
    )  # "counts not the blue ones" does not say what is counted
    quality = either(
        _hinted(focus),
        say("[that ]is {each}", each=either(_COLOR, _MEDIUM, hinted)),
        say("in {color}[ color]", color=_COLOR),
        say("of {color} color", color=_COLOR),
        say("made in {medium}", medium=_MEDIUM),
        say("made with {medium}", medium=_MEDIUM),
        *(
            say(f"{before} {{value}}", value=value)
            for attribute, value in _VALUES.items()
            for before in (f"whose {attribute} is", f"with {attribute}", f"of {attribute}")
        ),
    )
    slots = {
        "adjectives": maybe(
            say("{one}{more}", one=adjective, more=maybe(say(" {two}", two=adjective)))
        ),
        "medium": plain["medium"],
        "qualities": maybe(
            say("{one}{more}", one=quality, more=maybe(say("[ and] {two}", two=quality)))
        ),
    }
    return patterns(slots, "{adjectives}painting{qualities}", "{adjectives}{medium}{qualities}")


def _several(element: Part) -> Several:
    """A list of parts of a sentence, each with a ``name``; it is only read."""
    return Several(element, unpack=lambda _: [], pack=tuple, empty=None)


@cache
def _form(focus: str) -> Part:
    """Sentences on digits while the hint is about an attribute."""
    digit = patterns(
        {"name": named(_DIGITS), "what": _counted(focus)},
        "{name} [is ]number of {what}",
        "{name} [is ]how many {what} there is",
        "{name} counts {what}",
    )
    return either(
        say("[and ]{digits}", digits=_several(digit)),
        *(
            say(
                "[code ]is number of {list} painting{hinted}[respectively]",
                list=_several(say("{name}", name=named(values))),
                hinted=maybe(_hinted(focus)),
                listed=attribute,
            )
            for attribute, values in ATTRIBUTES.items()
        ),
    )


@dataclass(frozen=True)
class PasswordReader:
    """What is stated of a password so far; what is not is open.

    Attributes:
        rule: The rule as far as the manual tells it, as a file states it.
        digits: By place, from 0, the term of a digit.
        order: The values that the hint names one after the other; None if they are not stated.
        whole: A rule that is told in one sentence; None if there is none.
    """

    rule: Mapping[str, Any]
    digits: Mapping[int, Any] = field(default_factory=dict)
    order: tuple[str, ...] | None = None
    whole: Any = None

    whole_only: ClassVar[bool] = False

    @classmethod
    def of(cls, theory: EscapeRoom) -> PasswordReader:
        """A reader for a puzzle."""
        return cls(theory.rule.model_dump(mode="json"))

    @staticmethod
    def forms(theory: EscapeRoom) -> list[str]:
        """Two digits."""
        focus = theory.rule.focus
        other = "medium is oil" if focus == "color" else "color is blue"
        return [
            f"Digit 1 is the number of paintings whose {other} and whose {focus} is what the hint "
            "names.",
            "Digit 2 is the difference of (the number of paintings whose color is not green) and "
            "(the number of paintings whose medium is oil).",
        ]

    def plus(self, sentence: str) -> PasswordReader:
        """The same with the digits of one more sentence.

        Raises:
            UnreadError: It cannot be read, states another term than a sentence before, or
                something that the puzzle does not have.
        """
        if self.whole is not None:
            raise SentenceError("it states two rules; allowed: one", sentence)
        if sentence.startswith("The rule is "):
            if self.digits or self.order:
                raise SentenceError("it states two rules; allowed: one", sentence)
            return replace(self, whole=password_heard(sentence))
        if sentence.startswith("The hint names a "):
            return self._with_hint(*hint_heard(sentence))
        if told := re.fullmatch(r"Digit ([0-9]+) is (.+)\.", sentence):
            try:
                term = DIGIT.hear(told[2])
            except SentenceError:
                pass
            else:
                return self._with_digit(int(told[1]) - 1, term)
        found = self
        for place, term in self._terms(sentence):
            found = found._with_digit(place, term)
        return found

    def stated(self) -> dict[str, Any]:
        """The rule, as a file states it."""
        if self.whole is not None:
            return {"rule": self.whole}
        digits = [self.digits.get(at, UNKNOWN.value) for at in range(len(self.rule["digits"]))]
        order = {} if self.order is None else {"focus_order": list(self.order)}
        return {"rule": {**self.rule, **order, "digits": digits}}

    def _with_hint(self, focus: str, order: Sequence[str]) -> PasswordReader:
        told, first = self.rule["focus"], self.rule["focus_order"][0]
        if (focus, order[0]) != (told, first):
            raise SentenceError(f"the hint is another one; allowed: a {told}, first {first}")
        return replace(self, order=tuple(order))

    def _with_digit(self, place: int, term: Any) -> PasswordReader:
        many = len(self.rule["digits"])
        if not 0 <= place < many:
            raise SentenceError(f"there is no digit {place + 1}; allowed: 1 to {many}")
        if self.digits.get(place, term) != term:
            raise SentenceError(f"digit {place + 1} is stated twice; allowed: once")
        return replace(self, digits={**self.digits, place: term})

    def _terms(self, sentence: str) -> list[tuple[int, Any]]:
        """The digits of another sentence: places with what is counted.

        Raises:
            UnreadError: It cannot be read.
        """
        scan = Scan(_WORDS.words_of(sentence), _WORDS)
        fields = only_reading(_form(self.rule["focus"]), scan, sentence)
        if "digits" in fields:
            return [(_DIGITS.index(each["name"]), _count(each)) for each in fields["digits"]]
        names, many = [each["name"] for each in fields["list"]], len(self.rule["digits"])
        if len(names) != many:
            raise SentenceError(f"there are {many} digits; allowed: a list of {many}")
        attribute = fields["listed"]
        return [(at, _count({**fields, attribute: name})) for at, name in enumerate(names)]


def _count(fields: Fields) -> dict[str, Any]:
    return {"count": {each: fields[each] for each in ATTRIBUTES if each in fields}}
