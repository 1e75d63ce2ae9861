"""Writes the page of things to look up: `python docs/cheat_sheet.py`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path

from mars_logic.sim import Observation
from mars_logic.sim.codes import LOOKS
from mars_logic.world import names
from mars_logic.world.vocabulary import vocabulary
from mars_logic.world.words import cheat_sheet

DOCS = Path(__file__).parent
PAGE = DOCS / "cheat_sheet.md"
_PREDICATE = re.compile(r"^%\*! *(\w+(?:\([^)]*\))?)\n(.*?)^\*%", re.DOTALL | re.MULTILINE)
_HEAD = """# Cheat sheet

Everything to look up, on one page. `python docs/cheat_sheet.py` writes it from the code.
"""
_COMMANDS = """## Commands

| to | command |
| --- | --- |
| see a world's rules in words | `mars-logic show WORLD --as words` |
| prove what is reachable | `mars-logic prove WORLD` |
| see why something is not | `mars-logic explain WORLD ACHIEVEMENT` |
| let an agent play | `mars-logic agents`, `mars-logic run AGENT WORLD --record DIR` |
| plan, explain and film an episode | `mars-logic plan WORLD --explain --film FILE` |
| test rules against what was played | `mars-logic check RULES DIR` |
| learn the rules by playing | `mars-logic learn WORLD` |
| watch everything | `mars-logic report DIR -o report.html` |
"""
_PYTHON = """## Python

| to | call |
| --- | --- |
| load a world | `world = mars_logic.load_world("all_three")` |
| prove | `print(mars_logic.prove(world))` |
| learn | `print(mars_logic.learn(world, episodes=2))` |
| a rule in words, and back | `mars_logic.tell(world["collect.iron"])`, `mars_logic.parse(text)` |
| simulate a batch | `Simulator(world, n=256)`, from `mars_logic.sim` |
| train, after `import mars_logic.envs` | `gymnasium.make_vec("mars_logic/AllThree-v0", 256)` |
"""


def page() -> str:
    """The page in Markdown."""
    return "\n".join(
        (
            _HEAD,
            _COMMANDS,
            _PYTHON,
            "## Sentences\n\n[Rules in sentences](sentences.md) tells what is forgiven.\n",
            f"```\n{cheat_sheet().rstrip()}\n```\n",
            "## Actions\n",
            *_coded(names.ACTIONS),
            "## Materials\n\n0 is the area outside the map.\n",
            *_coded(names.MATERIALS),
            "## Objects in observations\n",
            *_coded(LOOKS),
            "## Inventory\n\nThe index in `inventory`; all amounts are 0 to 9.\n",
            *_coded(names.ITEMS),
            "## Achievements\n\nThe index in `achievements` and `unlocked`. The dialect `crafter` "
            "calls 7 to 9 "
            + ", ".join(f"`{n}`" for n in vocabulary("crafter").achievements[7:10])
            + ".\n",
            *_coded(vocabulary("mars").achievements),
            "## Observations\n\nOf a batch of n environments of Crafter and Mars; see "
            "[Simulator](simulator.md).\n",
            *_table(("array", "dtype and shape"), _arrays()),
            "## Predicates\n\nThe facts of a world (`mars-logic show WORLD --as facts`); "
            "[Proving](logic.md#the-facts) tells more.\n",
            *_table(("predicate", "means"), _predicates()),
        )
    )


def _coded(words: Sequence[str]) -> Iterator[str]:
    """Names with their codes, six pairs a row."""
    pairs = [f"{code} `{name}`" for code, name in enumerate(words)]
    rows = [pairs[i : i + 6] for i in range(0, len(pairs), 6)]
    yield from _table(("",) * min(6, len(pairs)), (row + [""] * (6 - len(row)) for row in rows))


def _arrays() -> Iterator[tuple[str, str]]:
    empty = Observation.empty(1)
    for field in fields(Observation):
        array = getattr(empty, field.name)
        if array is None:  # only dialects with other vocabularies have it
            continue
        shape = ", ".join(map(str, ("n", *array.shape[1:])))
        yield f"`{field.name}`", f"{array.dtype}[{shape}]"


def _predicates() -> Iterator[tuple[str, str]]:
    text = (DOCS.parent / "encodings" / "facts/facts.lp").read_text(encoding="utf-8")
    for head, meaning in _PREDICATE.findall(text):
        yield f"`{head}`", " ".join(meaning.split()).replace("|", r"\|")


def _table(heads: Iterable[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    heads = tuple(heads)
    yield f"| {' | '.join(heads)} |"
    yield f"|{' --- |' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
