"""The command ``prove``: a verdict for each achievement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from mars_logic.cli.output import Json, console, print_json
from mars_logic.world.load import bundled_worlds, load_world

if TYPE_CHECKING:
    from mars_logic.logic import Proof


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command("prove")(prove)


def prove(
    worlds: Annotated[
        list[str],
        typer.Argument(
            help="Bundled worlds or world files.",
            metavar="WORLD...",
            autocompletion=lambda: list(bundled_worlds()),
        ),
    ],
    map_seed: Annotated[
        int | None,
        typer.Option("--map", min=0, max=2**60, help="Prove it for the map of this seed."),
    ] = None,
    witnesses: Annotated[
        bool, typer.Option("--witnesses", help="Show how each achievement is reached.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Prove each achievement reachable, with a witness, or unreachable, with an explanation.

    Without `--map` a verdict holds for every map that has each material its generator can make.
    Exit status 1 unless everything is reachable.

    Example: `mars-logic prove default all_three`
    """
    from mars_logic.proving import prove as prove_world

    loaded = [(name, load_world(name)) for name in worlds]
    proofs = [(name, prove_world(world, map_seed)) for name, world in loaded]
    if as_json:
        print_json(
            [{"schema": "mars-logic proof 1"} | proof.to_json(world=name) for name, proof in proofs]
        )
    else:
        for name, proof in proofs:
            _print(name, proof, witnesses)
    if not all(proof.all_reachable for _, proof in proofs):
        raise typer.Exit(1)
