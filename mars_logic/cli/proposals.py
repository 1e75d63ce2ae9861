"""Options of ``check`` for lines that cannot be read: proposals, which a person confirms."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mars_logic.cli.output import require_free, say, say_written, write_answer
from mars_logic.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mars_logic.theory.rulesets import Unreadable
    from mars_logic.theory.rulesets.documents import RuleSource
    from mars_logic.theory.rulesets.proposed import TakenLine
    from mars_logic.world.words.proposing import Proposer

_NONE = "none"
_TOLD = 10
"""Unread lines that get proposals where none is to be settled, as many as are printed."""

Confirm = Annotated[bool, typer.Option("--confirm", help="Ask here what each unread line means.")]
Propose = Annotated[
    Path | None,
    typer.Option(
        help="Write what unread lines may mean to this file, to delete what is wrong.",
        metavar="FILE",
    ),
]
Confirmed = Annotated[
    Path | None,
    typer.Option(help="A file of --propose, in which what is wrong was deleted.", metavar="FILE"),
]
AcceptSingle = Annotated[
    bool,
    typer.Option(
        "--accept-single",
        help="Accept a proposal that is far likelier than all others; its verdict says so.",
    ),
]


@dataclass(frozen=True)
class UnreadOptions:
    """How unreadable lines are handled.

    Attributes:
        confirm: Ask on the terminal.
        propose: The file to write proposals to.
        confirmed: The file that tells what was confirmed.
        accept_single: Take proposals that nothing comes near.
        language: Settings of a language model, which chooses among proposals.
        force: Replace the file to be written.
    """

    confirm: bool = False
    propose: Path | None = None
    confirmed: Path | None = None
    accept_single: bool = False
    language: Path | None = None
    force: bool = False

    def require_none(self) -> None:
        """Refuse them all, for a theory of a game.

        Raises:
            InputError: One is stated.
        """
        for name, value in asdict(self).items():
            if value and name != "force":
                option = name.replace("_", "-")
                raise InputError(f"--{option}: a theory has no unread line; allowed: sentences")

    def require_possible(self) -> None:
        """Refuse what cannot be done before anything is read.

        Raises:
            InputError: Nobody can be asked, or the file is there.
        """
        require_free(self.propose, self.force)
        if self.confirm and not sys.stdin.isatty():
            message = "there is no terminal to ask on"
            raise InputError(f"--confirm: {message}; allowed: a terminal, or --propose FILE")


def settled(
    sources: Sequence[RuleSource], chosen: UnreadOptions, proposer: Proposer
) -> tuple[list[RuleSource], dict[str, TakenLine]]:
    """Rules, unread lines with proposals, and by place what these are taken to mean.

    Raises:
        InputError: A file is missing, wrong or there, or no line is unread.
    """
    from mars_logic.theory.rulesets import proposed

    every = bool(chosen.confirm or chosen.propose or chosen.language)
    told = proposed.with_proposals(sources, proposer, None if every else _TOLD)
    lines = [*proposed.unread_lines(told)]
    meant: dict[str, Any] = {}
    if chosen.accept_single:
        meant |= proposed.alone(lines, proposer)
    if chosen.confirmed:
        meant |= proposed.read_confirmed(chosen.confirmed, lines, proposer)
    if chosen.language:
        left = [each for each in lines if each.place not in meant]
        meant |= chosen_by_model(left, chosen.language)
    if chosen.confirm:
        meant |= asked([each for each in lines if each.place not in meant])
    if chosen.propose:
        left = [each for each in lines if each.place not in meant]
        proposed.require_lines(left, "--propose")
        write_answer(chosen.propose, proposed.proposals_file(left))
        say_written(chosen.propose, "what unread lines may mean; delete what is wrong")
    return told, meant


def asked(lines: Sequence[Unreadable]) -> dict[str, TakenLine]:
    """By place: what a person says that lines mean."""
    from mars_logic.theory.rulesets.proposed import TakenLine

    found: dict[str, TakenLine] = {}
    for line in lines:
        if not line.proposals:
            continue
        say(f"{line.place}: {line.text}\nDo you mean:")
        for number, sentence in enumerate(line.proposals, 1):
            say(f"  {number}. {sentence}")
        answer = _number(len(line.proposals))
        if answer:
            found[line.place] = TakenLine(line.proposals[answer - 1], "confirmed")
    return found


def chosen_by_model(lines: Sequence[Unreadable], settings: Path) -> dict[str, TakenLine]:
    """By place: what a language model says that lines mean, asked one question a line.

    Args:
        lines: The lines, with proposals.
        settings: The file with the settings of the model.

    Raises:
        InputError: No model is named, or something that the settings name is wrong or missing.
    """
    from mars_logic.cli.language_model import print_counts
    from mars_logic.language.answers import action_answer
    from mars_logic.language.session import open_session
    from mars_logic.language.settings import read_settings
    from mars_logic.theory.rulesets.proposed import TakenLine

    stated = read_settings(settings)
    if stated.model is None:
        raise InputError(f"{settings}:1: model: it is missing; allowed: the name of a model")
    texts = (text for each in lines for text in (each.text, *each.proposals))
    asked_for = sha256("\n".join(texts).encode()).hexdigest()[:8]
    # Exchanges that were kept answer for the same lines and proposals only.
    session = open_session("check", stated.model_copy(update={"session": f"lines_{asked_for}"}))
    found: dict[str, TakenLine] = {}
    for line in lines:
        letters = [chr(ord("A") + number) for number in range(len(line.proposals))]
        if not letters:
            continue
        session.place = replace(session.place, step=session.counts.asked)
        about: dict[str, Any] = {"line": line.text, "letters": letters}
        about["offers"] = list(line.proposals)
        answer = session.ask("unread_line", action_answer([*letters, _NONE]), **about)
        if answer is not None and answer.action != _NONE:
            sentence = line.proposals[letters.index(answer.action)]
            found[line.place] = TakenLine(sentence, "chosen by model")
    print_counts(session.counts, stated)
    return found


def _number(most: int) -> int:
    """The number that a person gives, from 0 up to some number."""
    while True:
        told: int = typer.prompt(
            "Number, or 0 for none of these", default=0, show_default=False, err=True, type=int
        )
        if 0 <= told <= most:
            return told
        say(f"{told} is none of them; allowed: 0 to {most}")
