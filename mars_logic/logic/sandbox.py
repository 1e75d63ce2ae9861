"""Sandbox: user programs run in a separate process.

Parsing and grounding cannot be interrupted, a few lines can ground to more than the memory of a
machine, and a deeply nested term crashes clingo. User programs are therefore parsed, grounded and
solved in a child process with limits of memory and time and without file access; it returns plain
data.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final, TypeVar

from mars_logic.errors import InputError
from mars_logic.logic.source import Source
from mars_logic.system import resources
from mars_logic.system.interruptions import end_with_parent, ours_alone
from mars_logic.system.processes import CONTEXT
from mars_logic.world.fields import nearest

T = TypeVar("T")

MEGABYTES = 768
SECONDS = 60.0
LANGUAGE: Final = "clingo's language"
_UNDERIVED = re.compile(
    r"^<string>:(\d+):\S+ info: (?:atom does not occur in any rule head"
    r"|no atoms over signature occur in program):\n\s+(\S.*)$",
    re.MULTILINE,
)
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
"""A text within a term, which may hold brackets and commas."""
_ERROR = re.compile(r"^<string>:(\d+):\S+ error: (.*(?:\n  .*)*)", re.MULTILINE)
_HAS_TIMER: Final = hasattr(signal, "setitimer")
_CRASHES: Final = tuple(
    -getattr(signal, name) for name in ("SIGSEGV", "SIGBUS", "SIGILL") if hasattr(signal, name)
)


@dataclass(frozen=True)
class Underived:
    """An atom that a program uses and no rule derives, for example after a misspelling.

    Attributes:
        line: The line of its use, from 1.
        file: The name of that line's file.
        atom: The atom, or a predicate with its number of arguments.
        hint: A suggestion of a similar predicate; empty without one.
    """

    line: int
    file: str
    atom: str
    hint: str

    def __str__(self) -> str:
        return f"nothing derives {self.atom}{self.hint}"


@dataclass(frozen=True)
class Answer:
    """The result of a program.

    Attributes:
        models: The shown atoms of each model, sorted; the best model only if it optimises.
        complete: Whether there are no other models.
        underived: Underived atoms that the program uses (at most 20).
    """

    models: tuple[tuple[str, ...], ...]
    complete: bool
    underived: tuple[Underived, ...] = ()


def run_program(
    program: str | Source,
    facts: str,
    encodings: Sequence[str] = (),
    *,
    name: str = "your program",
    models: int = 1,
    megabytes: int = MEGABYTES,
    seconds: float = SECONDS,
) -> Answer:
    """Read, ground and solve a user's program together with facts and bundled encodings.

    Args:
        program: The program. Models contain only shown atoms (``#show``).
        facts: Facts of a world, or other facts.
        encodings: Files of ``encodings/`` that go with it.
        name: The program's name in messages, if it is given as text.
        models: Maximum number of models; 0 for all.
        megabytes: Memory limit beyond that of an idle process, in MB.
        seconds: Limit of processor time, in seconds.

    Raises:
        InputError: The program is wrong, or exceeds a limit.
    """
    source = program if isinstance(program, Source) else Source.of(program, name)
    return in_child(
        *(solve, source, facts, tuple(encodings), models),
        name=source.name,
        megabytes=megabytes,
        seconds=seconds,
    )


def in_child(
    function: Callable[..., T],
    *arguments: Any,
    name: str,
    megabytes: int = MEGABYTES,
    seconds: float = SECONDS,
) -> T:
    """The result of a function in a separate process, which may crash.

    Args:
        function: A function of a module. Modules that it needs are imported with its own: it can
            open no file once it has called :func:`close_files`.
        arguments: Its arguments; plain data, like its result.
        name: The name of its program in messages.
        megabytes: Memory limit beyond that of an idle process, in MB.
        seconds: Limit of processor time, in seconds.

    Raises:
        InputError: The function raised one, exceeded a limit, or crashed.
    """
    ours, theirs = CONTEXT.Pipe(duplex=False)
    child = CONTEXT.Process(
        target=_run, args=(theirs, megabytes, seconds, function, arguments), daemon=True
    )
    with ours_alone():
        child.start()
    theirs.close()
    try:
        # The child ends itself, by its processor time; where it cannot, the clock has to do.
        found = ours.recv() if _HAS_TIMER or ours.poll(seconds) else TimeoutError()
    except EOFError:  # no error could be sent
        child.join()
        found = _error(child.exitcode)
    finally:
        child.kill()
        child.join()
        ours.close()
    if isinstance(found, TimeoutError):
        raise InputError(
            f"{name}:1: program: it takes more than {seconds:g} seconds; "
            "allowed: a program that grounds to less, or a higher limit"
        )
    if isinstance(found, MemoryError):
        raise InputError(
            f"{name}:1: program: it takes more than {megabytes} MB of memory; "
            "allowed: a program that grounds to less, or a higher limit"
        )
    if isinstance(found, RecursionError):
        raise InputError(
            f"{name}:1: program: it is nested too deeply to be read; allowed: terms and "
            "expressions of some hundred levels at most"
        )
    if isinstance(found, Exception):
        raise found
    return found  # type: ignore[no-any-return]


def _error(status: int | None) -> Exception:
    """The error that a child's exit status tells."""
    if _HAS_TIMER and status == -signal.SIGPROF:
        return TimeoutError()
    return RecursionError() if status in _CRASHES else MemoryError()


def close_files() -> None:
    """Let this process open no file from now on, where the system can."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))


def wrong(messages: Sequence[str], source: Source, allowed: str = LANGUAGE) -> Exception:
    """The error that clingo's messages tell: the first of them, as all messages on files are."""
    told = "".join(messages)
    if "bad_alloc" in told:  # C++ ran out of memory
        return MemoryError()
    found = _ERROR.search(told)
    line, text = found.groups() if found else ("1", told)
    where = source.where(int(line))
    return InputError(f"{where}: program: {' '.join(text.split())}; allowed: {allowed}")


def parsed(source: Source, forbidden: Mapping[Any, str], allowed: str = LANGUAGE) -> list[Any]:
    """The statements of a program, in this process.

    Args:
        source: The program.
        forbidden: What to call the types of statements that it may not have; in the part "base",
            every program begins.
        allowed: What it should be, for messages.

    Raises:
        InputError: It is no program, or has what it may not have.
        MemoryError: It takes too much.
    """
    from clingo import ast

    messages: list[str] = []
    found: list[Any] = []
    try:
        ast.parse_string(source.text, found.append, logger=lambda _, text: messages.append(text))
    except RuntimeError as error:
        raise wrong([*messages, str(error)], source, allowed) from None
    for each in found:
        if each.ast_type in forbidden and str(each) != "#program base.":
            where = source.where(each.location.begin.line)
            what = f"{forbidden[each.ast_type]} is not allowed"
            raise InputError(f"{where}: program: {what}; allowed: {allowed}")
    return found


def _run(
    out: Connection,
    megabytes: int,
    seconds: float,
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
) -> None:
    """In the child: limit memory and time, and send what the function returns or raises."""
    end_with_parent()
    with contextlib.suppress(ConnectionError):  # the parent process has ended
        try:
            _confine(megabytes, seconds)
            found = function(*arguments)
        except Exception as error:
            found = error
        out.send(found)


def solve(source: Source, facts: str, encodings: tuple[str, ...], models: int) -> Answer:
    """Read, ground and solve a program, in this process, which can open no file afterwards.

    Args:
        source: The program.
        facts: As for :func:`run_program`.
        encodings: As for :func:`run_program`.
        models: As for :func:`run_program`.

    Raises:
        InputError: The program is wrong.
        MemoryError: It takes too much.
    """
    import clingo
    from clingo import ast

    messages: list[str] = []
    # All models, until enough are found: with a limit of its own clingo would stop at the first
    # models of a program that optimises, though there are better ones.
    control = clingo.Control(["0"], lambda _, text: messages.append(text))
    for file in encodings:
        control.load(resources.encoding(file))
    control.add("base", [], facts + "\n#show.\n")
    close_files()
    try:
        with ast.ProgramBuilder(control) as builder:
            for statement in parsed(source, {ast.ASTType.Script: "a script"}):
                builder.add(statement)
        control.ground([("base", [])])
        models_found, complete = _solved(control, models)
    except RuntimeError as error:
        raise wrong([*messages, str(error)], source) from None
    return Answer(models_found, complete, _underived(control, messages, source))


def _solved(control: object, models: int) -> tuple[tuple[tuple[str, ...], ...], bool]:
    import clingo

    assert isinstance(control, clingo.Control)
    found: list[tuple[str, ...]] = []

    def keep(model: clingo.Model) -> bool:
        if model.cost:
            found.clear()  # a better model
        found.append(tuple(sorted(map(str, model.symbols(shown=True)))))
        return bool(model.cost) or len(found) != models

    result = control.solve(on_model=keep)
    return tuple(found), bool(result.exhausted)


def _underived(control: object, messages: Sequence[str], source: Source) -> tuple[Underived, ...]:
    """The underived atoms that clingo reported, by line."""
    import clingo

    assert isinstance(control, clingo.Control)
    named = re.sub(r"#Anon\d+", "_", "".join(messages))
    told = [(int(line), atom) for line, atom in _UNDERIVED.findall(named)]
    if not told:
        return ()
    asked = {atom: _signature(atom) for _, atom in told}
    known = {(name, n) for name, n, _ in control.symbolic_atoms.signatures} - set(asked.values())
    found = []
    for line, atom in sorted(told):
        file, number = source.place(line)
        found.append(Underived(number, file, atom, _hint(asked[atom][0], known)))
    return tuple(found)


def _signature(atom: str) -> tuple[str, int]:
    """Name and number of arguments of a predicate, told by an atom or as ``name/number``."""
    while atom.startswith("("):  # around a negated atom
        atom = atom[1:-1]
    name, _, number = atom.lstrip("-").partition("/")
    if name.isidentifier() and number.isdecimal():
        return name, int(number)
    name, _, arguments = atom.lstrip("-").partition("(")
    # Messages name anonymous variables and others as no program may, so this is not parsed again.
    plain = _QUOTED.sub("", arguments.removesuffix(")"))
    depths = accumulate((char in "([{") - (char in ")]}") for char in plain)
    commas = sum(char == "," and depth == 0 for char, depth in zip(plain, depths, strict=True))
    return name.strip(), commas + bool(arguments)


def _hint(name: str, known: set[tuple[str, int]]) -> str:
    """A suggestion of the predicate with the same or a similar name, if any."""
    arities = sorted(number for each, number in known if each == name)
    if arities:
        return f", did you mean {' or '.join(f'{name}/{number}' for number in arities)}?"
    return nearest(name, sorted({each for each, _ in known}))


def _confine(megabytes: int, seconds: float) -> None:
    """Limit processor time and address space, where the system can, and silence C++ on failure."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    if _HAS_TIMER:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)  # which ends the process
        signal.setitimer(signal.ITIMER_PROF, seconds)
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0])
        limit = pages * resource.getpagesize() + megabytes * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
