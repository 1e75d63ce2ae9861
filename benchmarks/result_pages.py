"""The pages of ``docs/results``: how each is made again, and whether the code has changed since.

``benchmarks/specs/pages.yaml`` lists them. A page says under its heading with which version and
seeds it was made, and holds the digest of the code that it measures.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from mars_logic.errors import InputError

from .spec_files import spec_of

CHECKOUT: Final = Path(__file__).resolve().parent.parent
LIST: Final = CHECKOUT / "benchmarks" / "specs" / "pages.yaml"
RESULTS: Final = CHECKOUT / "docs" / "results"
_READ: Final = (".py", ".lp", ".yaml")
"""Endings of the files that a digest is of."""

_RANGE: Final = re.compile(r"(\d+)\.\.(\d+)")
_RECORD: Final = re.compile(r"^<!-- measured code: (?P<code>[0-9a-f]{64}) -->\n", re.MULTILINE)
_MADE: Final = re.compile(r"^Made again with mars-logic [^\n]*\n\n", re.MULTILINE)


def _range(stated: object) -> range:
    if isinstance(stated, str) and (found := _RANGE.fullmatch(stated)):
        return range(int(found[1]), int(found[2]) + 1)
    raise ValueError(f"{stated!r} is no range of seeds; allowed: FIRST..LAST")


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


class ResultPage(_Part):
    """A page.

    Attributes:
        page: Its file, relative to ``docs/results``.
        about: What it tells, in words.
        commands: What makes it, in order: ``{first}`` and ``{last}`` stand for the seeds, ``{n}``
            for their number, ``{out}`` for the folder of work, ``{file}`` for the page in it. Empty
            if it is put together by hand.
        spec: The experiment whose ``seeds`` are replaced, and which then is ``{spec}``.
        first: The first seed; None where the page has no seeds of its own.
        sizes: Minutes of processor time by the number of seeds (or other units) for each.
        measures: Files and folders of the checkout on which the numbers depend.
    """

    page: str
    about: str
    commands: tuple[str, ...] = ()
    spec: str | None = None
    first: int | None = None
    sizes: dict[int, float] = Field(default_factory=dict)
    measures: tuple[str, ...]

    def seeds(self, size: int) -> range | None:
        """The seeds of a run of this size."""
        return None if self.first is None else range(self.first, self.first + size)

    def size(self, minutes: float) -> int:
        """The largest size that takes at most so many minutes; the smallest if none does."""
        fitting = [size for size, needed in self.sizes.items() if needed <= minutes]
        return max(fitting, default=min(self.sizes))


class ResultList(_Part):
    """All pages.

    Attributes:
        development: Seeds on which agents were built or tuned; no page uses them.
        pages: The pages.
    """

    development: tuple[Annotated[range, BeforeValidator(_range)], ...]
    pages: tuple[ResultPage, ...]

    def named(self, names: Sequence[str]) -> list[ResultPage]:
        """Pages by their files or the folders that these lie in; all that can be made if none.

        Raises:
            InputError: There is no such page, or it is put together by hand.
        """
        made = [page for page in self.pages if page.commands]
        allowed = ", ".join(page.page for page in made)
        found: dict[str, ResultPage] = {}
        for name in names or [page.page for page in made]:
            fitting = [page for page in made if name in (page.page, str(Path(page.page).parent))]
            if not fitting:
                raise InputError(f"'{name}' is no page that can be made; allowed: {allowed}")
            found |= {page.page: page for page in fitting}
        return list(found.values())


def read_list(path: Path = LIST) -> ResultList:
    """The list of pages.

    Raises:
        InputError: It cannot be read or holds a mistake.
    """
    return spec_of(path, ResultList)


def code_digest(measured: Sequence[str], root: Path = CHECKOUT) -> str:
    """The digest of code, logic programs and worlds, without comments and docstrings.

    Args:
        measured: Files and folders, relative to the checkout.
        root: The checkout.
    """
    digest = hashlib.sha256()
    for name in sorted(measured):
        for file in _files(root / name):
            digest.update(f"{file.relative_to(root).as_posix()}\n".encode())
            digest.update("\n".join(_code(file)).encode())
    return digest.hexdigest()


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    return sorted(file for file in path.rglob("*") if file.suffix in _READ and file.is_file())


def _code(file: Path) -> Iterator[str]:
    """The lines of a file that can change what it does."""
    text = file.read_text(encoding="utf-8")
    comment = "%" if file.suffix == ".lp" else "#"
    left_out = _docstrings(text) if file.suffix == ".py" else set()
    for number, line in enumerate(text.splitlines(), start=1):
        if number not in left_out and line.strip() and not line.lstrip().startswith(comment):
            yield line


def _docstrings(text: str) -> set[int]:
    """The numbers of the lines of all strings that stand as statements."""
    found: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            found |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return found


@dataclass(frozen=True)
class Origin:
    """How a page was made.

    Attributes:
        version: Of mars-logic, with its commit.
        date: In ISO form.
        seeds: None where the page has none of its own.
        minutes: Processor time.
        code: The digest of the code that it measures.
    """

    version: str
    date: str
    seeds: range | None
    minutes: float
    code: str


def with_origin(text: str, page: ResultPage, origin: Origin) -> str:
    """A page that says under its heading how it was made; what it said before goes."""
    text = _MADE.sub("", _RECORD.sub("", text))
    head, rest = split_at_heading(text)
    seeds = ""
    if origin.seeds is not None:
        seeds = f"; seeds {origin.seeds[0]} to {origin.seeds[-1]}, on which nothing was developed"
    made = (
        f"\nMade again with mars-logic {origin.version} on {origin.date} by "
        f"`python -m mars_logic.benchmarks.results {page.page}`{seeds}; "
        f"{origin.minutes:.0f} minutes of processor time.\n"
    )
    return f"{head}{made}\n<!-- measured code: {origin.code} -->\n{rest}"


def split_at_heading(text: str) -> tuple[str, str]:
    """A page up to the end of its heading, and the rest."""
    before, heading, after = f"\n{text}".partition("\n# ")
    title, line, rest = after.partition("\n")
    return f"{before}{heading}{title}{line}".removeprefix("\n"), rest


def age(text: str, page: ResultPage | None) -> str | None:
    """What a page says of its age; None if the code that it measures is as it was.

    Args:
        text: The page.
        page: Its entry in the list; None if it has none.
    """
    found = _RECORD.search(text)
    if found is None or page is None:
        return "It is not recorded which version of the code this page measured."
    if found["code"] == code_digest(page.measures):
        return None
    return "The code that this page measures has changed since; its numbers may have, too."
