"""Does a unit of work: plays its episodes, and gives back the files to keep."""

from __future__ import annotations

import copy
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

from mars_logic.domains.certificates import PlayerReference, certify_game
from mars_logic.domains.game import Game
from mars_logic.domains.playing import PlayedGame, play
from mars_logic.domains.protocol import GamePlayer
from mars_logic.domains.registry import domain_of, family_of
from mars_logic.domains.runs import certificate_options
from mars_logic.experiments.games import normalised_score, of_player, player_of, prior_of, shortened
from mars_logic.experiments.record import Files, Phase, Record
from mars_logic.experiments.runs import CertifiedPlay, EpisodeResult, Run
from mars_logic.experiments.units import Unit
from mars_logic.play.agent import Agent, load_agent, model_player
from mars_logic.play.episodes import Observer, Played
from mars_logic.play.learning import FAR, LearningEpisode, experiments, revisions, study
from mars_logic.sim import Observation, Simulator
from mars_logic.world.dump import to_yaml
from mars_logic.world.theory import Theory, World


@dataclass(frozen=True)
class Failure:
    """A unit that could not be done.

    Attributes:
        reason: In one line.
        details: A traceback, or the same line.
    """

    reason: str
    details: str


Outcome = Files | Failure


def attempt(unit: Unit) -> Outcome:
    """Do a unit of work; what goes wrong is an answer too."""
    try:
        return carry_out(unit)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        return Failure(reason, traceback.format_exc())


def carry_out(unit: Unit) -> Files:
    """Do a unit of work."""
    record = Record(unit)
    rules: Any = unit.world
    if not family_of(rules).agents:
        play_unit(unit, rules, record)
    elif unit.learn is None:
        _play(unit, rules, record)
    else:
        _learn(unit, rules, unit.learn, record)
    return record.files()


def _rules_given(unit: Unit) -> Theory | None:
    return cast("Theory | None", unit.belief)


