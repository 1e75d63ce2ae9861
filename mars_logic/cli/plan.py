"""The command ``plan``: an agent that knows the rules plays one episode, kept as a certificate."""

from __future__ import annotations

import textwrap
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mars_logic.cli.loading import BeliefFile, load_belief
from mars_logic.cli.output import (
    Json,
    Length,
    print_json,
    print_table,
    require_free,
    say_written,
    working,
)
from mars_logic.errors import InputError
from mars_logic.system.file_names import name_as_text
from mars_logic.world.known_names import require_plannable
from mars_logic.world.load import bundled_worlds, load_world

if TYPE_CHECKING:
    from mars_logic.experiments.runs import EpisodeResult, Run
    from mars_logic.play.certificate import Certificate, LowerBound
    from mars_logic.play.comparisons import ComparisonLog
    from mars_logic.play.episodes import Played
    from mars_logic.play.narration import Narration
    from mars_logic.world.theory import World

_WIDTH = 96
_FILM = (256, 256)
"""Pixels of a film; `render` makes others."""


def _planners() -> list[str]:
    """The agents that play by rules which they are told or given."""
    from mars_logic.play.agent import agent_names, load_agent

    return [name for name in agent_names() if _plans(load_agent(name))]


def _plans(made: Any) -> bool:
    """Whether agents of a class know the rules; those that play by a model do not plan."""
    return getattr(made, "knows", "nothing") != "nothing" and not hasattr(made, "argument")


def plan(
    world: Annotated[
        str,
        typer.Argument(
            help="A bundled world or a world file.",
            metavar="WORLD",
            autocompletion=lambda: list(bundled_worlds()),
        ),
    ],
    seed: Annotated[int, typer.Option(min=0, max=2**60, help="The environment's seed.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Keep the certificate here.", metavar="CERTIFICATE"),
    ] = None,
    episode: Annotated[
        int, typer.Option(min=1, max=2**31 - 1, help="Which episode of that seed.")
    ] = 1,
    agent: Annotated[
        str | None,
        typer.Option(
            help="The planning agent: oracle (rules and map), clairvoyant (the future too), or "
            "informed (rules alone). By default oracle; with --belief, informed.",
            autocompletion=_planners,
        ),
    ] = None,
    belief: BeliefFile = None,
    length: Length = None,
    film: Annotated[
        Path | None, typer.Option(help="Also make a film of it, .gif or .mp4.", metavar="FILE")
    ] = None,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain",
            help="Print what was done where, for what, and which decisions rollouts changed.",
        ),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Play again, and replace files.")] = False,
    as_json: Json = False,
) -> None:
    """Plan and play one episode.

    It shows what was unlocked when. With --belief, the agent plays by these rules instead of the
    true ones, and sees what a player sees.

    The certificate holds every action, so that anyone can replay it with `verify`. One of the same
    episode that is there already is not played again.

    Example: mars-logic plan default --seed 7 -o plan.json --explain
    """
    from mars_logic.play.comparisons import ComparisonLog

    loaded = load_world(world)
    require_free(out, force=True)
    require_free(film, force)
    if film:
        from mars_logic.views.film import require_format

        require_format(film)
    played = planned_run(loaded, world, agent, belief, length)
    log = ComparisonLog(played.agent)
    with working("planning and playing"):
        found = played.episode(seed, episode, kept_at=out, anew=force, observer=log)
    death = death_of(loaded, found)
    told = _told(loaded, found) if explain else None
    if film:
        _write_film(found.certificate, loaded, film)
    if as_json:
        files = {"out": out and str(out), "film": film and str(film)}
        rollouts = {"rollouts": _rollouts(log) if explain and found.seconds else None}
        print_json(_document(found, death, told) | rollouts | files)
    else:
        print_episode(found, death, told)
        if explain:
            _print_rollouts(log, played=bool(found.seconds))
        say_written(out, "a certificate")
        say_written(film, f"{found.certificate.steps + 1} frames")


def planned_run(
    world: World, name: str, agent: str | None, belief: str | None, length: int | None
) -> Run:
    """Episodes of an agent that plans, by default the oracle; with a belief, the informed one.

    Raises:
        InputError: The agent does not plan, or cannot play by the belief.
    """
    from mars_logic.experiments.runs import Run
    from mars_logic.play.agent import load_agent

    usual = "oracle" if belief is None else "informed"
    player = usual if agent is None else agent
    make: Any = load_agent(player)
    if player not in _planners():
        allowed = ", ".join(_planners())
        raise InputError(f"--agent: {player} does not know the rules; allowed: {allowed}")
    require_plannable(world, "plan", "the planner")
    given = load_belief(belief, player, [world])
    make_agent = make if given is None else partial(make, belief=given)
    about = player, make_agent, world, name_as_text(name)
    return Run(*about, lower_bound=_lower_bound, limit=length, belief=given)


def _write_film(certificate: Certificate, world: World, film: Path) -> None:
    """A film of an episode, with step, action and achievement below."""
    from mars_logic.cli.render import captions_of, write_film
    from mars_logic.play.certificate import replayed

    actions = [world.vocabulary.actions[action] for action in certificate.actions]
    captions = captions_of(actions, certificate.unlocked)
    write_film(replayed(certificate, world), film, _FILM, captions=captions)


