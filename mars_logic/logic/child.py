"""Programs of users, in a process of their own.

Grounding cannot be interrupted, and a few lines can ground to more than a machine holds. So what a
user wrote is grounded and solved in a child process with a limit of memory and of time, and only
plain data come back.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path

from mars_logic import resources
from mars_logic.errors import InputError
from mars_logic.interruptions import ours_alone
from mars_logic.world.fields import nearest

MEGABYTES = 1024
SECONDS = 60.0
_USER = "your program"
_UNDERIVED = re.compile(
    r"^<block>:(\d+):\S+ info: (?:atom does not occur in any rule head"
    r"|no atoms over signature occur in program):\n\s+(\S.*)$",
    re.MULTILINE,
)
_ERROR = re.compile(r"^<block>:(\d+):\S+ error: (.*(?:\n  .*)*)", re.MULTILINE)


@dataclass(frozen=True)
class Underived:
    """An atom that a program asks for and nothing derives, be it for a misspelt name.

    Attributes:
        line: Where the program asks for it, from 1.
        atom: The atom, or a predicate with its number of arguments.
        hint: How to go on where another predicate was probably meant; empty if none is like it.
    """

    line: int
    atom: str
    hint: str

    def __str__(self) -> str:
        return f"nothing derives {self.atom}{self.hint}"


@dataclass(frozen=True)
class Answer:
    """What a program says.

    Attributes:
        models: The shown atoms of each model, sorted; the best model only if it optimises.
        complete: Whether there are no other models.
        underived: What the program asks for and nothing derives (20 such atoms at most).
    """

    models: tuple[tuple[str, ...], ...]
    complete: bool
    underived: tuple[Underived, ...] = ()


def run_program(
    program: str,
    facts: str,
    encodings: Sequence[str] = (),
    *,
    name: str = _USER,
    models: int = 1,
    megabytes: int = MEGABYTES,
    seconds: float = SECONDS,
) -> Answer:
    """Ground and solve a user's program, together with facts and with encodings of ours.

    Args:
        program: The program's text. Only what it shows (``#show``) is told.
        facts: Facts of a world, or whatever else goes with it.
        encodings: Files of ``encodings/`` that go with it.
        name: What to call the program in messages: its file.
        models: How many models to look for; 0 for all.
        megabytes: How much more memory grounding and solving may take than an idle process.
        seconds: How much time they may take.

    Raises:
        InputError: The program is wrong, or takes more than it may.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    arguments = (theirs, program, facts, tuple(encodings), models, megabytes)
    child = context.Process(target=_run, args=arguments, daemon=True)
    with ours_alone():
        child.start()
    theirs.close()
    try:
        if not ours.poll(seconds):
            raise InputError(
                f"{name}:1: program: it takes more than {seconds:g} seconds; "
                "allowed: a program that grounds to less, or a higher limit"
            )
        found = ours.recv()
    except EOFError:  # not even the message that memory is used up could be sent
        found = MemoryError()
    finally:
        child.kill()
        child.join()
        ours.close()
    if isinstance(found, MemoryError):
        raise InputError(
            f"{name}:1: program: it takes more than {megabytes} MB of memory; "
            "allowed: a program that grounds to less, or a higher limit"
        )
    if isinstance(found, str):
        raise InputError(_told(found, name))
    assert isinstance(found, Answer)
    return found


def _run(
    out: Connection,
    program: str,
    facts: str,
    encodings: tuple[str, ...],
    models: int,
    megabytes: int,
) -> None:
    """In the child: limit the memory, solve, and send an answer, a message, or a memory error."""
    import clingo

    messages: list[str] = []
    with contextlib.suppress(ConnectionError):  # nobody is left who asked
        try:
            _limit_memory(megabytes)
            # All models, until enough are found: with a limit of its own clingo would stop at the
            # first models of a program that optimises, though there are better ones.
            control = clingo.Control(["0"], lambda _, text: messages.append(text))
            for file in encodings:
                control.load(str(resources.folder("encodings") / file))
            control.add("base", [], facts + "\n#show.\n")
            control.add("base", [], program)
            control.ground([("base", [])])
            out.send(replace(_solved(control, models), underived=_underived(control, messages)))
        except MemoryError as error:
            out.send(error)
        except RuntimeError as error:
            # clingo says "bad_alloc" where C++ has no memory left.
            out.send(
                MemoryError() if "bad_alloc" in str(error) else "".join(messages) or str(error)
            )


def _solved(control: object, models: int) -> Answer:
    import clingo

    assert isinstance(control, clingo.Control)
    found: list[tuple[str, ...]] = []

    def keep(model: clingo.Model) -> bool:
        if model.cost:
            found.clear()  # a better model
        found.append(tuple(sorted(map(str, model.symbols(shown=True)))))
        return bool(model.cost) or len(found) != models

    result = control.solve(on_model=keep)
    return Answer(tuple(found), bool(result.exhausted))


def _underived(control: object, messages: Sequence[str]) -> tuple[Underived, ...]:
    """What a program asks for in vain, as clingo noticed; by line."""
    import clingo

    assert isinstance(control, clingo.Control)
    told = [(int(line), atom) for line, atom in _UNDERIVED.findall("".join(messages))]
    if not told:
        return ()
    asked = {atom: _signature(atom) for _, atom in told}
    known = {(name, n) for name, n, _ in control.symbolic_atoms.signatures} - set(asked.values())
    return tuple(Underived(line, atom, _hint(asked[atom][0], known)) for line, atom in sorted(told))


def _signature(atom: str) -> tuple[str, int]:
    """Name and number of arguments of a predicate, told by an atom or as ``name/number``."""
    from clingo import ast

    name, _, number = atom.lstrip("-").partition("/")
    if name.isidentifier() and number.isdecimal():
        return name, int(number)
    found: list[ast.AST] = []
    ast.parse_string(f":- {atom}.", found.append)
    symbol = found[-1].body[0].atom.symbol
    while symbol.ast_type != ast.ASTType.Function:
        symbol = symbol.argument
    return symbol.name, len(symbol.arguments)


def _hint(name: str, known: set[tuple[str, int]]) -> str:
    """Which predicate was probably meant, if one is called so, or nearly so."""
    arities = sorted(number for each, number in known if each == name)
    if arities:
        return f", did you mean {' or '.join(f'{name}/{number}' for number in arities)}?"
    return nearest(name, sorted({each for each, _ in known}))


def _limit_memory(megabytes: int) -> None:
    """Bound the address space, where the system can."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + megabytes * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _told(messages: str, name: str) -> str:
    """The first of clingo's messages, as all messages on files are."""
    found = _ERROR.search(messages)
    line, text = found.groups() if found else ("1", messages)
    return f"{name}:{line}: program: {' '.join(text.split())}; allowed: clingo's language"
