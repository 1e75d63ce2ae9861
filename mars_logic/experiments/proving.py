"""Proofs about a world, or about its maps: the logic, with the simulator's maps and its play."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mars_logic.errors import InputError
from mars_logic.world.known_names import unjudged_rule
from mars_logic.world.theory import World

if TYPE_CHECKING:
    from mars_logic.logic import Explanation, Proof, Verdict
    from mars_logic.logic.certainty import Certainty
    from mars_logic.logic.pddl import PlanningTask
    from mars_logic.logic.sandbox import Answer
    from mars_logic.logic.source import Source
    from mars_logic.play.execute import Execution
    from mars_logic.play.replay import Supply, WitnessReplay

Progress = Callable[[], None]
"""Called whenever one more of some like things is done."""


def prove(
    world: World,
    map_seed: int | None = None,
    *,
    episode: int = 1,
    maps: int = 0,
    played: bool = False,
    time_limit: float | None = None,
    progress: Progress = lambda: None,
    judged: Progress = lambda: None,
) -> Proof:
    """A verdict for each achievement of a world.

    Args:
        world: The world to prove things about.
        map_seed: The seed of a map. Without one the verdicts are about ordinary maps: those with
            enough cells of each material that the generator can make; where maps are drawn, about
            the first drawing.
        episode: Which episode of that seed the map is of.
        maps: Judge what is left to a finite chance, or to the map, on the maps of so many seeds
            (0, 1, 2…) as well, for an estimate of its probability.
        played: Also let an executor play the witnesses on these maps, and tell how often it
            succeeds.
        time_limit: Seconds after which all searches are given up; what is not proved by then is
            ``unknown``. Without a limit the proof is the same on every machine.
        progress: Called after each of these maps.
        judged: Called after each achievement.

    Returns:
        For each achievement: reachable with a witness, unreachable with an explanation, or
        unknown with a reason.

    Raises:
        ValueError: The seed is out of range, or both a map and a number of maps are given.
    """
    from mars_logic import logic

    if map_seed is not None and maps:
        raise ValueError("an estimate over maps and a proof for one map exclude each other")
    deadline = _deadline(time_limit)
    if map_seed is None and world.map.is_drawn:
        map_seed = 0
    given = _map(world, map_seed, episode)
    proof = logic.prove(world, map_seed=map_seed, deadline=deadline, progress=judged, **given)
    if not maps:
        return proof
    return _estimated(world, proof, maps, played, deadline, progress)


def hangs_on_the_map(verdict: Verdict) -> bool:
    """Whether a verdict without a map leaves it to the map, or to luck that a map limits."""
    return verdict.certainty == "finite_chance" or verdict.verdict in ("depends", "unknown")


def _estimated(
    world: World,
    proof: Proof,
    maps: int,
    played: bool,
    deadline: float | None,
    progress: Progress,
) -> Proof:
    """The proof with estimates where the map matters; as far as there is time for whole maps."""
    from mars_logic.logic.estimate import PlayedMaps, estimate
    from mars_logic.logic.prove import verdicts_on_map

    open_ones = [name for name, found in proof.achievements.items() if hangs_on_the_map(found)]
    if not open_ones:
        return proof
    ranges: dict[str, list[tuple[float, float]]] = {name: [] for name in open_ones}
    successes: Counter[str] = Counter()
    for seed in range(maps):
        found = verdicts_on_map(world, open_ones, **_map(world, seed), deadline=deadline)
        if deadline is not None and time.monotonic() >= deadline:
            break
        for name, verdict in found.items():
            ranges[name].append(verdict.probability_range)
            if played and verdict.witness:
                successes[name] += _executed(world, world.name, seed, verdict).steps is not None
        progress()
    estimates = {
        name: estimate(some, PlayedMaps(successes[name], len(some)) if played else None)
        for name, some in ranges.items()
        if some
    }
    verdicts = {
        name: replace(found, estimate=estimates.get(name, found.estimate))
        for name, found in proof.achievements.items()
    }
    return replace(proof, achievements=verdicts)


def execute(
    world: World,
    proof: Proof,
    *,
    name: str | None = None,
    achievements: Collection[str] | None = None,
    progress: Progress = lambda: None,
) -> Mapping[str, Execution]:
    """Play the witnesses of a proof about a map, as far as a simple executor gets.

    Args:
        world: The world of the proof.
        proof: A proof about the map of a seed.
        name: What the world can be loaded by, for certificates; by default its name.
        achievements: Whose witnesses to play; by default all that are reachable.
        progress: Called after each witness.

    Returns:
        What came of it for each of these achievements.

    Raises:
        ValueError: The proof is not about a map.
    """
    if proof.map_seed is None:
        raise ValueError("only a proof about a map can be executed")
    executions: dict[str, Execution] = {}
    for achievement, verdict in proof.achievements.items():
        if verdict.witness and (achievements is None or achievement in achievements):
            executions[achievement] = _executed(world, name or world.name, proof.map_seed, verdict)
            progress()
    return executions


def _executed(world: World, name: str, seed: int, verdict: Verdict) -> Execution:
    from mars_logic.play.execute import execute

    return execute(world, name, seed, verdict.achievement, verdict.witness)


def replay(
    world: World,
    proof: Proof,
    *,
    achievements: Collection[str] | None = None,
    progress: Progress = lambda: None,
) -> Mapping[str, WitnessReplay]:
    """Apply the witnesses of a proof in the simulator, each step in a scene arranged for it.

    Scenes have no more cells and creatures than the map of the proof, or than ordinary maps have.

    Args:
        world: The world of the proof.
        proof: Its proof.
        achievements: Whose witnesses to replay; by default all that are reachable.
        progress: Called after each witness.

    Returns:
        What came of it for each of these achievements.
    """
    from mars_logic.play.replay import replay as replay_witness

    supply = _supply(world, proof.map_seed)
    found: dict[str, WitnessReplay] = {}
    for name, verdict in proof.achievements.items():
        if verdict.verdict == "reachable" and (achievements is None or name in achievements):
            found[name] = replay_witness(world, name, verdict.witness, supply)
            progress()
    return found


def _supply(world: World, map_seed: int | None) -> Supply:
    """What the map of a seed has, or every ordinary map."""
    from mars_logic.play.replay import Supply

    if found := _map(world, map_seed):
        codes = Counter(found["area"].ravel().tolist())
        cells = {world.vocabulary.materials[code]: number for code, number in codes.items()}
        return Supply(Counter(cells), Counter(kind for kind, *_ in found["creatures"] or ()))
    from mars_logic.logic.reachability_model import ReachabilityModel
    from mars_logic.logic.supply import supplies

    model = ReachabilityModel(world)
    cells = {material: max(1, low) for material, (low, _) in supplies(model).items()}
    return Supply(Counter(cells), Counter({row[0] for row in model.relations["haunts"]}))


def explain(
    world: World,
    achievement: str,
    map_seed: int | None = None,
    most: int = 3,
    *,
    time_limit: float | None = None,
) -> Explanation | None:
    """Why an achievement of a world is unreachable, and what would mend it.

    Args:
        world: The world.
        achievement: One of its achievements.
        map_seed: The seed of a map; without one, it is about all maps.
        most: How many smallest explanations to give, at most.
        time_limit: Seconds after which all searches are given up.

    Returns:
        The explanation; None if the achievement is not unreachable.

    Raises:
        ValueError: The seed is out of range, or the world has no such achievement.
        LimitReachedError: A search was given up.
    """
    from mars_logic import logic

    found = _map(world, map_seed)
    return logic.explain(world, achievement, most=most, deadline=_deadline(time_limit), **found)


def ask(
    world: World,
    program: str | Source,
    map_seed: int | None = None,
    *,
    name: str = "program",
    **limits: Any,
) -> Answer:
    """Run a user's logic program together with the facts of a world and what they imply.

    Args:
        world: The world.
        program: The program; it can use all predicates of ``encodings/``.
        map_seed: The seed of a map; without one, it is about all ordinary maps.
        name: What to call the program in messages, if it is given as text.
        **limits: See :func:`mars_logic.logic.sandbox.run_program`.

    Raises:
        InputError: The program is wrong, or takes more time or memory than it may; or in the world
                cells change whatever the player does.
    """
    if rule := unjudged_rule(world):
        message = f"proofs take no account of the rule {rule}"
        raise InputError(f"{world.name}: {message}; allowed: worlds without such rules")
    from mars_logic.logic import map_facts
    from mars_logic.logic.reachability_model import ReachabilityModel
    from mars_logic.logic.sandbox import run_program

    found = _map(world, map_seed)
    reachability = ReachabilityModel(
        world, map_facts(**found, materials=world.vocabulary.materials) if found else None
    )
    return run_program(program, reachability.facts, reachability.programs, name=name, **limits)


def _deadline(time_limit: float | None) -> float | None:
    return None if time_limit is None else time.monotonic() + time_limit


def planning_task(
    world: World,
    goal: Iterable[str] = (),
    certainty: Certainty = "finite_chance",
    map_seed: int | None = None,
    *,
    chances: bool = False,
) -> PlanningTask:
    """A world as a planning task; see :func:`mars_logic.logic.pddl.planning_task`.

    Args:
        world: The world.
        goal: The achievements to unlock; by default all that are reachable.
        certainty: How much luck may be counted on.
        map_seed: The seed of a map; without one, it is about ordinary maps.
        chances: Whether actions have random outcomes.

    Returns:
        The task.

    Raises:
        InputError: An achievement is not reachable, or the world has none of that name.
        ValueError: The seed is out of range.
    """
    from mars_logic.logic import pddl

    on = _map(world, map_seed)
    return pddl.planning_task(world, goal, certainty, map_seed=map_seed, chances=chances, **on)


def _map(world: World, map_seed: int | None, episode: int = 1) -> dict[str, Any]:
    """The map of a seed, as the logic takes it; of seed 0 by default where maps are drawn."""
    from mars_logic.logic.regions import drawn_map

    if world.map.is_drawn:
        return drawn_map(world, map_seed or 0) or {}
    if map_seed is None:
        return {}
    from mars_logic.sim import generate_map  # imports numba, which takes its time

    found = generate_map(world, map_seed, episode)
    return {"area": found.materials, "creatures": found.creatures}
