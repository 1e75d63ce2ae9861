"""Lists in English."""

from __future__ import annotations

from collections.abc import Callable


def join(pieces: list[str], link: Callable[[int, int], str]) -> str:
    """The pieces as a list in English: ``a, b and c``.

    Args:
        pieces: The pieces.
        link: The word between the pieces at two indices. Where the next link is the same, a
            comma takes its place.
    """
    links = [link(index, index + 1) for index in range(len(pieces) - 1)]
    text = pieces[0] if pieces else ""
    for index, (word, piece) in enumerate(zip(links, pieces[1:], strict=True)):
        again = links[index + 1 : index + 2] == [word]
        space = "" if word.startswith(",") else " "
        text += f", {piece}" if again else f"{space}{word} {piece}"
    return text
