"""Key bindings: actions, undo, pages to read, and confirmations of irreversible commands."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from mars_logic.play.action_keys import action_keys, changes, spoken
from mars_logic.play.session import PlaySession
from mars_logic.views.terminal import OBJECTS, creature_glyphs, material_glyphs, traced_legend
from mars_logic.world.vocabulary import Vocabulary, vocabulary
from mars_logic.world.words import manual

CRAFTER: Final = vocabulary("crafter")
Page = Literal["manual", "help"]
Question = Literal["manual", "undo", "quit"]

OTHER_KEYS: Final = {
    "u": "undo: take the last step back",
    "m": "the manual: the rules of this world in words",
    "v": "letters or pictures, where there is room for them",
    "h": "this page",
    "q": "quit",
}

_SCROLL: Final = {"up": -1, "down": 1, "k": -1, "j": 1}
_PAGES: Final = {"page up": -1, "page down": 1, "b": -1, "space": 1}
_ASKED: Final[dict[Question, str]] = {
    "manual": "The manual states the rules; the episode will be marked. Read it? y/n",
    "undo": "After undo, which shows what chance brings, this is practice. Undo? y/n",
}


@dataclass
class HumanGame:
    """A session, with its open page or question.

    Attributes:
        session: What is played.
        place: Where it will be kept, as told to the player; None if nowhere.
        fallback: Where it could be kept then.
        page: What is read instead of looking at the world.
        top: The first line of that page that is shown.
        question: What has to be answered first.
        message: What happened last.
        pictures: Pictures are wanted instead of letters.
        over: The player has left.
        keep_anyway: The player wants it kept in `fallback`.
    """

    session: PlaySession
    place: str | None = None
    fallback: str = "plays"
    page: Page | None = None
    top: int = 0
    question: Question | None = None
    message: str = "h shows the keys."
    pictures: bool = False
    over: bool = False
    keep_anyway: bool = False

    @cached_property
    def manual(self) -> list[str]:
        """The lines of the manual."""
        return manual(self.session.world).splitlines()

    @cached_property
    def keys(self) -> dict[str, tuple[str, ...]]:
        """The keys of each action of the dialect."""
        return action_keys(self.session.world.vocabulary)

    @cached_property
    def _codes(self) -> dict[str, int]:
        actions = self.session.world.vocabulary.actions
        return {key: actions.index(action) for action, some in self.keys.items() for key in some}

    @property
    def lines(self) -> list[str]:
        """The lines of the page that is read."""
        return self.manual if self.page == "manual" else help_lines(self.session.world.vocabulary)

    @property
    def asked(self) -> str | None:
        """The question to answer."""
        return self._about_leaving() if self.question == "quit" else _asked(self.question)

    def press(self, key: str, room: int = 20) -> None:
        """A key was pressed.

        Args:
            key: A character, or the name of a key as ``keys.decode`` gives it.
            room: How many lines of a page are shown at once.
        """
        if self.question:
            self._answer(key)
        elif self.page:
            self._read(key, room)
        elif key in self._codes:
            self._act(self._codes[key])
        else:
            self._other(key)

    def _other(self, key: str) -> None:
        aids = self.session.aids
        match key:
            case "m":
                self._ask_or_do("manual", known="manual" in aids)
            case "u" if self.session.can_undo:
                self._ask_or_do("undo", known="undo" in aids)
            case "u":
                self.message = "There is nothing to undo."
            case "v":
                self.pictures = not self.pictures
            case "h" | "?":
                self.page, self.top = "help", 0
            case "q" if self.session.steps and not (self.session.ended and self.place):
                self.question = "quit"
            case "q":
                self.over = True

    def _ask_or_do(self, what: Question, known: bool) -> None:
        self.question = what
        if known:
            self._answer("y")

    def _answer(self, key: str) -> None:
        asked, self.question = self.question, None
        match asked, key:
            case "manual", "y":
                self.session.aids.add("manual")
                self.page, self.top = "manual", 0
            case "undo", "y":
                self.session.undo()
                self.message = f"Undone; you are at step {self.session.steps}."
            case "quit", "k" if not self.place:
                self.keep_anyway = self.over = True
            case "quit", "y":
                self.over = True

    def _about_leaving(self) -> str:
        if self.place:
            return f"Stop? The same command continues the episode, kept in {self.place}. y/n"
        return f"Leave? k keeps this episode in {self.fallback}, y throws it away, n goes on."

    def _read(self, key: str, room: int) -> None:
        if key in ("m", "h", "?", "q", "escape", "enter"):
            self.page = None
            return
        self.top += _SCROLL.get(key, 0) + (room - 1) * _PAGES.get(key, 0)
        last = max(0, len(self.lines) - room)
        self.top = {"home": 0, "end": last}.get(key, min(max(self.top, 0), last))

    def _act(self, action: int) -> None:
        session = self.session
        if session.ended:
            self.message = told_end(session)
            return
        before = session.seen
        new = session.act(action)
        words = session.world.vocabulary
        parts = changes(before, session.seen, words.items)
        if new:
            parts.append(f"unlocked {', '.join(new)}")
        end = told_end(session) if session.ended else ""
        told = words.actions[action] + (f": {', '.join(parts)}" if parts else "")
        self.message = f"{end} ({told})" if end else told


def _asked(question: Question | None) -> str | None:
    return _ASKED[question] if question else None


def told_end(session: PlaySession) -> str:
    """How an episode ended, and what can be done now."""
    ends = {
        "complete": "Everything is unlocked",
        "death": "You died",
        "length": "The episode is over",
    }
    return f"{ends[session.ended or 'length']} at step {session.steps}. q quits."


def help_lines(words: Vocabulary = CRAFTER) -> list[str]:
    """The page about the keys."""
    keys = [(" or ".join(keys), spoken(action)) for action, keys in action_keys(words).items()]
    keys += OTHER_KEYS.items()
    columns, height = words.view
    rows = [f"  {key:<14} {what}" for key, what in keys]
    return [
        "# Keys",
        "",
        *rows,
        "",
        f"You see {columns} x {height} cells, as agents do, and stand in the middle. `do` acts on",
        "what is before you: collect, drink, eat, hit. A step passes with each action, and only",
        "then; while you sleep, any action lets time pass.",
        "",
        "Each achievement gives 1 the first time, each point of health won or lost 0.1.",
        "",
        "# Marks",
        "",
        *_legend(
            {
                **material_glyphs(words),
                **OBJECTS,
                **creature_glyphs(words),
                **(traced_legend(words) if words.traced else {}),
            }
        ),
    ]


def _legend(marks: dict[str, str]) -> list[str]:
    """The legend, three entries per line."""
    cells = [f"{mark} {name.replace('_', ' '):<16}" for name, mark in marks.items()]
    return ["  " + "  ".join(cells[i : i + 3]).rstrip() for i in range(0, len(cells), 3)]
