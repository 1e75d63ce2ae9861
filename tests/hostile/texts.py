"""Damages of texts: sentences, programs, manuals, tables of comma-separated values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from tests.hostile import values
from tests.hostile.damage import Damage


def of_text(valid: bytes) -> Iterator[Damage]:
    """A text with each of its lines, or a word of it, missing, twice or replaced."""
    lines = valid.splitlines(keepends=True)
    for number in range(min(len(lines), 30)):
        for what, change in _CHANGES.items():
            yield Damage(
                what,
                f"line {number + 1}",
                lambda random, n=number, change=change: b"".join(  # type: ignore[misc]
                    [*lines[:n], change(lines[n], random), *lines[n + 1 :]]
                ),
            )
    yield Damage("lines reversed", "", lambda _: b"".join(lines[::-1]))
    yield Damage("a long line", "", lambda _: b" ".join([*valid.split()] * 2000)[:500_000])
    yield Damage("many lines", "", lambda _: (valid * 2000)[:500_000])


def _word(line: bytes, other: Callable[[bytes], bytes], random: Random) -> bytes:
    words = line.split(b" ")
    place = random.randrange(len(words))
    return b" ".join([*words[:place], other(words[place]), *words[place + 1 :]])


def _drawn(random: Random) -> bytes:
    return values.text(random).encode("utf-8", "surrogateescape")


_CHANGES: dict[str, Callable[[bytes, Random], bytes]] = {
    "line missing": lambda _line, _random: b"",
    "line twice": lambda line, _: line * 2,
    "line cut off": lambda line, random: line[: random.randrange(len(line))],
    "word missing": lambda line, random: _word(line, lambda _: b"", random),
    "word twice": lambda line, random: _word(line, lambda word: word + b" " + word, random),
    "word replaced": lambda line, random: _word(line, lambda _: _drawn(random), random),
    "word in capitals": lambda line, random: _word(line, bytes.upper, random),
    "sign more": lambda line, random: _word(
        line, lambda word: word + random.choice(b"()[]{}:,.;#-|<>&*!%@`'\"").to_bytes(), random
    ),
}
