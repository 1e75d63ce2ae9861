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

LEDGER: Final = "spent.jsonl"
"""The file of a folder of exchanges that holds the tokens of every answered request."""
_LEDGER_LOCK: Final = ".spent.lock"
_WAIT: Final = 0.05
"""Seconds between looks for a free slot."""
_MILLION: Final = 1_000_000


class Ledger:
    """The requests that were answered, one line each; appended to by several processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._path = folder / LEDGER
        self._read = 0
        self.requests = 0
        self.usage = TokenUsage()

    def add(self, usage: TokenUsage, requests: int = 1) -> None:
        """Note requests and tokens; what was reserved and not used is noted as negative.

        Args:
            usage: The tokens.
            requests: The number of requests.
        """
        entry = {"prompt": usage.prompt, "completion": usage.completion}
        entry |= {} if requests == 1 else {"requests": requests}
        with self._path.open("ab", buffering=0) as file:  # one write, whole beside others'
            file.write((json.dumps(entry) + "\n").encode())

    def update(self) -> None:
        """Read what was added since."""
        if not self._path.exists():
            return
        with self._path.open("rb") as file:
            file.seek(self._read)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                self._read += len(line)
                entry = json.loads(line)
                self.requests += entry.get("requests", 1)
                self.usage = TokenUsage(
                    self.usage.prompt + entry["prompt"],
                    self.usage.completion + entry["completion"],
                )


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
    with _locked(ledger.folder / _LEDGER_LOCK):
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
    try:
        import fcntl
    except ImportError:  # pragma: no cover - Windows
        yield
        return
    with path.with_name(f".{path.name}.lock").open("ab") as file:
        try:
            fcntl.lockf(
                file, fcntl.LOCK_EX | fcntl.LOCK_NB
            )  # of this process: it may open it twice
        except OSError:
            told = "another process is writing to this session"
            allowed = "to wait for its end, or another folder"
            raise InputError(f"--exchanges: {path}:1: {told}; allowed: {allowed}") from None
        yield


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Wait for a lock that all processes with this folder share."""
    try:
        import fcntl
    except ImportError:  # pragma: no cover - Windows
        yield
        return
    with path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def slot(folder: Path, number: int) -> Iterator[None]:
    """Hold one of a number of slots, which all processes with this folder share.

    Where the system has no locks on files, it waits for nothing.
    """
    try:
        import fcntl
    except ImportError:  # pragma: no cover - Windows
        yield
        return
    while True:
        for place in range(number):
            handle = os.open(folder / f".slot{place}", os.O_RDWR | os.O_CREAT, 0o666)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(handle)
                continue
            try:
                yield
            finally:
                os.close(handle)
            return
        time.sleep(_WAIT)
