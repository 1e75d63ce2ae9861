"""Only requests of the page itself pass."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from mars_logic.workbench.guard import Guard, Message

TOKEN, PORT = "s3cret", 4321
OURS = f"127.0.0.1:{PORT}"


async def _behind(_scope: Any, _receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"the page"})


def answer(kind: str, path: str, *headers: tuple[str, str]) -> list[Message]:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": f"{kind}.connect"}

    pairs = [(name.encode(), value.encode()) for name, value in headers]
    scope = {"type": kind, "path": path, "headers": pairs}
    asyncio.run(Guard(_behind, TOKEN, PORT)(scope, receive, send))
    return sent


@pytest.mark.parametrize("host", [OURS, f"localhost:{PORT}"])
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_the_page_passes(kind: str, host: str) -> None:
    sent = answer(kind, f"/{TOKEN}/x", ("host", host), ("origin", f"http://{host}"))
    assert sent[0]["status"] == 200
    headers = dict(sent[0]["headers"])
    assert b"default-src 'self'" in headers[b"content-security-policy"]
    assert headers[b"referrer-policy"] == b"no-referrer"


REFUSED: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "no token": ("/", [("host", OURS)]),
    "another token": ("/s3crets/", [("host", OURS)]),
    "the token elsewhere": (f"/x/{TOKEN}/", [("host", OURS)]),
    "no host": (f"/{TOKEN}/", []),
    "a name that resolves here": (f"/{TOKEN}/", [("host", f"evil.example:{PORT}")]),
    "another port": (f"/{TOKEN}/", [("host", "127.0.0.1:80")]),
    "two hosts": (f"/{TOKEN}/", [("host", OURS), ("host", "evil.example")]),
    "another site's page": (f"/{TOKEN}/", [("host", OURS), ("origin", "http://evil.example")]),
    "a page without an origin": (f"/{TOKEN}/", [("host", OURS), ("origin", "null")]),
    "a page of another port": (f"/{TOKEN}/", [("host", OURS), ("origin", "http://127.0.0.1:80")]),
}


@pytest.mark.parametrize("case", REFUSED)
def test_all_others_are_refused(case: str) -> None:
    path, headers = REFUSED[case]
    assert answer("http", path, *headers)[0]["status"] == 403
    assert answer("websocket", path, *headers) == [{"type": "websocket.close", "code": 1008}]


def test_a_websocket_needs_an_origin() -> None:
    assert answer("websocket", f"/{TOKEN}/", ("host", OURS))[0]["type"] == "websocket.close"
