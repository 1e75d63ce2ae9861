"""The paintings that rooms may hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from mars_logic import resources
from mars_logic.world.source import read

ATTRIBUTES: Final[Mapping[str, tuple[str, ...]]] = {
    "medium": ("oil", "acrylic", "watercolor"),
    "color": ("blue", "yellow", "black", "green"),
}
"""What a painting is told by: the values of each attribute, in the order in which they count."""


@dataclass(frozen=True)
class Painting:
    """A painting.

    Attributes:
        number: Its number in the catalogue.
        medium: Oil, acrylic or watercolor.
        color: Its main colour.
        subject: What it shows.
    """

    number: int
    medium: str
    color: str
    subject: str

    def value(self, attribute: str) -> str:
        """The value of ``medium`` or ``color``."""
        return self.medium if attribute == "medium" else self.color


@cache
def paintings() -> Mapping[int, Painting]:
    """The catalogue, by number."""
    path = resources.folder("worlds") / "rulearn" / "paintings.yaml"
    data = read(path).data
    return {int(key): Painting(int(key), **each) for key, each in data.items()}
