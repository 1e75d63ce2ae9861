"""Plays episodes for the benchmark of planners: one line of JSON in, one out, for each episode.

This file is run by its path, by the interpreter of any checkout: the agents are those of that
checkout. It uses only what every version of the package has.
"""

from __future__ import annotations

import hashlib
import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

_WARMING = 30
"""Steps of the play before the first episode."""
_warm: list[bool] = []


def main() -> None:
    """Tell the code's digest, then answer jobs until there are no more."""
    answers = sys.stdout
    sys.stdout = sys.stderr  # nothing else may be between the answers
    print(json.dumps({"code": code_digest()}), file=answers, flush=True)
    for line in sys.stdin:
        try:
            answer = _answer(json.loads(line))
        except Exception as error:  # the other side tells it
            answer = {"error": str(error) or type(error).__name__}
        print(json.dumps(answer), file=answers, flush=True)


def code_digest() -> str:
    """The digest of all code and logic programs of the package that is imported."""
    from mars_logic.system.resources import folder

    digest = hashlib.sha256()
    packages = [import_module(name).__file__ for name in ("mars_logic", "mars_logic.agents")]
    code = [Path(file).parent for file in packages if file]
    for root in (*code, folder("encodings"), folder("worlds")):
        for file in sorted(root.rglob("*")):
            if file.suffix in (".py", ".lp", ".yaml") and file.is_file():
                digest.update(file.relative_to(root).as_posix().encode())
                digest.update(file.read_bytes())
    return digest.hexdigest()


def _answer(job: dict[str, Any]) -> dict[str, Any]:
    """An episode; see ``planners.Job`` for what is asked."""
    from mars_logic.play.agent import load_agent
    from mars_logic.play.episodes import play
    from mars_logic.sim import Simulator
    from mars_logic.world.load import load_world

    world = load_world(job["world"])
    make: Any = load_agent(job["agent"])
    about = Simulator(world), job["seed"], job["goals"]
    if not _warm:  # compile before anything is timed
        play(make(**job["options"]), *about, limit=_WARMING)
        _warm.append(True)
    agent = make(**job["options"])
    layers: list[str] = []
    replanned: list[bool] = []
    _watch(agent, layers, replanned)
    played = play(agent, *about, limit=job["length"])
    replans = [s for s, new in zip(played.seconds, replanned, strict=True) if new]
    return {
        "digest": world.digest,
        "actions": played.actions,
        "unlocked": played.unlocked,
        "reward": played.reward,
        "ended": played.ended,
        "milliseconds": 1000 * sum(played.seconds) / len(played.seconds),
        "slowest": 1000 * max(played.seconds),
        "slowest_replan": 1000 * max(replans) if replans else None,
        "layers": layers,
    }


def _watch(agent: Any, layers: list[str], replanned: list[bool]) -> None:
    """Note the layers of an agent's decisions and whether it made new plans, as far as it tells."""
    act = agent.act

    def watched(observation: Any) -> Any:
        before = _plans(agent)
        action = act(observation)
        layers.append(str(getattr(getattr(agent, "decision", None), "layer", "")))
        replanned.append(_plans(agent) > before)
        return action

    agent.act = watched


def _plans(agent: Any) -> int:
    planner = getattr(agent, "planner", None) or getattr(agent, "_planner", None)
    return int(getattr(planner, "plans", 0))


if __name__ == "__main__":
    main()
