"""Learning a world: learning episodes, then evaluation episodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from mars_logic.errors import InputError
from mars_logic.play.agent import Agent, agent_names, load_agent, takes
from mars_logic.play.damage_log import Death, death
from mars_logic.play.episodes import Observer, Played, play
from mars_logic.play.isolated_agent import IsolatedAgent
from mars_logic.play.learner import BeliefReport, RevisionEvent, Trial
from mars_logic.sim import Simulator
from mars_logic.system.display import number
from mars_logic.theory import Consequences, Score, score
from mars_logic.world.load import load_world
from mars_logic.world.theory import Theory, World

PlayOne = Callable[[Agent, Simulator, int, int, Observer | None], Played]
"""Plays one episode: an agent, a simulator, the seed, the episode's number, and who watches."""
FAR: Final = 1_000_000
"""Distance of evaluation seeds from learning seeds and from each other."""


def far_seed(seed: int, number: int) -> int:
    """The seed of an evaluation episode; no two seeds of learning less than FAR apart share one.

    Args:
        seed: That of learning.
        number: Of the episode, from 0.
    """
    return seed + FAR * (number + 1)


@dataclass(frozen=True, repr=False)
class LearningEpisode:
    """One episode of learning.

    Attributes:
        played: The played episode.
        theory: The belief afterwards.
        score: The accuracy of that belief.
        consequences: The values common to all theories consistent with the evidence; None if not
            requested, or if the search reached its limit.
        death: Why it ended in death; None if it did not.
    """

    played: Played
    theory: Theory
    score: Score
    consequences: Consequences | None = None
    death: Death | None = None

    def __repr__(self) -> str:
        return f"<LearningEpisode: {self.played!r}, {self.score!r}>"


@dataclass(frozen=True, repr=False)
class Study:
    """The result of learning a world.

    Attributes:
        world: The world.
        seed: The environment's seed; lesson i is its episode i.
        lessons: The episodes.
        theory: The final belief.
        surprises: When the belief changed, and why.
        trials: The experiments that it made.
        tests: Evaluation episodes without learning.
        confidence: The posterior probability of what the final belief states, by rule and field.
        inexpressible: The fields of which no value that the learner considers explains what was
            seen, each with that in words.
    """

    world: World
    seed: int
    lessons: tuple[LearningEpisode, ...]
    theory: Theory
    surprises: tuple[RevisionEvent, ...]
    trials: tuple[Trial, ...]
    tests: tuple[Played, ...]
    confidence: Mapping[tuple[str, str], float] = field(default_factory=dict)
    inexpressible: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)

    def __repr__(self) -> str:
        learned, tested = (number(len(each), "episode") for each in (self.lessons, self.tests))
        return (
            f"<Study {self.world.name}, seed {self.seed}: learned in {learned}, tested in {tested}>"
        )


def require_learner(name: str) -> None:
    """Refuse agents that do not tell what they believe, or that start from no rules.

    Raises:
        InputError: It is none of the learners, or there is no agent of this name.
    """
    asked = ("tell", "freeze", "consequences")

    def learns(each: str) -> bool:
        return all(hasattr(load_agent(each), method) for method in asked) and takes(each, "prior")

    if not learns(name):
        allowed = ", ".join(each for each in agent_names() if learns(each))
        raise InputError(f"agent: '{name}' does not tell what it learned; allowed: {allowed}")


def study(
    world: World,
    seed: int,
    episodes: int,
    tests: int = 0,
    *,
    agent: str = "inductive",
    limit: int | None = None,
    live_on: bool = False,
    consequences: bool = False,
    play_one: PlayOne | None = None,
    watch: Callable[[Agent], Observer] | None = None,
    done: Callable[[LearningEpisode | Played], None] = lambda _: None,
    **options: Any,
) -> Study:
    """Let a learning agent learn a world.

    Args:
        world: Where it plays; it is told nothing of it but, by its options, a prior.
        seed: The environment's seed.
        episodes: How many episodes it learns in; at least one.
        tests: How many it plays afterwards with what it knows, on other seeds.
        agent: Who learns, as it is registered.
        limit: Steps after which an episode ends, if before the world's own length.
        live_on: Whether episodes go on after the last achievement, to death or their length.
        consequences: Whether to find after each lesson what is certain by then and what is open.
        play_one: Plays each episode; by default until all achievements are unlocked.
        watch: Makes who watches all episodes of an agent.
        done: Called after each episode.
        options: What the agent's class takes, such as what it believes at first.
    """
    simulator = Simulator(world)
    usual = load_world("crafter").within(world)

    def until_all(
        agent: Agent, simulator: Simulator, seed: int, episode: int, observer: Observer | None
    ) -> Played:
        goals = world.achievements
        about = agent, simulator, seed, goals, episode, observer, limit
        return play(*about, live_on=live_on)

    play_one = play_one or until_all
    lessons, tested = [], []
    with IsolatedAgent(agent, **options) as learner:
        observer = watch(learner) if watch else None
        belief: BeliefReport | None = None
        for episode in range(1, episodes + 1):
            learner.later = episodes - episode + tests
            lesson = play_one(learner, simulator, seed, episode, observer)
            belief = learner.told()
            theory = belief.theory.within(world)
            entailed = learner.consequences() if consequences else None
            judged = score(theory, world, usual)
            died = death(lesson, world, (t for t in belief.trials if t.episode == episode))
            lessons.append(LearningEpisode(lesson, theory, judged, entailed, died))
            done(lessons[-1])
        assert belief is not None, "at least one episode"
        learner.freeze()
        for number in range(tests):
            tested.append(play_one(learner, simulator, far_seed(seed, number), 1, observer))
            done(tested[-1])
    told = theory, belief.surprises, belief.trials
    weighed = belief.confidence, belief.inexpressible
    return Study(world, seed, tuple(lessons), *told, tuple(tested), *weighed)


def experiments(found: Study) -> list[dict[str, Any]]:
    """Every experiment as plain data: when, about what, what rivals predicted, and the outcome."""
    return [asdict(trial) for trial in found.trials]


def revisions(found: Study) -> list[dict[str, Any]]:
    """Every change of belief as plain data: when, which rule, in words, and because of what."""
    from mars_logic.world.words import tell

    words = found.world.vocabulary
    return [
        {
            "episode": surprise.episode,
            "step": surprise.step,
            "rule": change.id,
            "words": [tell(change.before, words), tell(change.after, words)],
            "because": [f"{each.did}: {each.saw}" for each in change.because],
        }
        for surprise in found.surprises
        for change in surprise.changes
    ]
