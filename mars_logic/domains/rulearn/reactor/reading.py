"""The reactor's rule as people and language models describe it: cases and what each makes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from mars_logic.domains.rulearn.language import SentenceError
from mars_logic.domains.rulearn.reactor.rules import Reactor
from mars_logic.domains.rulearn.reactor.words import CONDITIONS, case_heard, program_heard
from mars_logic.world.words.contract import only_reading
from mars_logic.world.words.kinds import named
from mars_logic.world.words.parts import Part, either, maybe, say
from mars_logic.world.words.scan import Scan
from mars_logic.world.words.vocabulary import SynonymTable

_NOUNS: Final = tuple(
    f"{noun}{s}"
    for noun in ("input", "material", "reactant", "string", "ingredient", "word")
    for s in ("", "s")
)
_NUMBERED: Final = {"first": ("1", "one"), "second": ("2", "two"), "longer": (), "shorter": ()}
_SYNONYMS: Final = {
    "inputs": tuple(noun for noun in _NOUNS if noun.endswith("s")),
    **{
        order: (
            *(f"{order} {noun}" for noun in (*_NOUNS, "one")),
            *(f"{noun} {number}" for noun in _NOUNS for number in numbers),
        )
        for order, numbers in _NUMBERED.items()
    },
    "if": ("when",),
    "otherwise": ("else", "in other cases", "in all other cases", "in any other case", "if not"),
    "": ("simply", "just"),
    "in front of": ("before", "prepended to"),
    "behind": ("after", "appended to", "to the end of", "at the end of"),
    "in middle of": tuple(
        f"{place} {middle} of"
        for place in ("in", "into", "in to", "inside")
        for middle in ("middle", "center", "centre")
    ),
    "then": ("and then",),
    "goes": (
        *("is", "comes", "gets"),
        *(
            f"{auxiliary}{verb}"
            for verb in ("put", "inserted", "placed", "added", "set")
            for auxiliary in ("", "is ", "gets ")
        ),
    ),
    "joins": ("concatenates", "glues"),
    "joined": ("concatenated", "glued"),
    "backwards": ("in reverse order", "in reversed order", "in opposite order"),
    "same": ("an equal", "equal", "equals"),
    "length": ("lengths",),
}
_WORDS: Final = SynonymTable.of(_SYNONYMS, fillers=("", "the", "-", "\u2013", "\u2022"))
"""``a`` is no filler: it may be a material."""

_INPUT: Final = named(_NUMBERED)
_ALL: Final = maybe(either(say("both"), say("two"), say("both of")))


def _product() -> Part:
    """What a case makes; ``one`` and ``other`` are what comes first and last, or in and around."""
    pair = {"one": _INPUT, "other": _INPUT}
    several = {"all": _ALL}
    in_order = {"one": "first", "other": "second", "form": "joined"}
    backwards = {"one": "second", "other": "first", "form": "joined"}
    joining = (
        "[reactor ][it ]joins {all} inputs",
        "{all} inputs are joined",
        "joined {all} inputs",
    )
    return either(
        *(
            say(template, **pair, form="joined")
            for template in (
                "{one} [goes ]followed by {other}",
                "{one} [goes ]then {other}",
                "{one} [goes ]+ {other}",
                "{one} [goes ]in front of {other}",
                "{other} [goes ]behind {one}",
                "[reactor ][it ]joins {one} and {other}",
                "[reactor ][it ]joins {one} with {other}",
            )
        ),
        *(say(f"{each}[ together]", **several, **in_order) for each in joining),
        *(say(f"{each} in order", **several, **in_order) for each in joining),
        *(say(f"{each} backwards", **several, **backwards) for each in joining),
        say("{one} [goes ]in middle of {other}", **pair, form="middle"),
    )


def _condition() -> Part:
    equal = either(
        *(
            say(template, all=_ALL)
            for template in (
                "{all} [inputs ]are equally long",
                "{all} [inputs ]have [a ]same length",
                "{all} [inputs ]are of [a ]same length",
                "they have [a ]same length",
                "length are same",
                "length of {all} inputs are same",
                "{all} inputs are same length",
            )
        )
    )
    return either(
        say("{equal}", equal=equal, when="equal_lengths"),
        *(say(phrase, when=name) for name, phrase in CONDITIONS.items()),
    )


_FORM: Final = either(
    say("always {made}", made=_product(), case="always"),
    say("otherwise[ it][ reactor] {made}", made=_product(), case="otherwise"),
    say("if {when} [then ]{made}", when=_condition(), made=_product(), case="if"),
    say("{made}", made=_product(), case=""),
)


@dataclass(frozen=True)
class ProgramReader:
    """The cases of a rule so far.

    Attributes:
        cases: Each as a file states it.
        begins: How each begins: ``always``, ``otherwise``, ``if``, or without such a word.
        whole: A rule that is told in one sentence; None if there is none.
    """

    cases: tuple[dict[str, Any], ...] = ()
    begins: tuple[str, ...] = ()
    whole: Any = None

    whole_only: ClassVar[bool] = True

    @classmethod
    def of(cls, theory: Reactor) -> ProgramReader:  # noqa: ARG003
        """A reader for a puzzle."""
        return cls()

    @staticmethod
    def forms(theory: Reactor) -> list[str]:  # noqa: ARG004
        """Rules of one case and of two."""
        return [
            "Always: the first input followed by the second input.",
            "If both inputs are equally long: the second input in the middle of the first one. "
            "Otherwise: the shorter input in the middle of the longer one.",
            "If the first input is the longer one: the first input from position 1 followed by the "
            "second input; and the first input up to position 1. Otherwise: the second input, then "
            "the result is reversed.",
        ]

    def plus(self, sentence: str) -> ProgramReader:
        """The same with the cases of one more sentence.

        Raises:
            UnreadError: It cannot be read, or does not go with the cases before.
        """
        told = sentence.startswith("The rule is ")
        found = program_heard(sentence) if told else _cases(sentence)
        if self.whole is not None or (self.begins and (told or self.begins[-1] != "if")):
            problem = "it states two rules; allowed: conditions for all cases but the last"
            raise SentenceError(problem, sentence)
        if told:
            return ProgramReader(whole=found)
        cases, begins = self.cases, self.begins
        for begin, case in found:
            if begin != "if" and (begin == "otherwise") != bool(cases):
                problem = "no case is before or behind it; allowed: 'If …: …' before 'Otherwise: …'"
                raise SentenceError(problem, sentence)
            cases, begins = (*cases, case), (*begins, begin)
        return ProgramReader(cases, begins)

    def stated(self) -> dict[str, Any]:
        """The rule.

        Raises:
            SentenceError: Its last case has a condition.
        """
        if self.whole is not None:
            return {"rule": self.whole}
        if self.begins[-1] == "if":
            raise SentenceError("its last case has a condition; allowed: 'Otherwise: …'")
        return {"rule": list(self.cases)}


def _cases(sentence: str) -> list[tuple[str, dict[str, Any]]]:
    """The cases of a sentence, each with how it begins; ``otherwise`` begins one.

    Raises:
        UnreadError: One cannot be read.
    """
    clauses = re.split(r"[;,.]? +(?=(?:otherwise|else)\b)", sentence, flags=re.I)
    return [_case(each, sentence) for each in clauses]


def _case(clause: str, sentence: str) -> tuple[str, dict[str, Any]]:
    """How a case begins, and the case.

    Raises:
        UnreadError: It cannot be read.
    """
    ended = clause if clause.endswith(".") else f"{clause}."
    try:
        case = case_heard(f"{ended[0].upper()}{ended[1:]}")
    except SentenceError:
        pass
    else:
        return ended.partition(":")[0].partition(" ")[0].lower(), case
    fields = only_reading(_FORM, Scan(_WORDS.words_of(clause), _WORDS), clause)
    if fields["one"] == fields["other"]:
        raise SentenceError(f"it names the {fields['one']} input twice; allowed: once", sentence)
    when = {"if": [fields["when"]]} if "when" in fields else {}
    made = {"join": _joined(fields["one"], fields["other"], fields["form"])}
    return fields["case"], {**when, "products": [made]}


def _joined(one: str, other: str, form: str) -> list[dict[str, Any]]:
    if form == "joined":
        return [{"of": one}, {"of": other}]
    return [{"of": other, "to": "middle"}, {"of": one}, {"of": other, "from": "middle"}]
