"""The command ``verify``: replays certificates, and carries out plans made elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mars_logic.cli.output import Json, print_json, working
from mars_logic.errors import InputError
from mars_logic.system.display import number
from mars_logic.world.known_names import require_as_task
from mars_logic.world.load import load_world, load_world_beside
from mars_logic.world.problems import WorldError
from mars_logic.world.theory import World

if TYPE_CHECKING:
    from mars_logic.experiments.plans import PlanVerification
    from mars_logic.play.certificate import Certificate, Verification


def verify(
    certificates: Annotated[
        list[Path],
        typer.Argument(
            help="Certificates to replay, or folders of them; with --world, plans in PDDL."
        ),
    ],
    world: Annotated[
        str | None,
        typer.Option(help="The world that a plan was made for, bundled or a file."),
    ] = None,
    map_seed: Annotated[
        int | None,
        typer.Option("--map", min=0, max=2**60, help="The seed of the map to carry a plan out on."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Replay certificates and check what they claim.

    Plans for the task that `export` writes, as Fast Downward or ENHSP print them, are carried out
    in the simulator: each interaction in its turn, while the player stays alive by itself. Exit
    status 1 if any claim is false, or a plan is not carried out.

    Example: mars-logic verify runs/*.json
    """
    rows = verified(certificates, world, map_seed, as_json)
    if as_json:
        print_json(rows)
    if not all(row["valid"] for row in rows):
        raise typer.Exit(1)


def verified(
    paths: list[Path], world: str | None, map_seed: int | None, as_json: bool
) -> list[dict[str, Any]]:
    """What was found about each certificate or, where a world or a map is named, plan.

    Raises:
        InputError: A file is missing or wrong.
    """
    if world is not None or map_seed is not None:
        return _verified_plans(paths, world, map_seed, as_json)
    return _verified_certificates(paths, as_json)


def _verified_certificates(paths: list[Path], as_json: bool) -> list[dict[str, Any]]:
    from mars_logic.domains.certificates import is_game_certificate

    rows = []
    for path in certificate_files(paths):
        row, told = _verified_game(path) if is_game_certificate(path) else _verified_world(path)
        rows.append(row)
        if not as_json:
            print(f"{path}: {'valid' if row['valid'] else 'NOT VALID'}, {told}")
            for problem in row["problems"]:
                print(f"  {problem}")
    return rows


def certificate_files(paths: Iterable[Path]) -> Iterator[Path]:
    """These files, and of folders the certificates in them.

    Raises:
        InputError: A folder holds none, or a plan stands among them.
    """
    from mars_logic.domains.certificates import GAME_SCHEMA
    from mars_logic.play.certificate import MAX_BYTES, SCHEMA
    from mars_logic.system.json_files import read_json

    for path in paths:
        if path.suffix == ".pddl":
            allowed = "--world WORLD --map SEED with a plan"
            raise InputError(f"{path}:1: file: a plan does not name its world; allowed: {allowed}")
        if not path.is_dir():
            yield path
            continue
        inside = sorted(each for each in path.rglob("*.json") if each.is_file())
        found = [(each, read_json(each, "a certificate in JSON", MAX_BYTES)) for each in inside]
        schemas = SCHEMA, GAME_SCHEMA
        kept = [each for each, of in found if isinstance(of, dict) and of.get("schema") in schemas]
        if not kept:
            allowed = "a folder with certificates (.json)"
            raise InputError(f"{path}:1: folder: it holds no certificate; allowed: {allowed}")
        yield from kept


def _verified_plans(
    paths: list[Path], world: str | None, map_seed: int | None, as_json: bool
) -> list[dict[str, Any]]:
    from mars_logic.experiments.plans import verify_plan

    if world is None or map_seed is None:
        lacking = "--world" if world is None else "--map"
        raise InputError(f"{lacking}: it is missing; allowed: --world and --map together")
    loaded = load_world(world)
    require_as_task(loaded, "verify", "the planning task")
    rows = []
    for path in paths:
        with working("carrying out the plan"):
            found = verify_plan(loaded, path, map_seed)
        rows.append(_plan_row(path, world, map_seed, found))
        if not as_json:
            print(f"{path}: {_told(found)}, {world}, map {map_seed}, {_plan_sum(found)}")
            if found.problem:
                wrong = "does not apply" if found.execution is None else "was not done"
                place = f"{path}:{found.problem.line}"
                print(f"  {place}: {found.problem.action} {wrong}: {found.problem.reason}")
    return rows


def _told(found: PlanVerification) -> str:
    return {"valid": "valid", "invalid": "NOT VALID", "not decided": "not decided"}[found.verdict]


def _plan_sum(found: PlanVerification) -> str:
    told = number(found.interactions, "interaction")
    execution = found.execution
    if execution is None:
        return told
    if found.problem:
        told = f"{execution.done} of {told}"
    more = f" and {execution.replaced} more to replace what was used" if execution.replaced else ""
    steps, reached = len(execution.actions), number(len(execution.unlocked), "achievement")
    return f"{told}{more}, {steps:,} steps, {reached}"


def _plan_row(path: Path, world: str, seed: int, found: PlanVerification) -> dict[str, Any]:
    done = found.execution
    return {
        "schema": "mars-logic plan verification 1",
        "plan": str(path),
        "world": world,
        "map_seed": seed,
        "verdict": found.verdict,
        "valid": found.verdict == "valid",
        "interactions": found.interactions,
        "done": done.done if done else None,
        "replaced": done.replaced if done else None,
        "steps": len(done.actions) if done else None,
        "unlocked": done.unlocked if done else None,
        "unlocked_in_task": list(found.unlocked_in_task),
        "reward": done.reward if done else None,
        "problem": vars(found.problem) if found.problem else None,
    }


def _verified_world(path: Path) -> tuple[dict[str, Any], str]:
    from mars_logic.play import certificate

    claimed = certificate.load(path)
    found = certificate.verify(claimed, world_of(claimed, path))
    row = {
        "schema": "mars-logic verification 1",
        "certificate": str(path),
        "valid": found.valid,
        "unlocked": found.unlocked,
        "reward": found.reward,
        "problems": list(found.problems),
    }
    return row, _sum(claimed, found)


def world_of(claimed: Certificate, path: Path) -> World:
    """The world that a certificate names, by a path from here or from the certificate."""
    try:
        return load_world_beside(claimed.world.name, path.parent)
    except WorldError as error:
        raise InputError(f"{path}:1: world.name: {error}") from None


def _sum(claimed: Certificate, found: Verification) -> str:
    count = f"{len(found.unlocked)} achievements"
    return f"{claimed.world.name}, {claimed.steps} steps, {count}, reward {found.reward:.1f}"


def _verified_game(path: Path) -> tuple[dict[str, Any], str]:
    """What replaying a certificate of a game showed: as plain values, and in words.

    Raises:
        InputError: It is no certificate, or its game cannot be loaded.
    """
    from mars_logic.domains import certificates

    claimed = certificates.load_game_certificate(path)
    found = certificates.verify_game(claimed, certificates.game_of_certificate(claimed, path))
    row = {
        "schema": "mars-logic verification 1",
        "certificate": str(path),
        "valid": found.valid,
        "score": found.score,
        "reward": found.reward,
        "completed": found.completed,
        "problems": list(found.problems),
    }
    steps = f"{number(claimed.steps, 'step')}, score {found.score}, reward {found.reward}"
    return row, f"{claimed.game.name}, {steps}"
