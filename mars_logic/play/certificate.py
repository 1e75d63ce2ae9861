"""Certificates: an executed episode as a file that anyone can replay and check.

Verification trusts no claim of a certificate: it replays the actions and compares all other claims
with the result.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from pydantic import (
    Field,
    SerializerFunctionWrapHandler,
    ValidationInfo,
    field_validator,
    model_serializer,
    model_validator,
)

from mars_logic.play.agent import player_name
from mars_logic.play.episodes import Played, Tally
from mars_logic.play.unlock_score import smartplay_score
from mars_logic.sim import Observation, Simulator
from mars_logic.system.display import number
from mars_logic.system.documents import DocumentPart, read_document, write_document
from mars_logic.world.fields import invalid, shown
from mars_logic.world.names import SEED_LIMIT, Dynamics
from mars_logic.world.theory import Theory, World
from mars_logic.world.vocabulary import Vocabulary, dialects, vocabulary

SCHEMA: Final = "mars-logic certificate 1"
MAX_BYTES = 5_000_000
"""A hundred times the size of the longest episode."""

Action = Annotated[int, Field(ge=0, lt=256)]
Step = Annotated[int, Field(ge=1, lt=2**31)]
Steps = Annotated[int, Field(ge=0, lt=2**31)]
Seed = Annotated[int, Field(gt=-SEED_LIMIT, lt=SEED_LIMIT)]
Reward = Annotated[float, Field(ge=-1e9, le=1e9)]
Name = Annotated[str, Field(max_length=4096)]
"""Not longer than a path may be."""


class WorldReference(DocumentPart):
    """Reference to a world: its name (or path) and its digest."""

    name: Name
    digest: Name


class LowerBound(DocumentPart):
    """A lower bound on the steps of any plan, with its method."""

    steps: Steps
    method: Name


class AddedNames(DocumentPart):
    """What a world adds to the names of its dialect, in the order of codes, and its goals."""

    actions: tuple[Name, ...] = Field(max_length=128)
    achievements: tuple[Name, ...] = Field(max_length=128)
    goals: tuple[Name, ...] | None = Field(default=None, max_length=64)

    @classmethod
    def of(cls, words: Vocabulary) -> AddedNames | None:
        """Those of a vocabulary; None if there are none."""
        if not words.wide:
            return None
        usual = vocabulary(words.name)
        return cls(
            actions=words.actions[len(usual.actions) :],
            achievements=words.achievements[len(usual.achievements) :],
            goals=tuple(goal.name for goal in words.goals) or None,
        )

    @model_serializer(mode="wrap")
    def _without_goals(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out that all achievements count, which older files leave unsaid."""
        data: dict[str, Any] = write(self)
        return {key: value for key, value in data.items() if key != "goals" or value is not None}


