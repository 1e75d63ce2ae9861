"""Learning a world: episodes in which an agent learns, then others in which it is tested."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from mars_logic.episodes import Played, play
from mars_logic.learn.apart import AgentApart
from mars_logic.learn.belief import Surprise, Told
from mars_logic.sim import Simulator
from mars_logic.theory import Score, score
from mars_logic.world.load import load_world
from mars_logic.world.theory import Theory
from mars_logic.world.world import World

FAR: Final = 1_000_000
"""Evaluation episodes have seeds so far from those of learning."""


@dataclass(frozen=True)
class Lesson:
    """One episode of learning.

    Attributes:
        played: How it went.
        score: How much of the truth was believed afterwards.
    """

    played: Played
    score: Score


@dataclass(frozen=True)
class Study:
    """What came of learning a world.

    Attributes:
        world: The world.
        seed: The environment's seed; lesson i is its episode i.
        lessons: The episodes.
        theory: What was believed in the end.
        surprises: When the belief changed, and why.
        tests: Episodes afterwards, in which nothing was learned.
    """

    world: World
    seed: int
    lessons: tuple[Lesson, ...]
    theory: Theory
    surprises: tuple[Surprise, ...]
    tests: tuple[Played, ...]


def study(
    world: World,
    seed: int,
    episodes: int,
    tests: int = 0,
    *,
    prior: str = "crafter",
    done: Callable[[Played], None] = lambda _: None,
) -> Study:
    """Let the learning agent learn a world.

    Args:
        world: Where it plays; it is told nothing of it.
        seed: The environment's seed.
        episodes: How many episodes it learns in.
        tests: How many it plays afterwards with what it knows, on other seeds.
        prior: What it believes at first, ``crafter`` or ``none``.
        done: Called after each episode.
    """
    simulator, goals = Simulator(world), world.achievements
    usual = load_world("crafter")
    lessons = []
    with AgentApart("inductive", prior=prior) as agent:

        def played(at: int, episode: int) -> Played:
            found = play(agent, simulator, at, goals, episode)
            done(found)
            return found

        belief: Told | None = None
        for episode in range(1, episodes + 1):
            found = played(seed, episode)
            belief = agent.told()
            lessons.append(Lesson(found, score(belief.theory, world, usual)))
        assert belief is not None, "at least one episode"
        agent.freeze()
        tested = [played(seed + FAR + i, 1) for i in range(tests)]
    theory, surprises = belief.theory, tuple(belief.surprises)
    return Study(world, seed, tuple(lessons), theory, surprises, tuple(tested))


def journal(found: Study) -> Iterator[str]:
    """The lines of a lab notebook in Markdown: what was believed, seen, and believed after."""
    from mars_logic.world.words import tell

    yield f"# Learning {found.world.name}, seed {found.seed}"
    for number, lesson in enumerate(found.lessons, 1):
        played = lesson.played
        yield f"\n## Episode {number}\n"
        reached = sorted(played.unlocked.items(), key=lambda pair: (pair[1], pair[0]))
        told = ", ".join(f"{name.replace('_', ' ')} ({step})" for name, step in reached)
        yield f"{played.steps} steps, reward {played.reward:.1f}, ended by {played.ended}."
        yield f"Reached (at step): {told or 'nothing'}.\n"
        for surprise in found.surprises:
            if surprise.episode != number:
                continue
            for change in surprise.changes:
                yield f"- **Step {surprise.step}, `{change.id}`.**"
                yield f"  Believed: {tell(change.before)}"
                for conflict in change.because[:1]:
                    yield f"  Saw: {conflict.did}: {conflict.saw}."
                yield f"  Believe now: {tell(change.after)}"
        overall = lesson.score.overall
        if overall.precision is not None and overall.recall is not None:
            yield (
                f"\nOf the rules believed after this episode {overall.precision:.0%} are true, and "
                f"{overall.recall:.0%} of the true ones are believed."
            )
