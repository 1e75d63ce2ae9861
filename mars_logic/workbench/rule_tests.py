"""Rules of an agent, or of a person, tested against recorded play of the world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from mars_logic.errors import InputError
from mars_logic.play.certificate import Certificate, certify
from mars_logic.play.session import PlaySession, agent_name
from mars_logic.theory.rulesets import Rules, Unreadable, check_rules
from mars_logic.theory.rulesets.documents import read_rules_in
from mars_logic.theory.rulesets.proposed import TakenLine, marked, taken, with_proposals
from mars_logic.views.report import contents
from mars_logic.views.report.proposed_rules import proposed_table
from mars_logic.workbench.reading import world_of
from mars_logic.workbench.shared import PLANNER, episode_name, page_of, played, watched
from mars_logic.workbench.worker import Begin
from mars_logic.world.known_names import require_plannable
from mars_logic.world.theory import World
from mars_logic.world.words.proposing import proposer_of

Plays = Sequence[tuple[int, tuple[int, ...]]]
"""Episodes of the page: seeds with actions."""

_OTHER: Final = "random"
"""An agent that also does what a planner would not."""
_MEGABYTES: Final = 512
_SECONDS: Final = 20.0


@dataclass(frozen=True)
class UnreadLine:
    """A line without a sentence.

    Attributes:
        place: File and line.
        text: The line.
        problem: What cannot be read.
        proposals: Sentences that it may mean.
    """

    place: str
    text: str
    problem: str
    proposals: tuple[str, ...]


@dataclass(frozen=True)
class TestedRules:
    """What became of rules.

    Attributes:
        about: How many rules have which verdict, by how many transitions.
        unread: Lines that cannot be read.
        page: The rules with verdicts, and the episodes to watch, as a page.
    """

    about: str
    unread: tuple[UnreadLine, ...]
    page: str


def tested(
    begin: Begin,
    text: str,
    path: Path,
    seed: int,
    rules: str,
    file: str,
    plays: Plays,
    confirmed: Mapping[str, str],
) -> TestedRules:
    """Test rules against play of a world: the oracle's, a random player's, and the page's.

    Args:
        begin: Told how far it is.
        text: The text of the world.
        path: Its file.
        seed: The seed of the map on which agents play.
        rules: The rules: sentences, one a line, or the text of a file of rules.
        file: The name of that file; its ending tells what it holds.
        plays: Episodes that were played on the page.
        confirmed: By place, the sentence that an unread line means.

    Raises:
        InputError: The text is no world, or the rules are wrong as a whole.
    """
    from mars_logic.experiments.runs import trajectory_of

    world = world_of(text, path)
    words = world.vocabulary
    sources = with_proposals(read_rules_in(rules, file, words), proposer_of(words))
    meant = {place: TakenLine(sentence, "confirmed") for place, sentence in confirmed.items()}
    episodes = _episodes(begin, world, seed, plays)
    recorded = [
        replace(trajectory_of(each, world), source=Path(episode_name(number)).stem)
        for number, each in enumerate(episodes)
    ]
    begin("testing rules", 1)
    found = check_rules(
        taken(sources, meant, words), recorded, megabytes=_MEGABYTES, seconds=_SECONDS
    )
    found = marked(found, meant)
    shown, material = watched(world, path, episodes)
    table = contents.rules([proposed_table(file, found, shown)])
    unread = tuple(map(_unread, found.unreadable))
    return TestedRules(_about(found), unread, page_of(world, shown, material, seed, table))


def _episodes(begin: Begin, world: World, seed: int, plays: Plays) -> list[Certificate]:
    found = [played(begin, world, seed, _OTHER)]
    try:
        require_plannable(world, "a film", "the planner")
    except InputError:
        pass  # it is tested on what others played
    else:
        found.insert(0, played(begin, world, seed, PLANNER))
    for start, actions in plays:
        session = PlaySession(world, start, world.achievements)
        for action in actions:
            session.act(action)
        if session.actions:
            found.append(certify(session.played(), world, world.name, agent_name()))
    return found


def _about(found: Rules) -> str:
    counts: dict[str, int] = {}
    for rule in found.rules:
        counts[rule.verdict] = counts.get(rule.verdict, 0) + 1
    told = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
    return f"{told or 'no rule'}, by {found.transitions:,} transitions"


def _unread(line: Unreadable) -> UnreadLine:
    return UnreadLine(line.place, line.text, line.problem, line.proposals)
