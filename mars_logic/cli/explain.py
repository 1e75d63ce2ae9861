"""The command ``explain``: why an achievement is unreachable, with repairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from mars_logic.cli.output import Json, print_json
from mars_logic.cli.prove import TimeLimit
from mars_logic.cli.worlds import WorldName
from mars_logic.errors import InputError
from mars_logic.world.fields import nearest
from mars_logic.world.load import load_world

if TYPE_CHECKING:
    from mars_logic.logic.proof import Explanation
    from mars_logic.logic.repair_data import Repair
    from mars_logic.world.theory import World


def explain(
    world: WorldName,
    achievement: Annotated[str, typer.Argument(help="One of the world's achievements.")],
    map_seed: Annotated[
        int | None, typer.Option("--map", min=0, max=2**60, help="Explain it for this seed's map.")
    ] = None,
    most: Annotated[
        int,
        typer.Option(min=1, max=1000, help="The largest number of smallest explanations to print."),
    ] = 3,
    time_limit: TimeLimit = None,
    as_json: Json = False,
) -> None:
    """Explain why an achievement is unreachable.

    The explanation is a chain of causes, with the smallest repairs of the rules. Exit status 1 if
    it is unreachable, 0 if it is not (then there is nothing to explain), and 1 as well if the time
    limit was reached.

    Example: mars-logic explain my/world.yaml collect_diamond
    """
    from mars_logic.experiments.proving import explain as explain_achievement
    from mars_logic.logic.solve import LimitReachedError

    loaded = load_world(world)
    require_achievement(loaded, achievement)
    about = {"schema": "mars-logic explanation 1", "world": world, "map_seed": map_seed}
    try:
        found = explain_achievement(loaded, achievement, map_seed, most, time_limit=time_limit)
    except LimitReachedError as limit:
        if as_json:
            print_json(about | {"unreachable": None, "reason": str(limit)})
        else:
            print(f"{achievement}: unknown, {limit}")
        raise typer.Exit(1) from None
    if as_json:
        print_json(about | {"unreachable": found is not None} | (found.to_json() if found else {}))
    else:
        print_explanation(found, achievement, loaded, map_seed, world)
    if found is not None:
        raise typer.Exit(1)


def require_achievement(world: World, achievement: str) -> None:
    """Refuse what is no achievement of a world.

    Raises:
        InputError: It is none.
    """
    if achievement not in world.achievements:
        hint, allowed = nearest(achievement, world.achievements), ", ".join(world.achievements)
        raise InputError(
            f"achievement: there is no achievement '{achievement}'{hint}; allowed: {allowed}"
        )


def print_explanation(
    found: Explanation | None,
    achievement: str,
    world: World,
    map_seed: int | None,
    name: str | None = None,
) -> None:
    """An explanation in words.

    Args:
        found: The explanation; None if the achievement is not unreachable.
        achievement: What it is about.
        world: The world.
        map_seed: The seed of the map that it is about, if it is about one.
        name: What the world can be loaded by; by default its name.
    """
    if found is None:
        print(f"{achievement} is not unreachable; see mars-logic prove {name or world.name}")
        return
    base = world.base.name if world.base else ""
    place = "" if map_seed is None else f" on the map of seed {map_seed}"
    print(f"{found.achievement} is unreachable{place}.")
    for sentence in found.chain:
        print(f"  {sentence}")
    if found.contrast:
        print(
            f"\nIt is reachable in {base}; the rules that changed this: {', '.join(found.contrast)}"
        )
    if not found.rules:
        print(f"\nNo change of the rules makes it reachable{place or ' on any map'}.")
        return
    some = "Any of these changes" if len(found.rules) > 1 else "This change"
    proved = any(repair and repair.certainty for repair in found.repairs)
    print(f"\n{some} {'makes' if proved else 'may make'} it reachable:")
    for rules, repair in zip(found.rules, found.repairs, strict=True):
        print(
            "  -",
            _told(repair)
            if repair
            else f"another map, or another rule in place of {' and '.join(rules)}",
        )
    if not found.complete:
        print("  (more changes of as few rules exist: see --most)")


def _told(repair: Repair) -> str:
    certainty = (repair.certainty or "").replace("_", " ")
    return f"{repair.words} (then {f'reachable, {certainty}' if certainty else 'unknown'})"
