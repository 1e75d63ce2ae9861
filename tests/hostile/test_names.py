"""Names have no meaning: a world under other names gives the same answers, under those names."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from tests.hostile import judge
from tests.hostile.server import Server
from tests.hostile.table import READERS, Reader
from tests.paths import REPOSITORY

pytestmark = pytest.mark.long

WORLD: Final = REPOSITORY / "worlds" / "gallery" / "copper.yaml"
LABELS: Final = {
    "copper_pickaxe": "copadofikulami",
    "copper": "copado",
    "brick": "brida",
    "kiln": "kifo",
    "pie": "pif",
}
"""For each added name a label that is as long, and has the same place in the alphabet, since
answers are sorted; longer names come first."""
_ROWS: Final = [row for row in READERS if row.kind == "world"]
_DIFFERS: Final = re.compile(r"http://\S+|[0-9a-f]{8,64}|\d+(\.\d+)? (s|ms|MB|minutes?|seconds?)\b")
"""Addresses, digests and times: what may differ."""


def renamed(text: str) -> str:
    """A text with labels for the added names, as one word or as several."""
    for name, label in LABELS.items():
        for spelt in dict.fromkeys((name, name.replace("_", " "), name.replace("_", "-"))):
            text = text.replace(spelt, label)
            text = text.replace(spelt.capitalize(), label.capitalize())
    return text


def plain(text: str) -> str:
    """A text without what may differ, and with single blanks."""
    return re.sub(r"[ ─━]+", " ", _DIFFERS.sub("…", renamed(text)))


def written(folder: Path) -> dict[str, str]:
    """The text files that a command wrote, by their names."""
    files = sorted(file for file in folder.glob("new*/**/*") if file.is_file())
    files += sorted(file for file in folder.glob("new*") if file.is_file())
    found = {}
    for file in files:
        try:
            found[str(file.relative_to(folder))] = file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            found[str(file.relative_to(folder))] = ""
    return found


def test_labels_keep_their_places() -> None:
    assert all(len(name) == len(label) for name, label in LABELS.items())
    other = ("coal", "cow", "bone", "break", "iron", "lava", "path", "plant")
    before = sorted((*LABELS, *other))
    assert [LABELS.get(name, name) for name in before] == sorted((*LABELS.values(), *other))


@pytest.mark.parametrize("row", _ROWS, ids=lambda row: row.command.replace("@", "WORLD"))
def test_answers_are_the_same_under_other_names(row: Reader, server: Server, place: Path) -> None:
    other = place.parent / "other" / place.name
    shutil.copytree(place, other)
    text = WORLD.read_text(encoding="utf-8")
    answers = []
    for folder, world in ((place, text), (other, renamed(text))):
        (folder / "named.yaml").write_text(world, encoding="utf-8")
        words = [word.replace("@", "named.yaml") for word in row.command.split()]
        found = judge.run(server, folder, words)
        outcome = replace(
            found, out=found.out.replace(f"{folder}", "."), err=found.err.replace(f"{folder}", ".")
        )
        if row.name.startswith("bench"):  # it measures
            outcome = replace(outcome, out=re.sub(r"\d+", "…", outcome.out))
        files = {renamed(name): plain(text) for name, text in written(folder).items()}
        answers.append((outcome.status, plain(outcome.out), plain(outcome.err), files))
    assert answers[0] == answers[1]
