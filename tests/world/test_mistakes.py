"""Mistakes that models find are told in our words, whatever the type of the field."""

from __future__ import annotations

import re
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from mars_logic.world.fields import Points
from mars_logic.world.mistakes import Mistake, mistakes, refusal

PYDANTIC = re.compile(r"[Ii]nput should|[Vv]alue error|[Ff]ield required|[Ee]xtra inputs|valid ")


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    number: int = 1


class Whole(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    whole: Annotated[int, Field(ge=1, le=9)] = 1
    number: Annotated[float, Field(gt=0, lt=1, allow_inf_nan=False)] = 0.5
    flag: bool = False
    text: Annotated[str, Field(min_length=1, max_length=3, pattern="^[a-z]*$")] = "a"
    choice: Literal["one", "two"] = "one"
    parts: Annotated[list[Part], Field(max_length=2)] = []
    pair: tuple[int, str] = (1, "a")
    table: dict[str, float] = {}
    maybe: Part | None = None
    points: Points = 0
    of_ours: str = ""

    @field_validator("of_ours")
    @classmethod
    def _check(cls, value: str) -> str:
        if value == "no":
            raise ValueError("this is no answer")
        return value


def found_in(document: Mapping[str, Any]) -> list[Mistake]:
    with pytest.raises(ValidationError) as caught:
        Whole.model_validate(document)
    return mistakes(caught.value)


@pytest.mark.parametrize(
    ("field", "value", "message", "allowed"),
    [
        ("whole", "x", "'x' is not a whole number", "a whole number"),
        ("whole", True, "true is not a whole number", "a whole number"),
        ("whole", 0, "0 is not possible", "a number from 1"),
        ("whole", 10, "10 is not possible", "a number to 9"),
        ("number", 0, "0 is not possible", "a number above 0.0"),
        ("number", 1.5, "1.5 is not possible", "a number below 1.0"),
        ("number", float("nan"), "nan is not a finite number", "a finite number"),
        ("flag", 1, "1 is not true or false", "true, false"),
        ("text", 3, "3 is not text", "text"),
        ("text", "", "'' is not possible", "at least 1 characters"),
        ("text", "abcd", "'abcd' is not possible", "at most 3 characters"),
        ("text", "\x1b[3", "'\\x1b[3' is not possible", "text like ^[a-z]*$"),
        ("choice", "six", "'six' is not possible", "one, two"),
        ("parts", {}, "a mapping is not a list", "a list"),
        ("parts", [{}, {}, {}], "a list is not possible", "at most 2 of them"),
        ("table", [], "a list is not a mapping", "a mapping"),
        ("maybe", 3, "3 is not a mapping", "a mapping"),
        ("points", 99, "99 is out of range", "a whole number from -9 to 9"),
        ("of_ours", "no", "this is no answer", ""),
    ],
)
def test_words(field: str, value: Any, message: str, allowed: str) -> None:
    (found,) = found_in({field: value})
    assert found.place == (field,)
    assert (found.message, found.allowed) == (message, allowed)


def test_unknown_and_missing_fields() -> None:
    (unknown,) = found_in({"parts": [{"nubmer": 1}]})
    assert (unknown.place, unknown.message) == (("parts", 0, "nubmer"), "unknown field 'nubmer'")
    with pytest.raises(ValidationError) as caught:
        Mistaken.model_validate({})
    assert mistakes(caught.value)[0].message == "this field is missing"


class Mistaken(BaseModel):
    needed: int


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(st.dictionaries(st.sampled_from([*Whole.model_fields, "other"]), ANY))
def test_pydantic_is_never_quoted(document: dict[str, Any]) -> None:
    try:
        Whole.model_validate(document)
    except ValidationError as error:
        for found in mistakes(error):
            assert not PYDANTIC.search(found.message + found.allowed)
            assert "\n" not in found.message and len(found.message) < 400


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "kept.json:1: file: this is no JSON: EOF while parsing an object; allowed: a doc"),
        ('{\n"a": 1,\n}', "kept.json:3: file: this is no JSON: "),
        ("", "kept.json:1: file: this is no JSON: "),
        ("[]", "kept.json:1: file: a list is not a mapping; allowed: a mapping"),
        ('{"parts": [{"number": "x"}]}', "kept.json:1: parts[0].number: 'x' is not a whole num"),
        ('{"\\u001b": 1}', "kept.json:1: \\x1b: unknown field '\\x1b'; allowed: a document"),
    ],
)
def test_refusals(text: str, told: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Whole.model_validate_json(text)
    message = str(refusal(Path("kept.json"), caught.value, "a document"))
    assert message.startswith(told) and "\n" not in message


def test_every_type_that_is_used_here_has_words() -> None:
    from pydantic_core import core_schema

    from mars_logic.world import mistakes as module

    for kind in typing.get_args(core_schema.ErrorType):
        if kind.startswith(("int_", "float_", "bool_", "string_ty", "list_", "tuple_", "dict_")):
            assert module._OF_TYPES.fullmatch(kind), kind
