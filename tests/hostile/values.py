"""Values of no use to any field, or nearly any; drawn by a seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from tests.hostile.kinds import CONTROL

_EDGES: Final = (0, 1, 2**7, 2**8, 2**15, 2**16, 2**31, 2**32, 2**53, 2**63, 2**64, 10**30)
"""Where numbers stop to fit: each is tried with its neighbours, of both signs."""
_FLOATS: Final = (0.5, -0.0, 5e-324, 1e-300, 1e16, 3.5e38, 1e308)
_WORDS: Final = ("", " ", "no such name", "true", "1e3", "-1", "None", "../../etc/passwd", "a\nb")
_DEEP: Final = 300


def _number(random: Random) -> int:
    return random.choice((1, -1)) * (random.choice(_EDGES) + random.choice((-1, 0, 1)))


def _deep(random: Random) -> Any:
    value: Any = None
    for _ in range(_DEEP):
        value = [value] if random.random() < 0.5 else {"a": value}
    return value


VALUES: Final[Mapping[str, Callable[[Random], Any]]] = {
    "null": lambda _: None,
    "truth": lambda random: random.random() < 0.5,
    "number at a limit": _number,
    "number with many digits": lambda random: 10 ** random.randrange(400, 4000),
    "fraction": lambda random: random.choice((1, -1)) * random.choice(_FLOATS),
    "not a number": lambda _: float("nan"),
    "infinite": lambda random: random.choice((1, -1)) * float("inf"),
    "word": lambda random: random.choice(_WORDS),
    "control characters": lambda _: CONTROL,
    "half a character": lambda random: chr(random.randrange(0xD800, 0xE000)),
    "huge text": lambda random: random.choice("ax9[") * random.choice((10**4, 10**6)),
    "list": lambda random: random.choice(([], [None], [[]], [1, "a", {}], [0] * 10**4)),
    "object": lambda random: random.choice(({}, {CONTROL: {}}, {"": 1}, {"a": {"a": 1}})),
    "deep": _deep,
}
"""By name, what draws a value."""


def text(random: Random) -> str:
    """A text for the command line: it has no NUL."""
    drawn = VALUES[random.choice(sorted(VALUES))](random)
    told = str(drawn)[:100_000].replace("\x00", "")
    return "".join("\udcff" if "\ud800" <= each <= "\udfff" else each for each in told)
