"""The budget of all processes that share a folder of exchanges, and their simultaneous requests.

A request is reserved before it is made, with the tokens that it may take, so that processes that
ask at the same time pass a limit by one request together, not by one each.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mars_logic.errors import InputError
from mars_logic.language.chat import BudgetReachedError, TokenUsage
from mars_logic.language.settings import Budget, LanguageSettings, Prices
from mars_logic.system.files import append_whole, drop_cut_line, locked, read_bytes
from mars_logic.system.json_files import value_of
from mars_logic.world.fields import shown

LEDGER: Final = "spent.jsonl"
"""The file of a folder of exchanges that holds the tokens of every answered request."""
_LEDGER_LOCK: Final = ".spent.lock"
_ALLOWED: Final = "the tokens of a request, one a line: prompt, completion and requests"
_MOST_BYTES: Final = 2**29
_MOST_TOKENS: Final = 10**12
_WAIT: Final = 0.05
"""Seconds between looks for a free slot."""
_MILLION: Final = 1_000_000


class Ledger:
    """The requests that were answered, one line each; appended to by several processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._path = folder / LEDGER
        self._read = 0
        self._lines = 0
        self._mended = False
        self.requests = 0
        self.usage = TokenUsage()

    def add(self, usage: TokenUsage, requests: int = 1) -> None:
        """Note requests and tokens; what was reserved and not used is noted as negative.

        Args:
            usage: The tokens.
            requests: The number of requests.

        Raises:
            InputError: The file cannot be written to.
        """
        entry = {"prompt": usage.prompt, "completion": usage.completion}
        entry |= {} if requests == 1 else {"requests": requests}
        if not self._mended:
            with locked(self.folder / _LEDGER_LOCK, by_process=True):
                drop_cut_line(self._path)
            self._mended = True
        append_whole(self._path, (json.dumps(entry) + "\n").encode())

    def update(self) -> None:
        """Read what was added since.

        Raises:
            InputError: It cannot be read, or a line of it is damaged.
        """
        if not os.path.lexists(self._path):
            return
        content = read_bytes(self._path, _ALLOWED, _MOST_BYTES)[self._read :]
        whole = content[: content.rfind(b"\n") + 1]
        self._read += len(whole)
        for line in whole.splitlines():
            self._lines += 1
            prompt, completion, requests = _entry(line, f"{self._path}:{self._lines}")
            self.requests += requests
            self.usage = TokenUsage(self.usage.prompt + prompt, self.usage.completion + completion)


def _entry(line: bytes, place: str) -> tuple[int, int, int]:
    """Tokens read and written, and requests, of a line.

    Raises:
        InputError: It is damaged.
    """
    entry = value_of(line, place, _ALLOWED)
    if not isinstance(entry, dict):
        raise InputError(f"{place}: line: this is no mapping; allowed: {_ALLOWED}")
    numbers = [entry.pop(name, None) for name in ("prompt", "completion")]
    numbers.append(entry.pop("requests", 1))
    for name, number in zip(("prompt", "completion", "requests"), numbers, strict=True):
        if type(number) is not int or abs(number) > _MOST_TOKENS:
            told = "it is missing" if number is None else shown(number)
            raise InputError(f"{place}: {name}: {told}; allowed: a whole number")
    if entry:
        name = next(iter(entry))
        raise InputError(f"{place}: {shown(name)}: unknown field; allowed: {_ALLOWED}")
    return numbers[0], numbers[1], numbers[2]


def cost(usage: TokenUsage, prices: Prices) -> float:
    """The price of tokens.

    Example:
        >>> cost(TokenUsage(2_000_000, 100_000), Prices(prompt=1.0, completion=4.0))
        2.4
    """
    return (usage.prompt * prices.prompt + usage.completion * prices.completion) / _MILLION


def require_left(ledger: Ledger, settings: LanguageSettings) -> None:
    """Refuse a request when a limit of the budget is reached.

    Raises:
        BudgetReachedError: A limit is reached; the message states which, and how to go on.
    """
    budget = settings.budget
    if budget == Budget():
        return
    ledger.update()
    spent: dict[str, tuple[float, float | None]] = {
        "requests": (ledger.requests, budget.requests),
        "tokens": (ledger.usage.total, budget.tokens),
    }
    if settings.prices is not None:
        spent["money"] = cost(ledger.usage, settings.prices), budget.money
    for name, (used, most) in spent.items():
        if most is not None and used >= most:
            raise BudgetReachedError(
                f"--language: budget.{name}: {used:,.6g} of {most:,.6g} are spent; "
                "allowed: a larger budget, with which the same command goes on from here"
            )


@contextlib.contextmanager
def reserved(ledger: Ledger, settings: LanguageSettings, most: TokenUsage) -> Iterator[Spending]:
    """Reserve a request, if the budget allows it, and settle what it took in the end.

    Args:
        ledger: Of the folder of exchanges.
        settings: With the budget.
        most: The tokens that the request may take.

    Yields:
        Takes the tokens that it took; without any the request counts as not made.

    Raises:
        BudgetReachedError: A limit is reached.
    """
    spending = Spending()
    if settings.budget == Budget():
        yield spending
        if spending.usage is not None:
            ledger.add(spending.usage)
        return
    with locked(ledger.folder / _LEDGER_LOCK):
        require_left(ledger, settings)
        ledger.add(most)
    try:
        yield spending
    finally:
        used = spending.usage or TokenUsage()
        left = TokenUsage(used.prompt - most.prompt, used.completion - most.completion)
        ledger.add(left, 0 if spending.usage is not None else -1)


@dataclass
class Spending:
    """What a request took.

    Attributes:
        usage: Its tokens; None if it was not answered.
    """

    usage: TokenUsage | None = None


@contextlib.contextmanager
def session_lock(path: Path) -> Iterator[None]:
    """Keep other processes from writing to a session.

    Args:
        path: The session's file.

    Raises:
        InputError: Another process writes to it.
    """
    with locked(path.with_name(f".{path.name}.lock"), wait=False, by_process=True) as held:
        if not held:
            told = "another process is writing to this session"
            allowed = "to wait for its end, or another folder"
            raise InputError(f"--exchanges: {path}:1: {told}; allowed: {allowed}")
        yield


@contextlib.contextmanager
def slot(folder: Path, number: int) -> Iterator[None]:
    """Hold one of a number of slots, which all processes with this folder share.

    Where the system has no locks on files, it waits for nothing.

    Raises:
        InputError: What is there is no regular file, or cannot be opened.
    """
    while True:
        for place in range(number):
            with locked(folder / f".slot{place}", wait=False) as held:
                if held:
                    yield
                    return
        time.sleep(_WAIT)