def _told(world: World, found: EpisodeResult) -> Narration:
    """The episode in words, compared with the plan that one makes at its beginning."""
    from mars_logic.plan.observed_map import ObservedMap
    from mars_logic.plan.task_plan import make_plan
    from mars_logic.play.episode_stages import course
    from mars_logic.play.interactions import deeds
    from mars_logic.play.narration import tell
    from mars_logic.sim import Simulator

    kept = found.certificate
    simulator = Simulator(world)
    simulator.reset(kept.seed, kept.episode)
    seen = ObservedMap.from_state(simulator.state(), world.dynamics)
    made = make_plan(world, seen, {})
    done = list(deeds(world, kept.seed, kept.episode, kept.actions))
    return tell(world, course(world, made, done, seen.position))


def _rollouts(log: ComparisonLog) -> dict[str, Any]:
    return {"compared": log.compared, "changed": [asdict(one) for one in log.changed]}


def _print_rollouts(log: ComparisonLog, *, played: bool) -> None:
    """Print the decisions that rollouts changed; a kept episode was not decided anew."""
    lines = (
        log.told()
        if played
        else ("Decisions by rollouts are known only of episodes played now: use --force.",)
    )
    for line in lines:
        print(textwrap.fill(line, _WIDTH, subsequent_indent="  "))


def _lower_bound(world: World, played: Played) -> LowerBound | None:
    from mars_logic.play.bound import lower_bound

    return lower_bound(world, played.seed, played.episode, played.unlocked)


def _luck(found: EpisodeResult) -> dict[str, dict[str, float] | None]:
    """The achievements with a finite chance on this map, with known probabilities."""
    luck: dict[str, dict[str, float] | None] = {}
    for name, verdict in found.proof.achievements.items():
        if verdict.certainty == "finite_chance":
            chance = verdict.probability
            luck[name] = {"low": chance.low, "high": chance.high} if chance else None
    return luck


def _document(found: EpisodeResult, death: str | None, told: Narration | None) -> dict[str, Any]:
    kept = found.certificate
    return {
        "schema": "mars-logic plan 1",
        "world": kept.world.model_dump(),
        "seed": kept.seed,
        "episode": kept.episode,
        "agent": kept.agent,
        "belief": kept.belief,
        "steps": kept.steps,
        "reward": kept.reward,
        "unlocked": kept.unlocked,
        "ended": found.ended,
        "died_of": death,
        "complete": found.complete,
        "unreachable": found.unreachable,
        "luck": _luck(found),
        "lower_bound": kept.lower_bound and kept.lower_bound.model_dump(),
        "explanation": told and asdict(told),
    }


def death_of(world: World, found: EpisodeResult) -> str | None:
    """The cause of the player's death, if any."""
    from mars_logic.play.damage_log import cause_of_death

    if found.ended != "death":
        return None
    if world.vocabulary.traced:
        return "of an unknown cause"
    kept = found.certificate
    return cause_of_death(world, kept.seed, kept.episode, kept.actions)


def print_episode(found: EpisodeResult, death: str | None, told: Narration | None) -> None:
    """Print what one episode unlocked when, for people.

    Args:
        found: The episode.
        death: What the player died of, if it did.
        told: The episode in words, if they are wanted.
    """
    kept, luck = found.certificate, _luck(found)
    later = f", episode {kept.episode}" if kept.episode > 1 else ""
    print(
        f"{kept.world.name}, seed {kept.seed}{later}: {kept.agent} unlocked "
        f"{len(kept.unlocked)} of {len(found.proof.achievements)} achievements "
        f"in {kept.steps} steps, reward {kept.reward:.1f}"
    )
    if death:
        print(f"the player died ({death})")
    if kept.lower_bound:
        print(f"at least {kept.lower_bound.steps} steps are needed ({kept.lower_bound.method})")
    unlocked = sorted(kept.unlocked.items(), key=lambda pair: pair[1])
    missed = (name for name in found.proof.achievements if name not in kept.unlocked)
    rows = [(name, str(step), _by_luck(name, luck)) for name, step in unlocked]
    rows += [(name, "–", _why_not(name, found, luck)) for name in missed]
    print_table(("achievement", "step", ""), rows)
    if told:
        _print_telling(told)


def _by_luck(name: str, luck: dict[str, dict[str, float] | None]) -> str:
    if name not in luck:
        return ""
    chance = luck[name]
    if chance is None:
        return "depends on chance"
    low, high = f"{chance['low']:.0%}", f"{chance['high']:.0%}"
    return f"depends on chance: {low if low == high else f'{low} to {high}'}"


def _why_not(name: str, found: EpisodeResult, luck: dict[str, dict[str, float] | None]) -> str:
    if name in found.unreachable:
        return "proved unreachable on this map"
    return _by_luck(name, luck) or "not unlocked"


def _print_telling(told: Narration) -> None:
    print()
    for line in told.steps:
        print(textwrap.fill(line, _WIDTH, subsequent_indent="  "))
    for heading, text in (("Besides", told.besides), ("Not done", told.left)):
        if text:
            print(textwrap.fill(f"{heading}: {text}.", _WIDTH, subsequent_indent="  "))
