"""For mkdocs: a page for each logic program, made of its header and its predicates' comments.

clindocs reads the same comments (``%*! predicate(Arguments) … *%``). Here, what a program reads is
told too, with links to the programs that define it: programs are put together by what uses them,
mostly without any ``#include`` that could be followed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from sections import INDEX, added, listed

FOLDER: Final = "encodings"
_DOCUMENTED: Final = re.compile(r"^%\*! *(\w+(?:\([^)]*\))?)\n(.*?)^\*%", re.DOTALL | re.MULTILINE)
_SIGNATURE: Final = re.compile(r"\w+/\d+")
_INCLUDE: Final = re.compile(r'^#include "(.*)"', re.MULTILINE)
_INTRODUCTION: Final = """# Encodings

The logic programs behind proofs, plans, single steps and sampled worlds, one concern a file. They
are a public interface: with the facts of a world (`mars-logic show WORLD --as facts`) they work
with plain clingo. [Proving](../logic.md) tells what they mean, [One step](../step.md) what may come
of a step.

| program | is about |
| --- | --- |
"""


@dataclass(frozen=True)
class Program:
    """What one file tells about itself.

    Attributes:
        name: The file's place in the folder of encodings.
        text: All of it.
        about: What it is for, in Markdown.
        inputs: The predicates that it reads, as ``name/arity``.
        outputs: The predicates that it defines for others.
        predicates: Each predicate that it defines, by ``name/arity``: with its arguments, and what
            it means.
    """

    name: str
    text: str
    about: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    predicates: dict[str, tuple[str, str]]

    @property
    def includes(self) -> list[str]:
        """The programs that it consists of."""
        return _INCLUDE.findall(self.text)


def read(path: Path, name: str) -> Program:
    """Read what a file tells about itself."""
    text = path.read_text(encoding="utf-8")
    header = re.match(r"(?:%(?!\*).*\n)*", text)
    lines = [line[1:].removeprefix(" ") for line in (header[0] if header else "").splitlines()]
    about, lists = "", {"Input": "", "Output": ""}
    kind = None
    for line in lines:
        first = re.match(r"(Input|Output):", line)
        kind = first[1] if first else kind if line.startswith("  ") and kind else None
        if kind:
            lists[kind] += line
        else:
            about += line + "\n"
    predicates = {
        _signature(head): (head, " ".join(told.split())) for head, told in _DOCUMENTED.findall(text)
    }
    inputs, outputs = (tuple(_SIGNATURE.findall(listed)) for listed in lists.values())
    return Program(name, text, about.strip(), inputs, outputs, predicates)


def page(program: Program, programs: dict[str, Program]) -> str:
    """The page of one program, in Markdown."""
    return "\n".join(_parts(program, programs)) + "\n"


def _parts(program: Program, programs: dict[str, Program]) -> Iterator[str]:
    yield f"# {program.name}\n\n{program.about}\n"
    if program.includes:
        yield (
            "It consists of "
            + ", ".join(_link(name, program.name) for name in program.includes)
            + ".\n"
        )
    inside = [name for name in program.predicates if name not in program.outputs]
    for title, names in (("Defines", program.outputs), ("Inside", inside)):
        told = [name for name in names if name in program.predicates]
        if told:
            yield f"## {title}\n"
            for name in told:
                head, text = program.predicates[name]
                yield f"### `{head}` {{ #{_anchor(name)} }}\n\n{text}\n"
    if program.inputs:
        yield "## Reads\n\n| predicate | means | is defined in |\n| --- | --- | --- |"
        for name in program.inputs:
            found = [other for other in programs.values() if name in other.predicates]
            yield _row(name, found, program.name)
        yield ""
    yield f"## The program\n\n```prolog\n{program.text}```"


def _row(name: str, sources: list[Program], start: str) -> str:
    told = dict.fromkeys(source.predicates[name] for source in sources)
    means = "; ".join(f"`{head}`: {text}" for head, text in told).replace("|", r"\|")
    where = ", ".join(_link(source.name, start, _anchor(name)) for source in sources)
    return f"| `{name}` | {means} | {where or 'facts by whoever runs it'} |"


def index(programs: dict[str, Program]) -> str:
    """The page that lists all programs."""
    rows = [
        f"| {_link(name, INDEX)} | {_first(program.about)} |" for name, program in programs.items()
    ]
    return _INTRODUCTION + "\n".join(rows) + "\n"


def _first(text: str) -> str:
    """The first paragraph, as one line."""
    return " ".join(text.split("\n\n")[0].split())


def _signature(head: str) -> str:
    name, _, arguments = head.partition("(")
    return f"{name}/{len(arguments.split(',')) if arguments else 0}"


def _anchor(signature: str) -> str:
    return signature.replace("/", "-")


def _link(name: str, start: str, anchor: str = "") -> str:
    """A link to the page of a program from another page of this folder."""
    place = os.path.relpath(_page_of(name), Path(start).parent)
    return f"[{name}]({place}{'#' + anchor if anchor else ''})"


def _programs(config: MkDocsConfig) -> dict[str, Program]:
    folder = Path(config.docs_dir).parent / FOLDER
    found = {path.relative_to(folder).as_posix(): path for path in folder.glob("**/*.lp")}
    return {name: read(found[name], name) for name in sorted(found)}


def _page_of(name: str) -> str:
    return str(Path(name).with_suffix(".md"))


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """List the pages below the one that lists them."""
    return listed(config, "Encodings", FOLDER, {_page_of(name): "" for name in _programs(config)})


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages."""
    programs = _programs(config)
    pages = {_page_of(name): page(found, programs) for name, found in programs.items()}
    return added(files, config, FOLDER, {INDEX: index(programs), **pages})
