"""Rules as data: programs and digits by other means, and sentences that are read back."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic.domains.rulearn.escape_room.reading import PasswordReader
from mars_logic.domains.rulearn.escape_room.rules import EscapeRoom, paintings
from mars_logic.domains.rulearn.escape_room.words import DIGIT, password_sentences
from mars_logic.domains.rulearn.function_operator.reading import FunctionsReader
from mars_logic.domains.rulearn.function_operator.rules import FunctionOperator
from mars_logic.domains.rulearn.function_operator.words import TERMS, VALUE, function_sentences
from mars_logic.domains.rulearn.language import SentenceError
from mars_logic.domains.rulearn.reactor.reading import ProgramReader
from mars_logic.domains.rulearn.reactor.rules import RELEASED_PROGRAMS, Reactor, products
from mars_logic.domains.rulearn.reactor.words import case_heard, program_heard, program_sentences
from mars_logic.world.uncertain import is_uncertain
from tests.domains.rulearn.strategies import functions, opened, passwords, programs

ROOM = {"door": "Hall", "rooms": [{"name": "Hall", "paintings": [44, 45, 56, 60, 61]}]}
many = settings(max_examples=150, deadline=None)


def heard(reader, sentences):
    """What a reader makes of sentences, as a file states it."""
    for each in sentences:
        reader = reader.plus(each)
    return reader.stated()


@pytest.mark.slow
@many
@given(opened(programs()))
def test_programs_are_told_and_read_back(rule):
    theory = Reactor.model_validate({"target": "AB", "rule": rule})
    sentences = program_sentences(theory.rule)
    found = Reactor.model_validate({"target": "AB", **heard(ProgramReader(), sentences)})
    assert found.rule == theory.rule


@many
@given(functions())
def test_functions_are_told_and_read_back(stated):
    theory = FunctionOperator.model_validate({"functions": stated, "params_distinct": False})
    found = heard(FunctionsReader.of(theory), function_sentences(theory))
    assert FunctionOperator.model_validate({**found, "params_distinct": False}) == theory


@pytest.mark.slow
@many
@given(opened(passwords()))
def test_passwords_are_told_and_read_back(rule):
    theory = EscapeRoom.model_validate({**ROOM, "rule": rule})
    told = {"focus": "color", "focus_order": ["blue"], "digits": []}
    if not is_uncertain(theory.rule):
        told = {**theory.rule.model_dump(mode="json")}
    found = heard(PasswordReader(told), password_sentences(theory.rule))
    assert EscapeRoom.model_validate({**ROOM, **found}) == theory


def plain(rule, u, v):
    """The released rules as the paper tells them."""
    longer, shorter = (v, u) if len(v) > len(u) else (u, v)
    middle = -(-len(longer) // 2)
    if rule == 1 or (rule == 4 and (len(u) == len(v) or len({*u, *v}) == 1)):
        return (u + v,)
    if rule == 2:
        return (v + u,)
    if rule == 3:
        return (longer[:middle] + shorter + longer[middle:],)
    return (longer[0] + shorter, longer[1:])


@pytest.mark.parametrize("rule", RELEASED_PROGRAMS)
def test_released_rules(rule):
    texts = [
        "".join(each) for size in (1, 2, 3, 4) for each in itertools.product("AB", repeat=size)
    ]
    for u, v in itertools.product(texts, repeat=2):
        assert products(RELEASED_PROGRAMS[rule], u, v) == plain(rule, u, v)


def evaluated(program, u, v):
    """A program as a file states it, evaluated by the book."""
    tests = {
        "equal_lengths": len(u) == len(v),
        "one_letter": set(u) | set(v) == {u[0]},
        "even_total": (len(u) - len(v)) % 2 == 0,
        "first_single": u == u[0],
        "second_single": v == v[0],
        "first_longer": len(u) > len(v),
        "second_longer": len(u) < len(v),
    }
    case = next(e for e in program if "if" not in e or any(tests[name] for name in e["if"]))
    made = []
    for template in case["products"]:
        texts = [part(each, u, v) for each in template.get("join", template.get("interleave"))]
        if "join" in template:
            text = "".join(texts)
        else:
            zipped = itertools.zip_longest(*texts, fillvalue="")
            text = "".join(a + b for a, b in zipped)
        for name in template.get("then", ()):
            text = done(name, text)
        made += [text] if text else []
    return tuple(made)


def part(piece, u, v):
    size = max(len(u), len(v))
    hosts = {"first": u, "second": v}
    hosts["longer"] = u if len(u) == size else v
    hosts["shorter"] = v if hosts["longer"] is u else u
    host = hosts[piece["of"]]
    places = {"start": 0, "end": len(host), "middle_down": len(host) // 2}
    places["middle"] = len(host) - places["middle_down"]
    begin, end = piece.get("from", "start"), piece.get("to", "end")
    letters = list(host)[places.get(begin, begin) : places.get(end, end)]
    return "".join(letters[::-1] if piece.get("reversed") else letters)


def done(name, text):
    letters = list(text)
    if name == "rotate_left":
        letters = [*letters[1:], *letters[:1]]
    elif name == "rotate_right":
        letters = [*letters[-1:], *letters[:-1]]
    elif name == "drop_adjacent_repeats":
        letters = [key for key, _ in itertools.groupby(letters)]
    elif name == "drop_repeats":
        letters = [each for at, each in enumerate(letters) if each not in letters[:at]]
    else:
        letters = letters[::-1] if name == "reverse" else sorted(letters)
    return "".join(letters)


words = st.text("ABC", min_size=1, max_size=6)


@many
@given(programs(open_fields=False), words, words)
def test_programs_by_the_book(program, u, v):
    rule = Reactor.model_validate({"target": "AB", "rule": program}).rule
    assert products(rule, u, v) == evaluated(program, u, v)


def counted(term, shown, focus):
    """A term as a file states it."""
    if "count" in term:
        return len([each for each in shown if fits(term["count"], each, focus)])
    if "distinct" in term:
        kept = [each for each in shown if fits(term.get("where", {}), each, focus)]
        return len({getattr(each, term["distinct"]) for each in kept})
    if "sum" in term:
        return sum(counted(each, shown, focus) for each in term["sum"])
    one, other = (counted(each, shown, focus) for each in term["difference"])
    return max(one, other) - min(one, other)


def fits(where, painting, focus):
    def holds(attribute, wanted):
        if isinstance(wanted, dict):
            return not holds(attribute, wanted["not"])
        return getattr(painting, attribute) == (focus if wanted == "$focus" else wanted)

    return all(holds(*each) for each in where.items())


@pytest.mark.slow
@many
@given(
    passwords(open_fields=False),
    st.lists(st.sampled_from(sorted(paintings())), min_size=1, max_size=19),
)
def test_passwords_by_the_book(rule, numbers):
    rooms = [{"name": "Hall", "paintings": numbers}]
    puzzle = EscapeRoom.model_validate({"door": "Hall", "rooms": rooms, "rule": rule})
    shown = [paintings()[each] for each in numbers]
    for focus in rule["focus_order"]:
        expected = "".join(str(counted(term, shown, focus))[-1] for term in rule["digits"])
        assert puzzle.password(focus) == expected


@pytest.mark.parametrize(
    ("hear", "sentence"),
    [
        (case_heard, "Always: the third input."),
        (case_heard, "Sometimes: the first input."),
        (program_heard, "The rule is [the first input]."),
        (TERMS.hear, "a times x^7"),
        (VALUE.hear, "three"),
        (DIGIT.hear, "the weight of paintings"),
    ],
)
def test_sentences_that_cannot_be_read(hear, sentence):
    with pytest.raises(SentenceError, match="; allowed: ") as error:
        hear(sentence)
    assert "\n" not in str(error.value)
