"""The logic programs are documented, and their parts fit together."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from clingo import ast

from mars_logic import load_world
from mars_logic.logic import facts, reachability_model, shortage
from mars_logic.logic.reachability_model import ReachabilityModel
from mars_logic.logic.sampling import problem
from mars_logic.system import resources

FOLDER = resources.folder("encodings")
FILES = sorted(FOLDER.glob("**/*.lp"))
ROOTS = ("reach.lp", "reach_map.lp", "step.lp")
DESCRIPTIONS = ("facts/facts.lp", "step/state.lp", "facts/transitions.lp")
"""What only describes facts, and says that there may be none of a kind."""
ALONE = (
    "games/abduce.lp",
    "games/recipe_proofs.lp",
    "games/biomes.lp",
    "games/hanoi.lp",
    "games/messenger.lp",
    "rulearn/functions.lp",
    "rulearn/reactions.lp",
)
"""Encodings of other games, whose facts their domains tell."""
ADDITION = "To be used with"
"""What the header of a file says that extends the programs of a proof."""

Signature = tuple[str, int]


def place(path: Path) -> str:
    """A file by its folder and name."""
    return path.relative_to(FOLDER).as_posix()


DOCUMENTED = re.compile(r"%\*!\s*(\w+)(?:\(([^)]*)\))?\n(.*?)\*%", re.DOTALL)


@dataclass
class Program:
    """The signatures that one file speaks of."""

    defined: set[Signature] = field(default_factory=set)
    used: set[Signature] = field(default_factory=set)
    maybe_absent: set[Signature] = field(default_factory=set)
    shown: set[Signature] = field(default_factory=set)
    statements: set[str] = field(default_factory=set)

    def read(self, statement: ast.AST) -> None:
        kind = statement.ast_type
        self.statements.add(kind.name)
        if kind == ast.ASTType.Rule:
            self._head(statement.head)
            for literal in statement.body:
                self.used |= set(_signatures(literal))
        elif kind == ast.ASTType.Minimize:
            for literal in statement.body:
                self.used |= set(_signatures(literal))
        elif kind == ast.ASTType.Heuristic:
            self.used |= set(_signatures(statement.atom))
            for literal in statement.body:
                self.used |= set(_signatures(literal))
        elif kind == ast.ASTType.Defined:
            self.maybe_absent.add((statement.name, statement.arity))
        elif kind == ast.ASTType.ShowSignature:
            self.shown.add((statement.name, statement.arity))
            self.used.add((statement.name, statement.arity))
        elif kind == ast.ASTType.ShowTerm:
            shown = set(_of_term(statement.term))
            self.shown |= shown
            self.used |= shown.union(*map(_signatures, statement.body))
        else:
            assert kind in (ast.ASTType.Program, ast.ASTType.Comment), kind

    def _head(self, head: ast.AST) -> None:
        if head.ast_type == ast.ASTType.Aggregate:  # a choice
            for element in head.elements:
                self.defined |= set(_signatures(element.literal))
                for literal in element.condition:
                    self.used |= set(_signatures(literal))
        else:
            self.defined |= set(_signatures(head))


def _signatures(node: object) -> Iterator[Signature]:
    """The signatures of all atoms below a node; `p(a; b, c)` has two."""
    if isinstance(node, ast.AST):
        if node.ast_type == ast.ASTType.SymbolicAtom:
            yield from _of_term(node.symbol)
            return
        for key in node.child_keys:
            yield from _signatures(getattr(node, key))
    elif isinstance(node, ast.ASTSequence):
        for child in node:
            yield from _signatures(child)


def _of_term(term: ast.AST) -> Iterator[Signature]:
    if term.ast_type == ast.ASTType.Pool:
        for argument in term.arguments:
            yield from _of_term(argument)
    else:
        yield term.name, len(term.arguments)


def read(path: Path) -> Program:
    program = Program()
    text = re.sub(r"^#include.*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    ast.parse_string(text, program.read)
    return program


def header(path: Path, word: str) -> set[Signature]:
    """The signatures that the header lists after a word."""
    text = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("%"):
            break
        if line.startswith(f"% {word}:"):
            text = line
        elif text and line.startswith("%   "):
            text += line
        elif text:
            break
    return {(name, int(arity)) for name, arity in re.findall(r"(\w+)/(\d+)", text)}


def documented(path: Path) -> dict[Signature, str]:
    return {
        (name, len(arguments.split(",")) if arguments else 0): text.strip()
        for name, arguments, text in DOCUMENTED.findall(path.read_text(encoding="utf-8"))
    }


def test_the_folder_is_no_package() -> None:
    assert FILES
    assert not list(FOLDER.glob("**/__init__.py"))


@pytest.mark.parametrize("path", FILES, ids=place)
def test_a_file_opens_with_its_purpose(path: Path) -> None:
    assert re.match(r"% [A-Z].*[^.]*\.?", path.read_text(encoding="utf-8"))
    assert all(len(line) <= 120 for line in path.read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize("path", FILES, ids=place)
def test_every_defined_predicate_is_documented(path: Path) -> None:
    program, told = read(path), documented(path)
    expected = program.maybe_absent if place(path) in DESCRIPTIONS else program.defined
    if place(path) == "reach/abundance.lp":
        assert program.statements <= {"Program", "Comment", "Rule"}
    assert set(told) == expected
    assert all(told.values())


@pytest.mark.parametrize("path", FILES, ids=place)
def test_the_header_declares_what_is_read_and_made(path: Path) -> None:
    program = read(path)
    if place(path) in ROOTS:
        assert not program.defined | program.used
        return
    inputs, outputs = header(path, "Input"), header(path, "Output")
    assert program.used - program.defined <= inputs, "undeclared inputs"
    assert inputs <= program.used, "declared inputs that are not used"
    if place(path) in DESCRIPTIONS:
        assert outputs == program.maybe_absent
    else:
        assert outputs <= program.defined, "declared outputs that are not defined"


@pytest.mark.parametrize("path", FILES, ids=place)
def test_only_show_files_show(path: Path) -> None:
    assert path.name.startswith("show") == bool(read(path).shown)


def composition(root: Path) -> list[Path]:
    return [
        FOLDER / name
        for name in re.findall(r'^#include "(.*)"', root.read_text(encoding="utf-8"), re.MULTILINE)
    ]


def compositions() -> list[list[Path]]:
    sessions = [
        [
            FOLDER / name
            for name in ReachabilityModel(load_world("default"), map_facts)._files(*files)
        ]
        for map_facts in (None, "")
        for files in (
            reachability_model._PLANS,
            [
                *reachability_model._LUCKLESS,
                *reachability_model._PLANS,
                *reachability_model._LIVING,
                *reachability_model._READ,
                "living/upkeep.lp",
            ],
            ["explain/repair.lp"],
            ["explain/unsure.lp"],
        )
    ]
    livable = (*problem.FILES, *problem.LIVABLE)
    sampled = (problem.FILES, livable)
    sessions += [[FOLDER / name for name in files] for files in (*sampled, shortage.FILES)]
    additions = [
        [*sessions[0], path] for path in FILES if ADDITION in path.read_text(encoding="utf-8")
    ]
    alone = [[FOLDER / name] for name in ALONE]
    return sessions + additions + alone + [composition(FOLDER / name) for name in ROOTS]


@pytest.mark.parametrize("files", compositions(), ids=lambda files: files[-2:][0].name)
def test_inputs_are_outputs_of_others(files: list[Path]) -> None:
    programs = {path: read(path) for path in files}
    for path, program in programs.items():
        given = set(program.maybe_absent) | header(FOLDER / "facts/facts.lp", "Output")
        for other in files:
            given |= header(other, "Output") | programs[other].maybe_absent
        missing = header(path, "Input") - given - program.defined
        assert not missing, (path.name, missing)


def test_every_file_is_used() -> None:
    assert {path for files in compositions() for path in files} | {
        FOLDER / name for name in ROOTS
    } == set(FILES)


def test_plain_clingo_takes_the_facts(tmp_path: Path) -> None:
    given = tmp_path / "default.lp"
    given.write_text(facts(load_world("default")), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "clingo", str(FOLDER / "reach.lp"), str(given)],
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert "unlock(sure,collect_diamond)" in done.stdout
    assert "SATISFIABLE" in done.stdout
    assert not done.stderr
