"""Worlds served over OpenEnv, opened by OpenEnv's own client and by verifiers."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("openenv", reason="the extra openenv is not installed")

import uvicorn
from openenv import GenericEnvClient
from starlette.testclient import TestClient, WebSocketDenialResponse

from mars_logic.envs.env import WorldEnv
from mars_logic.envs.openenv import server

LENGTH = 12
WORLD = "all_three"
SESSION = "ws://127.0.0.1:8000/ws"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    running = uvicorn.Server(uvicorn.Config(server(WORLD, LENGTH), port=port, log_level="critical"))
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    while not running.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}"
    running.should_exit = True
    thread.join(10)


def test_the_client_sees_what_the_environment_shows(address: str) -> None:
    env = WorldEnv(WORLD, observation="text", length=LENGTH)
    script = ["move_left", "do", "fly", "place_table", *["noop"] * (LENGTH - 4)]

    async def play() -> None:
        async with GenericEnvClient(base_url=address) as client:
            found = await client.reset(seed=3)
            text, _ = env.reset(seed=3)
            assert found.observation["text"] == text and found.observation["actions"] == list(
                env.actions
            )
            total = 0.0
            for step, name in enumerate(script, 1):
                code = env.actions.index(name) if name in env.actions else 0
                text, reward, dead, over, _ = env.step(code)
                found = await client.step({"action": name})
                assert found.observation["text"] == text
                assert found.reward == pytest.approx(reward)
                assert found.done == (dead or over) == (step == LENGTH)
                assert ("no action 'fly'" in found.observation["message"]) == (name == "fly")
                total += reward
            state = await client.state()
            assert state["step_count"] == LENGTH and state["total"] == pytest.approx(total)

    asyncio.run(play())


def test_sessions_have_episodes_of_their_own(address: str) -> None:
    async def play() -> None:
        async with (
            GenericEnvClient(base_url=address) as one,
            GenericEnvClient(base_url=address) as other,
        ):
            first = await one.reset(seed=1)
            second = await other.reset(seed=2)
            assert first.observation["text"] != second.observation["text"]
            await one.step({"action": "noop"})
            assert (await one.state())["step_count"] == 1
            assert (await other.state())["step_count"] == 0

    asyncio.run(play())


class ScriptedPlayer:
    """Stands in for a language model: says the same in each turn."""

    def __init__(self, reply: str) -> None:
        self.reply, self.turns, self.rewards = reply, 0, {}  # type: ignore[var-annotated]
        self.trace = SimpleNamespace(record_reward=self.rewards.__setitem__, stop=None)

    @asynccontextmanager
    async def interaction(self, _: Any) -> Any:
        yield self

    async def turn(self, prompt: str) -> Any:
        assert "I see" in prompt and "make_wood_pickaxe" in prompt
        self.turns += 1
        return SimpleNamespace(terminated=False, last_reply=self.reply)


def test_the_task_set_of_verifiers_plays_an_episode(address: str) -> None:
    tasksets = pytest.importorskip("verifiers.v1.tasksets.openenv.taskset")
    config = tasksets.OpenEnvConfig(base_url=address, resets=[{"seed": 3}])
    (task,) = tasksets.OpenEnvTaskset(config).load()
    player = ScriptedPlayer("move_left")
    run = tasksets.OpenEnvEnv.run(None, task, SimpleNamespace(player=player))
    asyncio.run(run)
    assert player.turns == LENGTH and set(player.rewards) == {"openenv_reward"}


@pytest.fixture(scope="module")
def requests() -> TestClient:
    return TestClient(server(WORLD, LENGTH), "http://127.0.0.1:8000", False)


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("reset", {"seed": 2**63}, "seed must be"),
        ("reset", {"seed": 10**30}, "seed must be"),
        ("reset", {"seed": -1}, "greater than or equal to 0"),
        ("reset", {"epsode": 1}, "did you mean 'episode'"),
        ("reset", {"episode": 0}, "episode must be a positive integer"),
        ("reset", {"episode": 10**30}, "episode must be"),
        ("step", {"action": {"action": "noop"}, "speed": 1}, "unknown fields: speed"),
        ("step", {"action": {"action": "noop", "speed": 1}}, "speed"),
        ("step", {"action": {"action": "noop"}}, "reset"),
        ("step", {}, "action"),
    ],
)
def test_bad_requests_are_told(
    requests: TestClient, path: str, body: dict[str, Any], message: str
) -> None:
    found = requests.post(f"/{path}", json=body)
    assert found.status_code == 422 and message in found.text


def test_a_session_goes_on_after_a_bad_request(requests: TestClient) -> None:
    with requests.websocket_connect(SESSION) as session:
        session.send_json({"type": "reset", "data": {"seed": 2**63}})
        told = session.receive_json()
        assert told["type"] == "error" and told["data"]["message"].startswith("seed must be")
        session.send_json({"type": "reset", "data": {"seed": 3}})
        assert session.receive_json()["type"] == "observation"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 400),
        ({"host": "127.0.0.1.evil.example:8000"}, 400),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "http://localhost.evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://[::1"}, 403),
        ({"origin": "http://localhost:3000"}, 200),
        ({"host": "localhost:8000"}, 200),
        ({}, 200),
    ],
)
def test_pages_of_other_hosts_are_refused(
    requests: TestClient, headers: dict[str, str], status: int
) -> None:
    assert requests.post("/reset", json={}, headers=headers).status_code == status
    if status == 200:
        with requests.websocket_connect(SESSION, headers=headers) as session:
            session.send_json({"type": "reset", "data": {}})
            assert session.receive_json()["type"] == "observation"
    else:
        with (
            pytest.raises(WebSocketDenialResponse) as refused,
            requests.websocket_connect(SESSION, headers=headers),
        ):
            pass
        assert refused.value.status_code == status


def test_a_stated_host_is_served() -> None:
    requests = TestClient(server(WORLD, LENGTH, hosts=["games.example"]), "http://games.example")
    assert requests.post("/reset", json={}).status_code == 200
    assert requests.post("/reset", json={}, headers={"host": "127.0.0.1"}).status_code == 400
