"""Transcripts of agents that a language model plays: what was asked, answered, and spent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup

from mars_logic.language.chat import TokenUsage
from mars_logic.language.exchanges import (
    Exchange,
    RequestPlace,
    is_exchanges,
    read_exchanges,
)
from mars_logic.language.settings import Prices
from mars_logic.language.spending import cost
from mars_logic.system.display import number
from mars_logic.theory.rulesets import RuleFinding, Rules
from mars_logic.theory.verdict import Verdict
from mars_logic.views.report.charts import Curve, chart
from mars_logic.views.report.replays import Replay
from mars_logic.views.report.signs import SIGNS

MOST_REQUESTS: Final = 300
"""Requests that a page shows, over all sessions; each takes 1 to 4 kB."""
MOST_CHARACTERS: Final = 8_000
"""Characters of a message that are shown."""
MOST_POINTS: Final = 400
"""Points of the curve of tokens."""
EXCHANGES: Final = "exchanges"
"""The folder of exchanges inside the folder of an experiment."""


@dataclass(frozen=True)
class ToldMessage:
    """A message of a prompt.

    Attributes:
        speaker: ``system``, ``user`` or ``assistant``.
        text: Its text; empty if it was shown before.
        more: How many characters are left out at the end.
        shown_in: The number of the request that shows the same message; None if it is new.
    """

    speaker: str
    text: str
    more: int = 0
    shown_in: int | None = None


@dataclass(frozen=True)
class ToldProposal:
    """A rule that a model proposed, with what the page's recordings say of it.

    Attributes:
        text: The rule.
        verdict: Of the checker, in the end.
        reason: A counterexample, or what would decide.
    """

    text: str
    verdict: Verdict
    reason: str

    @property
    def sign(self) -> str:
        """A sign that stands for the verdict."""
        return SIGNS[self.verdict]


@dataclass(frozen=True)
class ToldRequest:
    """A request and its answer.

    Attributes:
        number: Its number in the session, from 1.
        episode: Which episode, from 1.
        step: After how many steps.
        role: The prompt, in words.
        messages: The prompt.
        answer: The answer.
        cut: Whether the answer ended at the limit of its length.
        usage: Its tokens.
        cost: Its price; None without prices.
        replay: Which of the page's episodes it belongs to; None if it is not among them.
        proposed: The rules that were proposed at this step, with its last request about rules.
    """

    number: int
    episode: int
    step: int
    role: str
    messages: tuple[ToldMessage, ...]
    answer: ToldMessage
    cut: bool
    usage: TokenUsage
    cost: float | None
    replay: int | None
    proposed: tuple[ToldProposal, ...]

    @property
    def length(self) -> int:
        """Characters of the prompt's messages that are shown."""
        return sum(len(each.text) for each in self.messages)


@dataclass(frozen=True)
class Transcript:
    """A session of an agent with a model, as a page shows it.

    Attributes:
        title: Whose it is.
        about: The model, and numbers of the whole session.
        roles: For each prompt: its name, requests, tokens read and written, and their price.
        curve: Tokens so far, request by request.
        requests: What is shown of it.
        left: How many requests are left out.
    """

    title: str
    about: str
    roles: tuple[tuple[str, int, int, int, float | None], ...]
    curve: Markup
    requests: tuple[ToldRequest, ...]
    left: int


def sessions(paths: Iterable[Path]) -> dict[str, tuple[Exchange, ...]]:
    """The sessions in folders, or in their folders of exchanges, or in files, by their names.

    Raises:
        InputError: A file of exchanges is damaged.
    """
    found = {}
    for path in paths:
        inside = [*sorted(path.glob("*.jsonl")), *sorted((path / EXCHANGES).glob("*.jsonl"))]
        for file in [path] if path.is_file() else inside:
            if is_exchanges(file) and (read := read_exchanges(file)):
                found[file.stem] = tuple(read)
    return found


def transcripts(
    kept: Mapping[str, Sequence[Exchange]],
    shown: Sequence[Replay],
    rules: Mapping[str, Rules],
    prices: Prices | None = None,
    most: int = MOST_REQUESTS,
) -> dict[str, Any]:
    """The context of the section about language models.

    Args:
        kept: Sessions by their names.
        shown: The page's episodes.
        rules: Rules with what is known of them, by the names of their files.
        prices: Of tokens.
        most: The most requests that are shown, over all sessions.
    """
    shares = _shares([len(each) for each in kept.values()], most)
    told = [
        _transcript(session, share, shown, rules, prices)
        for session, share in zip(kept.values(), shares, strict=True)
    ]
    return {"transcripts": told, "has_prices": prices is not None}