class Certificate(DocumentPart):
    """An executed episode.

    Attributes:
        world: The world it was played in.
        dynamics: That world's dialect.
        adds: The actions and achievements that the world adds; None, and not written, without any.
        seed: The environment's seed.
        episode: Which episode of that seed.
        agent: The agent's name.
        belief: The digest of the rules that the agent was given to play by, or to start from; None
            if it was given none.
        actions: The code of every action (``Vocabulary.actions``).
        unlocked: The step at which each achievement was first reached.
        steps: How many actions.
        reward: The sum of all rewards.
        lower_bound: How many steps any plan for the same achievements takes at least, if known;
            not more than the step at which the last of them was unlocked.
        smartplay: SmartPlay's score of the episode, if it was asked for.
        versions: Of the tools that made it.
    """

    format: Literal["mars-logic certificate 1"] = Field(alias="schema")
    world: WorldReference
    dynamics: Dynamics
    adds: AddedNames | None = None
    seed: Seed
    episode: Step
    agent: Name = ""
    belief: Name | None = None
    actions: tuple[Action, ...]
    unlocked: dict[str, Step]
    steps: Steps
    reward: Reward
    lower_bound: LowerBound | None = None
    smartplay: Steps | None = None
    versions: dict[str, str] = Field(default_factory=dict)

    @field_validator("actions")
    @classmethod
    def _codes(cls, actions: tuple[int, ...], info: ValidationInfo) -> tuple[int, ...]:
        """Refuse actions that the world lacks."""
        dialect, adds = info.data.get("dynamics"), info.data.get("adds")
        if dialect in dialects():
            most = len(vocabulary(dialect).actions) + len(adds.actions if adds else ()) - 1
            if (code := max(actions, default=0)) > most:
                raise invalid(f"there is no action {code}", f"0 to {most}")
        return actions

    @model_validator(mode="after")
    def _known(self) -> Self:
        """Refuse unknown dialects, and achievements that the world lacks."""
        if self.dynamics not in (known := dialects()):
            raise invalid(f"there is no dialect {shown(self.dynamics)}", ", ".join(known))
        added = self.adds.achievements if self.adds else ()
        known_ones = (*vocabulary(self.dynamics).achievements, *added)
        for name in self.unlocked:
            if name not in known_ones:
                raise invalid(f"there is no achievement {shown(name)}", ", ".join(known_ones))
        return self

    @model_serializer(mode="wrap")
    def _without_none_added(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out that no names are added, which older files leave unsaid."""
        data: dict[str, Any] = write(self)
        return {key: value for key, value in data.items() if key != "adds" or value is not None}

    def __repr__(self) -> str:
        reached = number(len(self.unlocked), "achievement")
        steps, reward = number(self.steps, "step"), f"reward {self.reward:.1f}"
        about = f"{self.world.name}, seed {self.seed}, {self.agent or 'unnamed agent'}"
        return f"<Certificate {about}: {reached} in {steps}, {reward}>"

    __str__ = __repr__


@dataclass(frozen=True, repr=False)
class Verification:
    """The result of replaying a certificate.

    Attributes:
        valid: Whether all claims hold.
        problems: The failed claims, in words.
        unlocked: The achievements that the replay reached, with their steps.
        reward: The sum of the replay's rewards.
        died: Whether the player was dead in the end.
    """

    valid: bool
    problems: tuple[str, ...]
    unlocked: dict[str, int]
    reward: float
    died: bool

    def __repr__(self) -> str:
        verdict = "valid" if self.valid else f"{number(len(self.problems), 'false claim')}"
        reached = number(len(self.unlocked), "achievement")
        return f"<Verification: {verdict}; {reached}, reward {self.reward:.1f}>"


def certify(
    played: Played,
    world: World,
    name: str,
    agent: str,
    lower_bound: LowerBound | None = None,
    belief: Theory | None = None,
    *,
    smartplay: bool = False,
) -> Certificate:
    """The certificate of an episode.

    Args:
        played: The episode.
        world: Where it was played.
        name: How that world can be loaded again.
        agent: Who played, as the agent is registered.
        lower_bound: How many steps what was unlocked takes at least, if that is known.
        belief: The rules that the agent was given, if any.
        smartplay: Whether it states SmartPlay's score.
    """
    return Certificate(
        schema=SCHEMA,
        world=WorldReference(name=name, digest=world.digest),
        dynamics=world.dynamics,
        adds=AddedNames.of(world.vocabulary),
        seed=played.seed,
        episode=played.episode,
        agent=player_name(agent, belief),
        belief=belief.digest if belief is not None else None,
        actions=played.actions,
        unlocked=played.unlocked,
        steps=played.steps,
        reward=played.reward,
        lower_bound=lower_bound,
        smartplay=smartplay_score(played.unlocked, played.steps) if smartplay else None,
        versions={package: version(package) for package in ("mars-logic", "numba", "numpy")},
    )


def save(certificate: Certificate, path: Path) -> None:
    """Write a certificate, whole or not at all.

    Raises:
        InputError: The file cannot be written.
    """
    write_document(certificate, path)


def load(path: Path) -> Certificate:
    """Read a certificate.

    Raises:
        InputError: The file is missing, unreadable, or no certificate.
    """
    return read_document(path, Certificate, "a certificate in JSON", SCHEMA, MAX_BYTES)


def verify(certificate: Certificate, world: World) -> Verification:
    """Replay a certificate in a world and compare everything it claims."""
    simulator = Simulator(world)
    simulator.reset(certificate.seed, certificate.episode)
    tally = Tally(simulator)
    rewards: list[float] = []
    over_at: int | None = None
    for step, action in enumerate(certificate.actions, start=1):
        if over_at is not None or action >= len(world.vocabulary.actions):
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


def replayed(claimed: Certificate, world: World) -> Observation:
    """The observations of a certificate's replay, from the reset on."""
    simulator = Simulator(world)
    simulator.reset(claimed.seed, claimed.episode)
    moments = [simulator.observe()]
    for action in claimed.actions:
        _, done = simulator.step(action)
        moments.append(simulator.observe())
        if done[0]:
            break
    return Observation.joined(moments)


def _claims_about_the_world(certificate: Certificate, world: World) -> Iterator[str]:
    if certificate.world.digest != world.digest:
        yield f"its world has the digest {certificate.world.digest[:12]}, not {world.digest[:12]}"
    if certificate.dynamics != world.dynamics:
        yield f"its dynamics are {certificate.dynamics}, not {world.dynamics}"
    if certificate.adds != AddedNames.of(world.vocabulary):
        yield "the names that its world adds are others"


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
    score = smartplay_score(unlocked, len(certificate.actions))
    if certificate.smartplay not in (None, score):
        yield f"it claims SmartPlay's score {certificate.smartplay}, and the replay gave {score}"
    bound = certificate.lower_bound
    taken = max(unlocked.values(), default=0)
    if bound and bound.steps > taken:
        yield f"its lower bound of {bound.steps} steps is above the {taken} that it took"


def _at(step: int | None) -> str:
    return "never" if step is None else f"at step {step}"
