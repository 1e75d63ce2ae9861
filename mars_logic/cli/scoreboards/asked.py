"""What ``scoreboard`` is asked for, and how it answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mars_logic.cli.language_model import LanguageOptions
from mars_logic.cli.output import print_json, refuse
from mars_logic.errors import InputError
from mars_logic.system.processes import cores

if TYPE_CHECKING:
    from mars_logic.language.settings import LanguageSettings


@dataclass(frozen=True)
class BoardRequest:
    """A scoreboard that is asked for; what is None is not stated.

    Attributes:
        benchmark: Its name.
        out: The folder of episodes and tables.
        agents: Who plays, with commas.
        games: Games or worlds, with commas.
        episodes: Episodes of each game.
        puzzles: Puzzles, or sets of them.
        players: Contestants.
        seeds: Seeds of each player.
        orders: Whether escape rooms are played with digits in all orders.
        scenes: How many scenes.
        seed: Seed of the corpus of scenes.
        choices: How choices of questions are drawn.
        explorer: Ways to explore scenes.
        start: Where walks start.
        workers: How many processes.
        language: What is stated of a language model.
        as_json: Whether to print JSON.
    """

    benchmark: str
    out: Path | None
    agents: str | None
    games: str | None
    episodes: int | None
    puzzles: list[str] | None
    players: list[str] | None
    seeds: int
    orders: bool
    scenes: int | None
    seed: int | None
    choices: str | None
    explorer: list[str] | None
    start: list[str] | None
    workers: int | None
    language: LanguageOptions
    as_json: bool

    @property
    def folder(self) -> Path:
        """The folder of a scoreboard that keeps its episodes.

        Raises:
            InputError: None is named.
        """
        if self.out is None:
            raise InputError("--out: it is missing; allowed: a folder to keep episodes in")
        return self.out

    @property
    def processes(self) -> int:
        """How many processes."""
        return self.workers or cores()

    def model(self) -> LanguageSettings | None:
        """Settings of the language model that takes part; None if none is named.

        Raises:
            InputError: Something about a model is stated, and none is named.
        """
        named = self.language.settings()
        if named.model is None:
            refuse(self.language.stated(), "with --model")
            return None
        return named

    def tell(self, text: str, data: Callable[[], dict[str, Any]]) -> None:
        """Print the scoreboard.

        Args:
            text: Its page.
            data: Makes its plain values.
        """
        if self.as_json:
            about = {"schema": "mars-logic scoreboard 1", "benchmark": self.benchmark}
            print_json({**about, **data()})
        else:
            print(text)