def _shares(lengths: Sequence[int], most: int) -> list[int]:
    """How many requests of each session are shown: as even as possible, ``most`` in all."""
    shares = [0] * len(lengths)
    left = most
    for place in sorted(range(len(lengths)), key=lambda place: lengths[place]):
        waiting = sum(not share for share in shares)
        shares[place] = min(lengths[place], left // max(1, waiting))
        left -= shares[place]
    return shares


def _transcript(
    session: Sequence[Exchange],
    most: int,
    shown: Sequence[Replay],
    rules: Mapping[str, Rules],
    prices: Prices | None,
) -> Transcript:
    place = session[0].place
    usage = _sum(session)
    parts = [
        str(session[0].parameters.get("model", "")),
        number(len(session), "request"),
        f"{usage.prompt:,} tokens read, {usage.completion:,} written",
        *([f"cost {_price(cost(usage, prices))}"] if prices else []),
    ]
    proposals = _library(rules, place)
    totals = [*accumulate(each.reply.usage.total for each in session)]
    every = -(-len(totals) // MOST_POINTS)
    curve = Curve("tokens", (tuple(totals[::every]),), 0, tuple(range(1, len(totals) + 1, every)))
    return Transcript(
        title=f"{place.agent} in {place.world}",
        about=" · ".join(filter(None, parts)),
        roles=tuple(_roles(session, prices)),
        curve=Markup(chart("Tokens so far", [curve], over="request")),
        requests=tuple(_requests(session, most, shown, proposals, prices)),
        left=len(session) - most,
    )


def _library(rules: Mapping[str, Rules], place: RequestPlace) -> list[RuleFinding]:
    """What the agent of a session proposed, as the last file of its rules tells it."""
    found: dict[tuple[str, str], RuleFinding] = {}
    for name, each in rules.items():
        if each.made_by == place.agent and _run_of(name) == _run_of(place.world):
            found |= {(rule.text, rule.when): rule for rule in each.rules}
    return [*found.values()]


def _run_of(name: str) -> str:
    """What the files of a run begin with, such as ``default__react`` of ``default__react__s0``."""
    return name.rpartition("__s")[0]


def _replays_of(shown: Sequence[Replay]) -> Callable[[RequestPlace], int | None]:
    """For the place of a request, the number of its episode on the page, if it is shown."""
    units = {(each.kept.row.unit, each.kept.row.number): each.number for each in shown}
    runs = {(_run_of(each.kept.path.stem), each.kept.row.seed): each.number for each in shown}

    def found(place: RequestPlace) -> int | None:
        by_unit = units.get((place.world, place.episode))
        return by_unit if by_unit is not None else runs.get((_run_of(place.world), place.seed))

    return found


def _roles(
    session: Sequence[Exchange], prices: Prices | None
) -> Iterator[tuple[str, int, int, int, float | None]]:
    for role in dict.fromkeys(each.place.role for each in session):
        some = [each for each in session if each.place.role == role]
        usage = _sum(some)
        spent = cost(usage, prices) if prices else None
        yield _words(role), len(some), usage.prompt, usage.completion, spent


def _requests(
    session: Sequence[Exchange],
    most: int,
    shown: Sequence[Replay],
    rules: Sequence[RuleFinding],
    prices: Prices | None,
) -> Iterator[ToldRequest]:
    before: dict[tuple[str, str], int] = {}
    replay_of = _replays_of(shown)
    last = _last_about_rules(session)
    for n, each in enumerate(session[:most]):
        place, usage = each.place, each.reply.usage
        at = place.episode, place.step
        yield ToldRequest(
            number=n + 1,
            episode=place.episode,
            step=place.step,
            role=_words(place.role),
            messages=tuple(_messages(each, n + 1, before)),
            answer=_cut("answer", each.reply.text),
            cut=each.reply.cut,
            usage=usage,
            cost=cost(usage, prices) if prices else None,
            replay=replay_of(place),
            proposed=tuple(_proposed(rules, *at)) if last[at] == n else (),
        )


def _last_about_rules(session: Sequence[Exchange]) -> dict[tuple[int, int], int]:
    """For each episode and step the last request about rules, or the last one at all."""
    every = [(n, each.place) for n, each in enumerate(session)]
    found = {(place.episode, place.step): n for n, place in every}
    found |= {(place.episode, place.step): n for n, place in every if "rules" in place.role}
    return found


def _messages(
    each: Exchange, request: int, before: dict[tuple[str, str], int]
) -> Iterator[ToldMessage]:
    for message in each.messages:
        key = message.speaker, message.text
        if (first := before.setdefault(key, request)) < request:
            yield ToldMessage(message.speaker, "", shown_in=first)
        else:
            yield _cut(message.speaker, message.text)


def _cut(speaker: str, text: str) -> ToldMessage:
    return ToldMessage(speaker, text[:MOST_CHARACTERS], max(0, len(text) - MOST_CHARACTERS))


def _proposed(rules: Iterable[RuleFinding], episode: int, step: int) -> Iterator[ToldProposal]:
    """The rules that were proposed in an episode after some steps."""
    when = f"episode {episode}, step {step}"
    for rule in rules:
        if rule.when == when:
            yield ToldProposal(rule.text, rule.verdict, _reason(rule))


def _reason(rule: RuleFinding) -> str:
    if rule.counterexamples:
        first = rule.counterexamples[0]
        return f"{first.did}: {first.saw}"
    if rule.support:
        return f"by {number(rule.support, 'observation')}"
    return f"would decide: {rule.decide}" if rule.decide else ""


def _sum(session: Iterable[Exchange]) -> TokenUsage:
    used = [each.reply.usage for each in session]
    return TokenUsage(sum(each.prompt for each in used), sum(each.completion for each in used))


def _price(value: float) -> str:
    return f"{value:.4g}"


def _words(role: str) -> str:
    return role.replace("_", " ")
