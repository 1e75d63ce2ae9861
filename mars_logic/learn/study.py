"""Learning a world: episodes in which an agent learns, then others in which it is tested."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any, Final

from mars_logic.agent import Agent
from mars_logic.episodes import Observer, Played, play
from mars_logic.learn.apart import AgentApart
from mars_logic.learn.belief import Surprise, Told
from mars_logic.learn.trials import Trial
from mars_logic.sim import Simulator
from mars_logic.theory import Consequences, Score, score
from mars_logic.world.load import load_world
from mars_logic.world.theory import Theory
from mars_logic.world.world import World

FAR: Final = 1_000_000
"""Evaluation episodes have seeds so far from those of learning, and from each other."""


def far_seed(seed: int, number: int) -> int:
    """The seed of an evaluation episode; no two seeds of learning less than FAR apart share one.

    Args:
        seed: That of learning.
        number: Of the episode, from 0.
    """
    return seed + FAR * (number + 1)


@dataclass(frozen=True)
class Lesson:
    """One episode of learning.

    Attributes:
        played: How it went.
        theory: What was believed afterwards.
        score: How much of the truth that was.
        consequences: What all theories have in common that are consistent with what was seen; None
            if that was not asked for, or the search for it was given up.
    """

    played: Played
    theory: Theory
    score: Score
    consequences: Consequences | None = None


@dataclass(frozen=True)
class Study:
    """What came of learning a world.

    Attributes:
        world: The world.
        seed: The environment's seed; lesson i is its episode i.
        lessons: The episodes.
        theory: What was believed in the end.
        surprises: When the belief changed, and why.
        trials: The experiments that it made.
        tests: Episodes afterwards, in which nothing was learned.
    """

    world: World
    seed: int
    lessons: tuple[Lesson, ...]
    theory: Theory
    surprises: tuple[Surprise, ...]
    trials: tuple[Trial, ...]
    tests: tuple[Played, ...]


def study(
    world: World,
    seed: int,
    episodes: int,
    tests: int = 0,
    *,
    agent: str = "inductive",
    limit: int | None = None,
    consequences: bool = False,
    goals: Callable[[int, int], Iterable[str]] | None = None,
    watch: Callable[[Agent], Observer] | None = None,
    done: Callable[[Lesson | Played], None] = lambda _: None,
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
        consequences: Whether to find after each lesson what is certain by then and what is open.
        goals: The achievements after which an episode is over, by its seed and number; all by
            default. The agent is not told.
        watch: Makes who watches all episodes of an agent.
        done: Called after each episode.
        options: What the agent's class takes, such as what it believes at first.
    """
    simulator = Simulator(world)
    usual = load_world("crafter")
    lessons, tested = [], []
    with AgentApart(agent, **options) as learner:
        observer = watch(learner) if watch else None

        def played(at: int, episode: int) -> Played:
            wanted = goals(at, episode) if goals else world.achievements
            return play(learner, simulator, at, wanted, episode, observer, limit)

        belief: Told | None = None
        for episode in range(1, episodes + 1):
            lesson = played(seed, episode)
            belief = learner.told()
            theory = belief.theory
            entailed = learner.consequences() if consequences else None
            lessons.append(Lesson(lesson, theory, score(theory, world, usual), entailed))
            done(lessons[-1])
        assert belief is not None, "at least one episode"
        learner.freeze()
        for number in range(tests):
            tested.append(played(far_seed(seed, number), 1))
            done(tested[-1])
    told = belief.theory, belief.surprises, belief.trials
    return Study(world, seed, tuple(lessons), *told, tuple(tested))


def experiments(found: Study) -> list[dict[str, Any]]:
    """Every experiment as plain data: when, about what, what rivals predicted, and the outcome."""
    return [asdict(trial) for trial in found.trials]


def revisions(found: Study) -> list[dict[str, Any]]:
    """Every change of belief as plain data: when, which rule, in words, and because of what."""
    from mars_logic.world.words import tell

    return [
        {
            "episode": surprise.episode,
            "step": surprise.step,
            "rule": change.id,
            "words": [tell(change.before), tell(change.after)],
            "because": [f"{each.did}: {each.saw}" for each in change.because],
        }
        for surprise in found.surprises
        for change in surprise.changes
    ]
