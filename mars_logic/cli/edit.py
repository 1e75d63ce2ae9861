"""The command ``edit``: a page on which a world is written."""

from __future__ import annotations

import sys
import webbrowser
from typing import Annotated

import typer

from mars_logic.cli.output import Json, print_json, say
from mars_logic.world.load import all_bundled_worlds


def edit(
    world: Annotated[
        str | None,
        typer.Argument(
            help="A world file, or a bundled world to base a new one on; by default a new file "
            "world.yaml.",
            metavar="WORLD",
            autocompletion=lambda: list(all_bundled_worlds()),
        ),
    ] = None,
    new: Annotated[
        bool, typer.Option("--new", help="Create the file if it does not exist.")
    ] = False,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port to listen at; 0 for any free one.")
    ] = 0,
    idle: Annotated[
        float | None,
        typer.Option(
            min=0.01,
            max=1e6,
            help="End when no page has been open for so long; by default when interrupted.",
            metavar="SECONDS",
        ),
    ] = None,
    shown: Annotated[bool, typer.Option("--open", help="Show the page in your browser.")] = False,
    as_json: Json = False,
) -> None:
    """Edit a world in the browser, beside its proofs.

    The page is served on this machine alone, at an address that nobody else can know. It shows
    mistakes while you type, the map, the manual, proofs, the tech tree and a film, and lets you
    play. Nothing but the file is written, and a copy beside it until you save. Files that the world
    names have to lie in its folder. Ctrl-C ends it.

    Example: mars-logic edit my/world.yaml --open
    """
    from mars_logic.workbench.draft import open_draft
    from mars_logic.workbench.server import serve

    draft = open_draft(world, new=new)

    def opened(address: str) -> None:
        if as_json:
            print_json({"schema": "mars-logic edit 1", "file": draft.name, "address": address})
            sys.stdout.flush()
        else:
            say(f"{draft.name}: open {address} (Ctrl-C ends it)")
        if shown:
            webbrowser.open(address)

    serve(draft, port, idle, opened)