class DecisionLog:
    """An observer that takes down what an agent decides, as far as it tells, run by run."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self.taken: list[dict[str, Any]] = []
        self._step = 0

    def begin(self, observation: Observation) -> None:  # noqa: ARG002
        """Forget the episode before."""
        self.taken, self._step = [], 0

    def note(
        self,
        action: int,  # noqa: ARG002
        reward: float,  # noqa: ARG002
        unlocked: Iterable[str],  # noqa: ARG002
        done: bool,  # noqa: ARG002
        after: Observation,  # noqa: ARG002
    ) -> None:
        """Ask for the decision behind the step that was taken."""
        self._step += 1
        decision = getattr(self._agent, "decision", None)
        if decision is None:
            return
        meant = {"layer": decision.layer, "what": decision.about}
        if not self.taken or meant.items() - self.taken[-1].items():
            self.taken.append({"step": self._step, **meant})


def _play(unit: Unit, world: World, record: Record) -> None:
    make: Any = load_agent(unit.agent)
    agent = make(**unit.made_with)
    run = Run(
        model_player(unit.agent, unit.made_with),
        lambda: agent,
        world,
        unit.name_in_certificates,
        limit=unit.length,
        belief=_rules_given(unit),
        live_on=unit.live_on,
    )
    thoughts = DecisionLog(agent)
    for seed, episode in unit.played:
        result = run.episode(seed, episode, observer=thoughts)
        phase: Phase = "play" if unit.evaluate is None else "evaluate"
        record.add(phase, result, record.cost(), thoughts.taken)


def _learn(unit: Unit, world: World, episodes: int, record: Record) -> None:
    certified = CertifiedPlay(
        world,
        unit.name_in_certificates,
        unit.agent,
        limit=unit.length,
        belief=_rules_given(unit),
        live_on=unit.live_on,
    )
    results: list[EpisodeResult] = []
    watchers: list[DecisionLog] = []
    costs: list[dict[str, float]] = []
    thoughts: list[list[dict[str, Any]]] = []

    def play_one(
        agent: Agent, simulator: Simulator, seed: int, episode: int, observer: Observer | None
    ) -> Played:
        played, result = certified.play(agent, simulator, seed, episode, observer)
        results.append(result)
        return played

    def watch(agent: Agent) -> DecisionLog:
        watchers.append(DecisionLog(agent))
        return watchers[-1]

    def done(_: LearningEpisode | Played) -> None:
        costs.append(record.cost())
        thoughts.append(watchers[-1].taken)

    found = study(
        world,
        unit.seed,
        episodes,
        unit.evaluate or 0,
        agent=unit.agent,
        play_one=play_one,
        watch=watch,
        done=done,
        **unit.made_with,
    )
    told = revisions(found)
    for number, lesson in enumerate(found.lessons, 1):
        changed = sum(each["episode"] == number for each in told)
        of = results[number - 1], costs[number - 1], thoughts[number - 1]
        record.add("learn", *of, lesson.score, changed)
        record.write(f"theories/e{number}.yaml", to_yaml(lesson.theory))
    last = found.lessons[-1].score
    for of in zip(results[episodes:], costs[episodes:], thoughts[episodes:], strict=True):
        record.add("evaluate", *of, last, 0)
    record.write("theory.yaml", to_yaml(found.theory))
    record.write("revisions.json", told)
    record.write("experiments.json", experiments(found))


def lesson_seed(seed: int, number: int) -> int:
    """The seed of a learning episode: the unit's own, then others as far from it as of evaluation.

    Args:
        seed: The unit's.
        number: Of the episode, from 1.
    """
    return seed - FAR * (number - 1)


def play_unit(unit: Unit, game: Game, record: Record) -> None:
    """Play a unit's episodes: one player for all of them.

    Each evaluation episode of a player that learned is played by a copy of it, so that it begins
    with what was learned in the learning episodes alone.

    Args:
        unit: What to play.
        game: Its game.
        record: Takes the episodes down.

    Raises:
        InputError: The player cannot play this game.
    """
    rules = shortened(game, unit.length)
    options = unit.stated_options
    belief: Any = unit.belief
    player = player_of(rules, unit.agent, options, learn=unit.learn is not None, belief=belief)
    learning_since = unit.seed if unit.learn is not None else None
    who = PlayerReference(
        name=unit.agent,
        prior=prior_of(game.domain, unit.agent, options, belief),
        belief=None if belief is None else belief.digest,
        learning_since=learning_since,
        options=certificate_options(of_player(options)),
    )
    name = unit.name_in_certificates if rules == game else None
    match = _Match(rules, record, who, name)
    for number in range(1, (unit.learn or 0) + 1):
        match.play("learn", player, lesson_seed(unit.seed, number), number)
    if unit.learn is None:
        for seed, episode in unit.played:
            match.play("play" if unit.evaluate is None else "evaluate", player, seed, episode)
    elif unit.evaluate is not None:
        for seed, episode in unit.played:
            match.play("evaluate", copy.deepcopy(player), seed, episode)


@dataclass(frozen=True)
class _Match:
    """Plays episodes of a game and takes them down.

    Attributes:
        rules: The game.
        record: Takes them down.
        who: The player, as certificates have it.
        name: How the game is found from a certificate; None if it cannot be, being shortened, so
            that no certificates are kept.
    """

    rules: Game
    record: Record
    who: PlayerReference
    name: str | None

    def play(self, phase: Phase, player: GamePlayer, seed: int, episode: int) -> None:
        simulator = domain_of(self.rules).simulator(self.rules)
        played = play(simulator, player, seed, self.rules.length)
        columns = {"seed": seed, "episode": episode, **self._columns(played)}
        if self.name is not None:
            kept = certify_game(played, self.rules, self.name, seed, self.who)
            columns["certificate"] = self.record.certificate(kept)
        thoughts = [
            {"step": played.steps, "layer": "theory", "what": sentence}
            for sentence in player.theory()
        ]
        self.record.take_down(phase, columns, thoughts)

    def _columns(self, played: PlayedGame) -> dict[str, Any]:
        cost = self.record.cost()
        return {
            "steps": played.steps,
            "reward": float(sum(played.rewards)),
            "ended": "complete" if played.last.completed else "length",
            "unlocked": [],
            "unreachable": [],
            "complete": played.last.completed,
            "score": float(played.score),
            "normalised": normalised_score(self.rules, played.score),
            "seconds_per_decision": cost["seconds"] / len(played.actions),
            **cost,
        }
