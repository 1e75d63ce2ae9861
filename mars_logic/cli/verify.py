"""The command ``verify``: replays certificates."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mars_logic.cli.game_runs import verified_game
from mars_logic.cli.output import Json, print_json
from mars_logic.errors import InputError
from mars_logic.world.load import load_world_beside
from mars_logic.world.problems import WorldError
from mars_logic.world.theory import World

if TYPE_CHECKING:
    from mars_logic.play.certificate import Certificate, Verification


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command("verify")(verify)


def verify(
    certificates: Annotated[list[Path], typer.Argument(help="Certificates to replay.")],
    as_json: Json = False,
) -> None:
    """Replay certificates and check what they claim.

    Exit status 1 if any claim is false.

    Example: mars-logic verify runs/*.json
    """
    from mars_logic.domains.certificates import is_game_certificate

    rows = []
    for path in certificates:
        row, told = verified_game(path) if is_game_certificate(path) else _verified_world(path)
        rows.append(row)
        if not as_json:
            print(f"{path}: {'valid' if row['valid'] else 'NOT VALID'}, {told}")
            for problem in row["problems"]:
                print(f"  {problem}")
    if as_json:
        print_json(rows)
    if not all(row["valid"] for row in rows):
        raise typer.Exit(1)


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
