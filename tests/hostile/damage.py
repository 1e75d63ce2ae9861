"""What all formats of files share: a damage, and the damages of bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from random import Random


@dataclass(frozen=True)
class Damage:
    """A change of a valid content.

    Attributes:
        what: What is done.
        where: To which part of the content; empty for all.
        make: Makes the changed content.
    """

    what: str
    where: str
    make: Callable[[Random], bytes]

    def __str__(self) -> str:
        return f"{self.where} {self.what}".strip()


def draw(damages: Iterable[Damage], random: Random) -> Damage:
    """One of some damages: first what is done is drawn, then where."""
    found = [*damages]
    what = random.choice(sorted({each.what for each in found}))
    return random.choice([each for each in found if each.what == what])


def of_bytes(valid: bytes) -> Iterator[Damage]:
    """Damages of any content."""

    def cut(random: Random) -> bytes:
        return valid[: random.randrange(len(valid))]

    def hole(random: Random) -> bytes:
        start = random.randrange(len(valid))
        return valid[:start] + valid[start + random.randrange(1, 64) :]

    def flipped(random: Random) -> bytes:
        changed = bytearray(valid)
        for _ in range(1 << random.randrange(6)):
            changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
        return bytes(changed)

    def inserted(random: Random) -> bytes:
        start = random.randrange(len(valid))
        return valid[:start] + random.randbytes(random.randrange(1, 64)) + valid[start:]

    def overwritten(random: Random) -> bytes:
        start, size = random.randrange(len(valid)), random.randrange(1, 64)
        return valid[:start] + bytes(size) + valid[start + size :]

    yield Damage("empty", "", lambda _: b"")
    yield Damage("zeros", "", lambda _: bytes(len(valid)))
    yield Damage("twice", "", lambda _: valid * 2)
    for change in (cut, hole, flipped, inserted, overwritten):
        yield Damage(f"bytes {change.__name__}", "", change)
