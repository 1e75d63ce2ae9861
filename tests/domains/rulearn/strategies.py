"""Random rules of puzzles, with and without open fields, as files state them."""

from __future__ import annotations

from hypothesis import strategies as st

from mars_logic.domains.rulearn.escape_room.rules import ATTRIBUTES
from mars_logic.domains.rulearn.function_operator.rules import BASES
from mars_logic.domains.rulearn.reactor.rules import CONDITIONS, OPERATIONS, PLACES, SOURCES


def opened(values, fraction=True):
    """A value, nothing known, or alternatives."""
    if not fraction:
        return values
    weights = st.floats(0.01, 10)
    option = st.fixed_dictionaries({"value": values, "weight": weights})
    several = st.lists(option, min_size=1, max_size=3).map(lambda found: {"one_of": found})
    return st.one_of(values, values, st.just("unknown"), several)


def conditions(attribute):
    plain = st.sampled_from(("$focus", *ATTRIBUTES[attribute]))
    return st.one_of(plain, plain.map(lambda each: {"not": each}))


def wheres():
    return st.fixed_dictionaries({}, optional={each: conditions(each) for each in ATTRIBUTES}).map(
        lambda found: {key: found[key] for key in ATTRIBUTES if key in found}
    )


def digit_terms():
    plain = st.one_of(
        st.fixed_dictionaries({"count": wheres()}),
        st.fixed_dictionaries(
            {"distinct": st.sampled_from(tuple(ATTRIBUTES))}, optional={"where": wheres()}
        ),
    )
    return st.recursive(
        plain,
        lambda inner: st.one_of(
            *(
                st.lists(inner, min_size=2, max_size=2).map(lambda pair, kind=kind: {kind: pair})
                for kind in ("sum", "difference")
            )
        ),
        max_leaves=4,
    )


@st.composite
def passwords(draw, open_fields=True):
    focus = draw(st.sampled_from(tuple(ATTRIBUTES)))
    order = draw(st.permutations(ATTRIBUTES[focus]))
    digits = draw(st.lists(opened(digit_terms(), open_fields), min_size=1, max_size=4))
    return {"focus": focus, "focus_order": list(order), "digits": digits}


@st.composite
def functions(draw, open_fields=True, bases=tuple(BASES)):
    letters = draw(st.lists(st.sampled_from("abcd"), min_size=1, max_size=4, unique=True))
    numbers = draw(st.permutations(range(1, 10)))
    values = dict(zip(letters, numbers, strict=False))
    if open_fields:
        values |= {each: "unknown" for each in letters if draw(st.integers(0, 3)) == 0}
    term = st.sampled_from(letters).flatmap(
        lambda letter: st.fixed_dictionaries(
            {
                "param": st.just(letter),
                "coef": st.just(values[letter]),
                "basis": opened(st.sampled_from(bases), open_fields),
            }
        )
    )
    return draw(st.lists(st.lists(term, min_size=1, max_size=3), min_size=1, max_size=3))


def pieces(open_fields):
    place = opened(st.one_of(st.sampled_from(PLACES), st.integers(-4, 4)), open_fields)
    return st.fixed_dictionaries(
        {"of": opened(st.sampled_from(SOURCES), open_fields)},
        optional={
            "from": place,
            "to": place,
            "reversed": opened(st.booleans(), open_fields),
        },
    )


def templates(open_fields):
    then = opened(st.lists(st.sampled_from(tuple(OPERATIONS)), max_size=2), open_fields)
    joined = opened(st.lists(pieces(open_fields), min_size=1, max_size=3), open_fields)
    turned = st.lists(pieces(open_fields), min_size=2, max_size=2)
    return st.one_of(
        st.fixed_dictionaries({"join": joined}, optional={"then": then}),
        st.fixed_dictionaries({"interleave": turned}, optional={"then": then}),
    )


@st.composite
def programs(draw, open_fields=True):
    made = st.lists(templates(open_fields), min_size=1, max_size=2)
    names = st.lists(st.sampled_from(tuple(CONDITIONS)), min_size=1, max_size=2, unique=True)
    case = st.fixed_dictionaries({"if": opened(names, open_fields), "products": made})
    return [*draw(st.lists(case, max_size=2)), {"products": draw(made)}]
