"""Episodes of games, step by step in words, with curves of what happened and was believed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from markupsafe import Markup

from mars_logic.domains.certificates import verify_game
from mars_logic.domains.game import Game
from mars_logic.domains.playing import ReplayedGame, replay
from mars_logic.domains.registry import domain_of
from mars_logic.domains.retold import Beliefs, retold
from mars_logic.errors import InputError
from mars_logic.system.printable import in_one_line
from mars_logic.views.report.charts import Curve, chart
from mars_logic.views.report.report_data import GameMaterial, KeptGame

_BELIEF = "Belief (probabilities)"


@dataclass(frozen=True)
class ToldStep:
    """A step in words.

    Attributes:
        number: From 1.
        believed: What the player believed before it, in sentences.
        action: What it did.
        seen: What it saw then.
        reward: The step's reward.
        score: The score after it.
        best: Whether it was the best action; None where that is not known.
    """

    number: int
    believed: tuple[str, ...]
    action: str
    seen: str
    reward: float
    score: float
    best: bool | None


@dataclass(frozen=True)
class ToldEpisode:
    """An episode in a page.

    Attributes:
        number: Number of the episode in the page, from 0.
        kept: The episode.
        manual: What the player was told before the first step.
        first: What it saw before the first step.
        steps: The steps.
        last: What it believed after the last step.
        throughout: What it believed at every moment, which the steps do not repeat.
        charts: Titles, lines with their styles, and drawings.
        untold: Why the beliefs of a player with a theory are not told; empty if they are.
    """

    number: int
    kept: KeptGame
    manual: str
    first: str
    steps: tuple[ToldStep, ...]
    last: tuple[str, ...]
    throughout: tuple[str, ...]
    charts: tuple[tuple[str, tuple[tuple[str, int], ...], Markup], ...]
    untold: str = ""

    @property
    def name(self) -> str:
        """The name of its place in the page."""
        return f"g{self.number}"

    @property
    def has_beliefs(self) -> bool:
        """Whether something is told of what the player believed."""
        return any(step.believed for step in self.steps)


def told(
    material: GameMaterial, episodes: Sequence[KeptGame], done: Callable[[], None] = lambda: None
) -> list[ToldEpisode]:
    """Tell episodes again.

    Args:
        material: What they are from.
        episodes: Which.
        done: Called after each.

    Raises:
        InputError: What a certificate claims is not so.
    """
    for kept in episodes:
        _require_replayed(kept)
    believed = _beliefs(material, episodes)
    found = []
    for number, kept in enumerate(episodes):
        found.append(_told(number, kept, believed.get(id(kept))))
        done()
    return found


def _require_replayed(kept: KeptGame) -> None:
    verified = verify_game(kept.certificate, kept.game)
    if verified.problems:
        told = in_one_line(verified.problems[0])
        raise InputError(
            f"{kept.path}:1: file: it does not replay: {told}; allowed: an episode of the game as "
            "it is now"
        )


def _told(number: int, kept: KeptGame, believed: Beliefs | str | None) -> ToldEpisode:
    certificate = kept.certificate
    played = replay(kept.game, certificate.seed, certificate.actions)
    beliefs = believed if isinstance(believed, tuple) else ()
    always = _throughout(beliefs)
    told = [tuple(s for s in each.sentences if s not in always) for each in beliefs]
    bests = played.bests or [None] * len(certificate.actions)
    steps = tuple(
        ToldStep(
            step,
            told[step - 1] if told else (),
            played.taken[step - 1],
            played.texts[step],
            outcome.reward,
            played.scores[step],
            None if best is None else best == action,
        )
        for step, (action, outcome, best) in enumerate(
            zip(certificate.actions, played.outcomes, bests, strict=True), 1
        )
    )
    return ToldEpisode(
        number=number,
        kept=kept,
        manual=played.manual,
        first=played.texts[0],
        steps=steps,
        last=told[-1] if told else (),
        throughout=always,
        charts=tuple(_charts(f"g{number}", played, steps, beliefs)),
        untold=believed if isinstance(believed, str) else "",
    )


def _throughout(beliefs: Beliefs) -> tuple[str, ...]:
    """The sentences that hold at every moment."""
    if len(beliefs) < 2:
        return ()
    every = set.intersection(*(set(each.sentences) for each in beliefs))
    return tuple(sentence for sentence in beliefs[0].sentences if sentence in every)


def _charts(
    name: str, played: ReplayedGame, steps: Sequence[ToldStep], beliefs: Beliefs
) -> Iterator[tuple[str, tuple[tuple[str, int], ...], Markup]]:
    """What there is to draw, step by step, from before the first one on."""
    if not steps:
        return
    rewards = [*accumulate((step.reward for step in steps), initial=0)]
    drawn: dict[str, tuple[dict[str, Sequence[float | None]], tuple[float, float] | None]] = {
        "Score": ({"score": played.scores}, None),
        "Reward so far": ({"reward": rewards}, None),
    }
    if played.bests:
        missed = [*accumulate((not step.best for step in steps), initial=0)]
        drawn["Regret (steps without the best action)"] = {"missed": missed}, (0, missed[-1] or 1)
    estimated = dict.fromkeys(what for each in beliefs for what in each.estimates)
    if estimated:
        lines: dict[str, Sequence[float | None]] = {
            what: [each.estimates.get(what) for each in beliefs] for what in estimated
        }
        drawn[_BELIEF] = lines, (0, 1)
    links = [f"#{name}s{max(1, step)}" for step in range(len(steps) + 1)]
    for title, (values, span) in drawn.items():
        curves = [Curve(what, (tuple(line),), at) for at, (what, line) in enumerate(values.items())]
        key = tuple((curve.name, curve.style) for curve in curves) if len(curves) > 1 else ()
        unit = "%" if title == _BELIEF else ""
        yield title, key, Markup(chart(title, curves, span, unit, links))


def _beliefs(material: GameMaterial, episodes: Sequence[KeptGame]) -> dict[int, Beliefs | str]:
    """What players with a theory believed, or why that is not told, by the identity of episodes."""
    groups: dict[tuple[str, ...], list[KeptGame]] = {}
    for kept in episodes:
        if _has_theory(kept):
            groups.setdefault(_player_of(kept), []).append(kept)
    found: dict[int, Beliefs | str] = {}
    for wanted in groups.values():
        found |= _group(material, wanted)
    return found


def _has_theory(kept: KeptGame) -> bool:
    """Whether a player can tell again what it believed; language models write that as actions."""
    domain, name = domain_of(kept.game), kept.certificate.player.name
    if "model" in kept.certificate.player.options:
        return False
    return name in domain.players and bool(domain.player_class(name).has_theory)


def _player_of(kept: KeptGame) -> tuple[str, ...]:
    """What the episodes of one player have in common; each unit of an experiment has its own."""
    learns = kept.certificate.player.learning_since is not None
    unit = kept.row.unit if learns and _in_experiment(kept) else ""
    return kept.game.digest, kept.certificate.player.label, unit


def _in_experiment(kept: KeptGame) -> bool:
    """Whether an experiment tells which episodes of a learner were of learning."""
    return kept.row.phase != "play"


def _group(material: GameMaterial, wanted: Sequence[KeptGame]) -> dict[int, Beliefs | str]:
    """The beliefs of one player in some of its episodes."""
    player, game = wanted[0].certificate.player, wanted[0].game
    theory = _theory(material.theories, wanted[0])
    if theory is None:
        why = "The theory that this player was given is not in the folder."
        return {id(kept): why for kept in wanted}
    lessons: list[KeptGame] = []
    others = list(wanted)
    if player.learning_since is not None:
        lessons, others, missing = _lessons(material.kept, wanted, player.learning_since)
        if missing:
            why = f"Of the episodes in which this player learned, {missing} is not in the folder."
            return {id(kept): why for kept in wanted}
    for kept in lessons:
        _require_replayed(kept)
    beliefs = retold(
        game,
        theory,
        [kept.certificate for kept in lessons],
        [kept.certificate for kept in others],
        learn=player.learning_since is not None,
    )
    return dict(zip(map(id, [*lessons, *others]), beliefs, strict=True))


def _lessons(
    every: Sequence[KeptGame], wanted: Sequence[KeptGame], since: int
) -> tuple[list[KeptGame], list[KeptGame], str]:
    """The episodes of learning up to those wanted, those of a test, and a missing one."""
    if _in_experiment(wanted[0]):
        unit = wanted[0].row.unit
        learned = (k for k in every if k.row.unit == unit and k.row.phase == "learn")
        lessons = sorted(learned, key=lambda kept: kept.row.number)
        others = [kept for kept in wanted if kept.row.phase != "learn"]
        expected = [kept.row.number for kept in lessons]
        gap = next((n for n, held in enumerate(expected, 1) if n != held), None)
        if not others:
            last = max(kept.row.number for kept in wanted)
            lessons = [kept for kept in lessons if kept.row.number <= last]
        if gap is not None or (others and not lessons):
            return [], [], f"number {gap or 1}"
        return lessons, others, ""
    own = _player_of(wanted[0])
    by_seed = {kept.row.seed: kept for kept in every if _player_of(kept) == own}
    played = [kept.certificate.seed for kept in wanted]
    seeds = range(min(since, *played), max(played) + 1)  # seeds before the first are missing, too
    gap = next((seed for seed in seeds if seed < since or seed not in by_seed), None)
    if gap is not None:
        return [], [], f"that of seed {gap}"
    return [by_seed[seed] for seed in seeds], [], ""


def _theory(theories: Mapping[str, Game], kept: KeptGame) -> Game | None:
    """What a player believed before its first episode; None if that is not known."""
    player = kept.certificate.player
    if player.belief is not None:
        return theories.get(player.belief)
    return kept.game if player.prior == "told" else domain_of(kept.game).untold(kept.game)
