"""The server of the page: on this machine alone, behind a guard."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mars_logic.errors import InputError
from mars_logic.system.extras import install_hint
from mars_logic.workbench.draft import Draft
from mars_logic.workbench.guard import ADDRESS, Guard

if TYPE_CHECKING:
    from mars_logic.workbench.bench import Workbench


def serve(
    draft: Draft, port: int, idle: float | None, opened: Callable[[str], None] = print
) -> None:
    """Serve the page until it is interrupted.

    Args:
        draft: What is edited.
        port: Where to listen; 0 for any free port.
        idle: Seconds without an open page after which it ends; None to wait for an interruption.
        opened: Told the page's address once it can be opened.

    Raises:
        InputError: NiceGUI is not installed, or the port is taken.
    """
    # Else NiceGUI would read, and could write, a folder `.nicegui` in the current one.
    os.environ["NICEGUI_STORAGE_PATH"] = os.path.join(os.devnull, "none")  # noqa: PTH118
    try:
        from nicegui import core, ui
    except ImportError:
        message = "the page needs the extra 'edit'"
        raise InputError(f"edit: {message}; allowed: after {install_hint('edit')}") from None
    import uvicorn
    from fastapi import FastAPI

    from mars_logic.workbench.bench import Workbench
    from mars_logic.workbench.page import build

    token = secrets.token_urlsafe(24)
    with _listening(port) as listener:
        port = listener.getsockname()[1]
        bench = Workbench(draft)
        app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
        ui.run_with(
            app,
            root=lambda: build(bench),
            title="mars-logic",
            mount_path=f"/{token}",
            dark=None,
            show_welcome_message=False,
            reconnect_timeout=30,
            message_history_length=200,
        )
        _add_routes(core.app, bench)
        config = uvicorn.Config(
            Guard(app, token, port), log_level="error", access_log=False, lifespan="on"
        )
        server = uvicorn.Server(config)
        core.app.on_shutdown(bench.close)  # else its end would wait for what is being done
        core.app.on_startup(lambda: opened(f"http://{ADDRESS}:{port}/{token}/"))
        if idle is not None:
            _end_when_idle(core.app, server, idle)
        try:
            server.run(sockets=[listener])
        except KeyboardInterrupt:  # the usual end
            pass
        finally:
            bench.close()
            draft.keep()


def _listening(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((ADDRESS, port))
        listener.listen()
    except OSError as error:
        listener.close()
        what = (error.strerror or str(error)).lower()
        raise InputError(f"--port: {port}: {what}; allowed: another one, or 0 for any") from None
    return listener


def _add_routes(app: Any, bench: Workbench) -> None:
    """The pages in frames: a film, and tested rules."""
    from fastapi.responses import HTMLResponse

    @app.get("/frame/{name}")  # type: ignore[untyped-decorator]
    def frame(name: str) -> HTMLResponse:
        page = bench.frames.get(name)
        status = 404 if page is None else 200
        # Its own policy lets it load nothing and run the report's script alone.
        headers = {"content-security-policy": "sandbox allow-scripts; frame-ancestors 'self'"}
        return HTMLResponse(page or "", status, headers | {"cache-control": "no-store"})


def _end_when_idle(app: Any, server: Any, idle: float) -> None:
    """Let the server end when no page has been open for some seconds."""
    import asyncio

    from nicegui import Client, background_tasks

    async def watch() -> None:
        last = asyncio.get_running_loop().time()
        while not server.should_exit:
            await asyncio.sleep(min(1.0, idle / 4))
            now = asyncio.get_running_loop().time()
            if any(client.has_socket_connection for client in Client.instances.values()):
                last = now
            elif now - last >= idle:
                server.should_exit = True

    app.on_startup(lambda: background_tasks.create(watch(), name="end when idle"))
