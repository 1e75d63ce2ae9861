"""An HTTP server on loopback that speaks the protocol of chat completions, well or badly."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[Mapping[str, Any]], str]


def last_text(request: Mapping[str, Any]) -> str:
    """All that a request says."""
    return "\n".join(message["content"] for message in request["messages"])


@dataclass
class Stub:
    """What the server does, and what it was asked.

    Attributes:
        answer: Gives the text of an answer to a request.
        trouble: What to do with the next requests instead of answering, in order: a status such as
            429 or 500, ``timeout``, ``half``, ``wrong json``, ``wrong form``, ``endless``, and
            ``drip head`` and ``drip body``, byte by byte; or the address of a redirect.
        retry_after: Seconds that go with a 429.
        refuse_schema: Whether requests with a schema get status 400.
        usage: Whether tokens are stated, or what is stated of them.
        finish: Why answers end.
        requests: Bodies of all requests.
        keys: What the requests said for authorisation.
        times: When they came.
    """

    answer: Answer
    trouble: list[int | str] = field(default_factory=list)
    retry_after: float = 0.2
    refuse_schema: bool = False
    usage: bool | dict[str, Any] = True
    finish: str = "stop"
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    url: str = ""
    released: threading.Event = field(default_factory=threading.Event)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    stub: Stub

    def log_message(self, *_: Any) -> None:
        """Print nothing."""

    def do_POST(self) -> None:
        stub = self.stub
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        stub.requests.append(body)
        stub.keys.append(self.headers.get("Authorization", ""))
        stub.times.append(time.monotonic())
        trouble = stub.trouble.pop(0) if stub.trouble else None
        if trouble is None and stub.refuse_schema and "response_format" in body:
            trouble = 400
        if isinstance(trouble, int):
            told = {"error": {"message": f"refused {self.headers.get('Authorization')} \x1b[31m"}}
            wait = {"Retry-After": f"{stub.retry_after}"} if trouble == 429 else {}
            self._send(trouble, json.dumps(told).encode(), wait)
        elif isinstance(trouble, str) and trouble.startswith("http"):
            self._send(307, b"", {"Location": trouble})
        elif trouble in ("drip head", "drip body"):
            with contextlib.suppress(OSError):
                if trouble == "drip body":
                    self._head(200, {"Content-Length": "100000"})
                while not stub.released.wait(0.02):
                    self.wfile.write(b"H" if trouble == "drip head" else b" ")
                    self.wfile.flush()
            self.close_connection = True
        elif trouble == "timeout":
            stub.released.wait(30)
        elif trouble == "half" and body.get("stream"):
            self._head(200, {"Content-Type": "text/event-stream", "Connection": "close"})
            piece = {"index": 0, "delta": {"content": "mo"}, "finish_reason": None}
            self._event(self._common("chat.completion.chunk") | {"choices": [piece]})
        elif trouble == "half":
            whole = json.dumps(self._completion(body)).encode()
            self._head(200, {"Content-Length": str(len(whole))})
            self.wfile.write(whole[: len(whole) // 2])
            self.close_connection = True
        elif trouble == "wrong json":
            self._send(200, b'data: {"choices": [\n\n' if body.get("stream") else b'{"choices": [')
        elif trouble == "wrong form":
            self._send(200, b'data: {"a": 42}\n\n' if body.get("stream") else b'{"a": 42}')
        elif trouble == "endless":
            self._head(200, {"Connection": "close"})
            with contextlib.suppress(OSError):
                for _ in range(4096):
                    self.wfile.write(b" " * 65536)
        elif body.get("stream"):
            self._stream(body)
        else:
            self._send(200, json.dumps(self._completion(body)).encode())

    def _completion(self, body: Mapping[str, Any]) -> dict[str, Any]:
        text = self.stub.answer(body)
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": self.stub.finish}
        return self._common("chat.completion") | {"choices": [choice]} | self._usage(text)

    def _usage(self, text: str) -> dict[str, Any]:
        counts = {"prompt_tokens": 7, "completion_tokens": len(text.split())}
        counts["total_tokens"] = sum(counts.values())
        if isinstance(self.stub.usage, dict):
            counts |= self.stub.usage
        return {"usage": counts} if self.stub.usage else {}

    def _common(self, kind: str) -> dict[str, Any]:
        return {"id": "1", "object": kind, "created": 0, "model": "stub"}

    def _stream(self, body: Mapping[str, Any]) -> None:
        text = self.stub.answer(body)
        self._head(200, {"Content-Type": "text/event-stream", "Connection": "close"})
        chunk = self._common("chat.completion.chunk")
        with contextlib.suppress(OSError):
            for at in range(0, len(text), 5000):
                piece = {"index": 0, "delta": {"content": text[at : at + 5000]}}
                self._event(chunk | {"choices": [piece | {"finish_reason": None}]})
            end = {"index": 0, "delta": {}, "finish_reason": "stop"}
            self._event(chunk | {"choices": [end]})
            self._event(chunk | {"choices": []} | self._usage(text))
            self.wfile.write(b"data: [DONE]\n\n")

    def _event(self, data: Mapping[str, Any]) -> None:
        self.wfile.write(f"data: {json.dumps(data)}\n\n".encode())

    def _head(self, status: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def _send(self, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        about = {"Content-Type": "application/json", "Content-Length": str(len(body))}
        self._head(status, about | dict(headers or {}))
        with contextlib.suppress(OSError):
            self.wfile.write(body)


@contextlib.contextmanager
def serving(answer: Answer, **how: Any) -> Iterator[Stub]:
    """A running server."""
    stub = Stub(answer, **how)
    handler = type("Handler", (_Handler,), {"stub": stub})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    stub.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield stub
    finally:
        stub.released.set()
        server.shutdown()
        thread.join()
        server.server_close()


def player(request: Mapping[str, Any]) -> str:
    """Answers of a simple player in every role, as JSON."""
    text = last_text(request)
    if "You choose the next task" in text:
        return '{"thought": "wood first", "task": "collect_wood"}'
    if "You divide a task" in text:
        return '{"subgoals": ["mine(tree, 1)"]}'
    if "You find the rules" in text:
        again = "were compared" in text
        if '"rules": [' in text:
            return _rules_in_sentences(again)
        return json.dumps(_facts(again))
    if "did not fulfil its task" in text or "at most" in text.splitlines()[-1]:
        return '{"text": "The tree was out of reach."}'
    if "You look back" in text:
        return '{"text": "Look for trees earlier."}'
    if "answer with its name alone" in text:
        return "A tree is near.\nAction: do"
    if "tree is in front of me" in text:
        return '{"thought": "wood", "action": "do"}'
    number = sum(map(ord, text)) % 6
    names = ("move_left", "move_right", "move_up", "move_down", "do", "do")
    return json.dumps({"thought": f"go on {number}", "action": names[number]})


def _rules_in_sentences(again: bool) -> str:
    if again:
        return '{"thought": "corrected", "rules": ["Collecting from a tree yields 1 wood"]}'
    rules = [
        "Grass can be walked on",
        "Grass cannot be walked on",
        "Making an iron sword needs a table nearby",
        "Swords are nice",
    ]
    return json.dumps({"thought": "walking", "rules": rules})


def _facts(again: bool) -> dict[str, Any]:
    if again:
        wood = {"name": "wood", "amount": 1, "probability": None}
        tree = {"rule": "collect.tree", "field": "yields", "has": [wood], "lacks": []}
        return {"thought": "corrected", "facts": [{**tree, "complete": False}], "remarks": []}
    near = {"rule": "make.iron_sword", "field": "nearby", "has": ["table"], "lacks": []}
    grass = {"rule": "walk.grass", "field": "walkable"}
    facts = [
        {**grass, "value": True},
        {**grass, "value": False},
        {**near, "complete": False},
        {"rule": "walk.swords", "field": "walkable", "value": True},
    ]
    return {"thought": "walking", "facts": facts, "remarks": ["Swords are nice"]}
