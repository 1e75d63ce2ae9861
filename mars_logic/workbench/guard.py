"""What stands before the server: requests of this machine's own page pass, all others do not."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]

ADDRESS: Final = "127.0.0.1"
_POLICY_VIOLATION: Final = 1008
"""The code with which a WebSocket is closed for this reason (RFC 6455, 7.4.1)."""
_POLICY: Final = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self' ws://{host}; frame-src 'self'; frame-ancestors 'self'; "
    "object-src 'none'; base-uri 'self'; form-action 'none'"
)
"""NiceGUI's page compiles templates (``unsafe-eval``); nothing is asked of any other server."""


class Guard:
    """An ASGI application around another one.

    It answers requests whose path begins with a secret, whose host is this machine's address, and
    which no other site's page makes: so neither can such a page reach the server by a name of its
    own that resolves to this machine (DNS rebinding), nor open a WebSocket to it.

    Attributes:
        app: The application behind it.
    """

    def __init__(self, app: AsgiApp, token: str, port: int) -> None:
        """Guard an application.

        Args:
            app: The application.
            token: The secret: the first part of the path of every request.
            port: Where the server listens.
        """
        self.app = app
        self._token = token.encode()
        self._hosts = {f"{name}:{port}".encode() for name in (ADDRESS, "localhost")}
        self._origins = {b"http://" + host for host in self._hosts}
        policy = _POLICY.format(host=f"{ADDRESS}:{port} ws://localhost:{port}")
        self._headers = [
            (b"content-security-policy", policy.encode()),
            (b"referrer-policy", b"no-referrer"),
            (b"x-content-type-options", b"nosniff"),
            (b"cross-origin-resource-policy", b"same-origin"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, as ASGI wants it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
        elif not self.allows(scope):
            await _refuse(scope, send)
        else:
            await self.app(scope, receive, self._with_headers(send))

    def allows(self, scope: Scope) -> bool:
        """Whether a request is the page's own."""
        headers = scope["headers"]
        hosts = [value for name, value in headers if name == b"host"]
        origins = [value for name, value in headers if name == b"origin"]
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return False
        if scope["type"] == "websocket" and not origins:
            return False
        if any(origin not in self._origins for origin in origins):
            return False
        first = scope["path"].removeprefix("/").partition("/")[0]
        return secrets.compare_digest(first.encode("utf-8", "replace"), self._token)

    def _with_headers(self, send: Send) -> Send:
        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name for name, _ in message.get("headers", ())}
                more = [pair for pair in self._headers if pair[0] not in given]
                message["headers"] = [*message.get("headers", ()), *more]
            await send(message)

        return answer


async def _refuse(scope: Scope, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
        return
    text = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": 403, "headers": text})
    await send({"type": "http.response.body", "body": b"This is not the address of the page.\n"})
