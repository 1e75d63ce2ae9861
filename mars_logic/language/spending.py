"""The budget of all processes that share a folder of exchanges, and their simultaneous requests."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mars_logic.language.chat import BudgetReachedError, TokenUsage
from mars_logic.language.settings import Budget, LanguageSettings, Prices

LEDGER: Final = "spent.jsonl"
"""The file of a folder of exchanges that holds the tokens of every answered request."""
_WAIT: Final = 0.05
"""Seconds between looks for a free slot."""
_MILLION: Final = 1_000_000


class Ledger:
    """The requests that were answered, one line each; appended to by several processes."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / LEDGER
        self._read = 0
        self.requests = 0
        self.usage = TokenUsage()

    def add(self, usage: TokenUsage) -> None:
        """Note a request that was answered."""
        line = json.dumps({"prompt": usage.prompt, "completion": usage.completion}) + "\n"
        with self._path.open("ab", buffering=0) as file:  # one write, whole beside others'
            file.write(line.encode())

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
                self.requests += 1
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
