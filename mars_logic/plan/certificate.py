"""Certificates: an executed episode as a file that anyone can replay and check.

Nothing in a certificate is believed: the actions are carried out again, and everything else it
claims is compared with what happened.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mars_logic.agent import player_name
from mars_logic.episodes import Played, Tally
from mars_logic.errors import InputError
from mars_logic.files import write_atomically
from mars_logic.sim import Simulator
from mars_logic.sim.seeds import SEED_LIMIT
from mars_logic.world.names import ACTIONS, Dynamics
from mars_logic.world.theory import Theory
from mars_logic.world.world import World

SCHEMA: Final = "mars-logic certificate 1"
MAX_BYTES = 5_000_000
"""A hundred times the size of the longest episode."""

Action = Annotated[int, Field(ge=0, lt=len(ACTIONS))]
Step = Annotated[int, Field(ge=1, lt=2**31)]
Seed = Annotated[int, Field(gt=-SEED_LIMIT, lt=SEED_LIMIT)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class WorldReference(_Part):
    """Which world: its name (or the path it was loaded from) and its digest."""

    name: str
    digest: str


class LowerBound(_Part):
    """No plan is shorter than this, and how that is known."""

    steps: int
    method: str


class Certificate(_Part):
    """An executed episode.

    Attributes:
        world: The world it was played in.
        dynamics: That world's dialect.
        seed: The environment's seed.
        episode: Which episode of that seed.
        agent: Who played.
        belief: The digest of the rules that the agent was given to play by, or to start from; None
            if it was given none.
        actions: The code of every action (``names.ACTIONS``).
        unlocked: The step at which each achievement was first reached.
        steps: How many actions.
        reward: The sum of all rewards.
        lower_bound: How many steps any plan for the same achievements takes at least, if known;
            not more than the step at which the last of them was unlocked.
        versions: Of the tools that made it.
    """

    format: Literal["mars-logic certificate 1"] = Field(alias="schema")
    world: WorldReference
    dynamics: Dynamics
    seed: Seed
    episode: Step
    agent: str = ""
    belief: str | None = None
    actions: tuple[Action, ...]
    unlocked: dict[str, Step]
    steps: int
    reward: float
    lower_bound: LowerBound | None = None
    versions: dict[str, str] = {}


@dataclass(frozen=True)
class Verification:
    """What replaying a certificate showed.

    Attributes:
        valid: Everything it claims happened.
        problems: What did not, in words.
        unlocked: What the replay really reached, and when.
        reward: What the replay really paid.
        died: The player was dead in the end.
    """

    valid: bool
    problems: tuple[str, ...]
    unlocked: dict[str, int]
    reward: float
    died: bool


def certify(
    played: Played,
    world: World,
    name: str,
    agent: str,
    lower_bound: LowerBound | None = None,
    belief: Theory | None = None,
) -> Certificate:
    """The certificate of an episode.

    Args:
        played: The episode.
        world: Where it was played.
        name: How that world can be loaded again.
        agent: Who played, as the agent is registered.
        lower_bound: How many steps what was unlocked takes at least, if that is known.
        belief: The rules that the agent was given, if any.
    """
    return Certificate(
        schema=SCHEMA,
        world=WorldReference(name=name, digest=world.digest),
        dynamics=world.dynamics,
        seed=played.seed,
        episode=played.episode,
        agent=player_name(agent, belief),
        belief=belief.digest if belief is not None else None,
        actions=played.actions,
        unlocked=played.unlocked,
        steps=played.steps,
        reward=played.reward,
        lower_bound=lower_bound,
        versions={package: version(package) for package in ("mars-logic", "numba", "numpy")},
    )


def save(certificate: Certificate, path: Path) -> None:
    """Write a certificate, whole or not at all.

    Raises:
        InputError: The file cannot be written.
    """
    try:
        write_atomically(path, certificate.model_dump_json(by_alias=True) + "\n")
    except OSError as error:
        what = (error.strerror or str(error)).lower()
        raise _refusal(path, "file", what, "a file that can be written") from None


def load(path: Path) -> Certificate:
    """Read a certificate.

    Raises:
        InputError: The file is missing, unreadable, or no certificate.
    """
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise _refusal(path, "file", "this is not a regular file", "a certificate in JSON")
        if path.stat().st_size > MAX_BYTES:
            raise _refusal(path, "file", "the file is too large", f"at most {MAX_BYTES:,} bytes")
        return Certificate.model_validate_json(path.read_bytes())
    except OSError as error:
        what = (error.strerror or str(error)).lower()
        raise _refusal(path, "file", what, "a certificate in JSON") from None
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])[:100] or "file"
        raise _refusal(path, field, first["msg"], f"a document of schema '{SCHEMA}'") from None


def _refusal(path: Path, field: str, message: str, allowed: str) -> InputError:
    return InputError(f"{path}:1: {field}: {message}; allowed: {allowed}")


def verify(certificate: Certificate, world: World) -> Verification:
    """Replay a certificate in a world and compare everything it claims."""
    simulator = Simulator(world)
    simulator.reset(certificate.seed, certificate.episode)
    tally = Tally(simulator)
    rewards: list[float] = []
    over_at: int | None = None
    for step, action in enumerate(certificate.actions, start=1):
        if over_at is not None:
            break
        reward, done = simulator.step(action)
        rewards.append(float(reward[0]))
        tally.note(step)
        over_at = step if done[0] else None
    problems = [*_claims_about_the_world(certificate, world)]
    if over_at is not None and over_at < len(certificate.actions):
        problems.append(f"the episode is over after step {over_at}")
    problems += _claims_about_the_episode(certificate, tally.unlocked, math.fsum(rewards))
    died = bool(simulator.observe().status[0, 0] <= 0)
    total = math.fsum(rewards)
    return Verification(not problems, tuple(problems), tally.unlocked, total, died)


def _claims_about_the_world(certificate: Certificate, world: World) -> Iterator[str]:
    if certificate.world.digest != world.digest:
        yield f"its world has the digest {certificate.world.digest[:12]}, not {world.digest[:12]}"
    if certificate.dynamics != world.dynamics:
        yield f"its dynamics are {certificate.dynamics}, not {world.dynamics}"


def _claims_about_the_episode(
    certificate: Certificate, unlocked: dict[str, int], reward: float
) -> Iterator[str]:
    for name in {**certificate.unlocked, **unlocked}:
        claimed, found = certificate.unlocked.get(name), unlocked.get(name)
        if claimed != found:
            yield f"{name} is claimed {_at(claimed)} and was unlocked {_at(found)}"
    if certificate.steps != len(certificate.actions):
        yield f"it claims {certificate.steps} steps and has {len(certificate.actions)} actions"
    if not math.isclose(certificate.reward, reward, abs_tol=1e-9):
        yield f"it claims a reward of {certificate.reward:g}, and the replay paid {reward:g}"
    bound = certificate.lower_bound
    taken = max(unlocked.values(), default=0)
    if bound and bound.steps > taken:
        yield f"its lower bound of {bound.steps} steps is above the {taken} that it took"


def _at(step: int | None) -> str:
    return "never" if step is None else f"at step {step}"
