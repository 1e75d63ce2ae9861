"""The settings of a training run, all of its curve depends on; they are kept beside its results."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError

from mars_logic.envs.choices import choose
from mars_logic.errors import InputError
from mars_logic.world.fields import invalid, nearest, shown
from mars_logic.world.mistakes import mistakes, refusal
from mars_logic.world.problems import dotted

Algorithm = Literal["simple_ppo", "ppo", "maskable_ppo", "recurrent_ppo", "trpo", "dqn"]
"""``simple_ppo`` is :mod:`~mars_logic.training.ppo`; the others are Stable-Baselines3's and those
of sb3-contrib."""
Seeing = Literal["symbolic", "image"]
RewardName = Literal[
    "crafter",
    "health",
    "achievements",
    "laws",
    "laws+penalty",
    "laws+strict_penalty",
    "shaped",
    "traces",
    "question",
    "answers",
]
ASKING: Final[Mapping[str, Literal["none", "mask", "answers"]]] = {
    "traces": "none",
    "question": "mask",
    "answers": "answers",
}
"""The rewards of detectives, and what each is told of questions."""
Between = Callable[[int, dict[str, float]], bool]
"""Is told the steps so far and the last losses between updates; whether to go on."""
NEED_LAWS: Final = ("laws", "laws+penalty", "laws+strict_penalty", "shaped")
MOST_ENVS: Final = 65_536
MOST_SEED: Final = 1023
MOST_LENGTH: Final = 10_000
_KNOWN_ALONE: Final = ConfigDict(extra="forbid")


def _within(low: float, high: float, *, whole: bool = False) -> BeforeValidator:
    """A check of a number, whose message tells both limits."""
    kinds = (int,) if whole else (int, float)
    kind = "a whole number" if whole else "a number"

    def check(value: Any) -> Any:
        right = isinstance(value, kinds) and not isinstance(value, bool) and low <= value <= high
        if not right:
            raise invalid(f"{shown(value)} is not possible", f"{kind} from {low:,} to {high:,}")
        return value if whole else float(value)

    return BeforeValidator(check)


_Count = Annotated[int, _within(1, 10**9, whole=True)]
_Weight = Annotated[float, _within(0, 10**9)]
_Share = Annotated[float, _within(0, 1)]
_Positive = Annotated[float, _within(1e-12, 10**9)]


@dataclass(frozen=True)
class Hyperparameters:
    """What an algorithm is tuned by; those that an algorithm does not have are ignored by it.

    Attributes:
        n_steps: Steps in each environment from one update to the next.
        batch_size: Steps in a minibatch.
        epochs: Passes over the steps of an update.
        learning_rate: Of Adam.
        gamma: The discount.
        gae_lambda: The decay of generalised advantage estimation.
        clip: The range of the ratio of probabilities that PPO clips to.
        entropy: The weight of the entropy.
        value: The weight of the value loss.
        max_gradient: The norm that gradients are clipped to.
        width: The width of the hidden layers.
        buffer: DQN: the number of steps in the replay buffer.
        starts: DQN: steps before learning begins.
        target_every: DQN: steps between updates of the target network.
        kl: TRPO: the largest divergence of an update; ``epochs`` are those of the value.
        explored: DQN: the share of the training in which exploration declines to 5 %.
    """

    __pydantic_config__ = _KNOWN_ALONE

    n_steps: _Count = 64
    batch_size: _Count = 2048
    epochs: _Count = 3
    learning_rate: _Positive = 5e-4
    gamma: _Share = 0.97
    gae_lambda: _Share = 0.8
    clip: _Share = 0.2
    entropy: _Weight = 0.01
    value: _Weight = 0.5
    max_gradient: _Positive = 0.5
    width: Annotated[int, _within(1, 65_536, whole=True)] = 256
    buffer: _Count = 100_000
    starts: Annotated[int, _within(0, 10**9, whole=True)] = 10_000
    target_every: _Count = 10_000
    explored: _Share = 0.2
    kl: _Positive = 0.01


_OF_DQN: Final = {"n_steps": 4, "batch_size": 256, "epochs": 4, "learning_rate": 1e-4}


def hyperparameters(algorithm: Algorithm, stated: Mapping[str, Any]) -> Hyperparameters:
    """The defaults of an algorithm, and what is stated instead.

    Raises:
        InputError: There is no such hyperparameter, or a value is wrong.
    """
    fields = [each.name for each in dataclasses.fields(Hyperparameters)]
    for name in stated:
        if name not in fields:
            hint = nearest(name, fields)
            raise InputError(f"--set: there is no '{name}'{hint}; allowed: {', '.join(fields)}")
    values = {**(_OF_DQN if algorithm == "dqn" else {}), **stated}
    try:
        return TypeAdapter(Hyperparameters).validate_python(values)
    except ValidationError as error:
        wrong = mistakes(error)[0]
        message = f"{dotted(wrong.place)}: {wrong.message}"
        raise InputError(f"--set: {message}; allowed: {wrong.allowed}") from None


def stated_values(words: list[str]) -> dict[str, Any]:
    """Words ``NAME=VALUE`` by name; numbers may be written as 3e-4.

    Raises:
        InputError: A word has another form.
    """
    found: dict[str, Any] = {}
    for word in words:
        name, sign, text = word.partition("=")
        if not sign:
            raise InputError(f"--set: '{word}' is no setting; allowed: NAME=VALUE")
        try:
            found[name] = int(text)
        except ValueError:
            try:
                found[name] = float(text)
            except ValueError:
                found[name] = text
    return found


@dataclass(frozen=True)
class Settings:
    """A training run.

    Attributes:
        world: The world's name or file; or the folder of scenes in which a detective is trained.
        digest: The digest of its rules, or of scenes and questions.
        algorithm: The learning algorithm.
        observation: What it sees.
        reward: What it is rewarded for.
        laws: The source of the laws: ``true``, ``printed`` or files of records; None without laws.
        laws_digest: The digest of the clauses that were learned from them.
        shuffled: The seed by which the laws were dealt to other achievements, if they were.
        envs: The number of environments.
        seed: Of all random choices; environment i plays seed SEED * 2^20 + i.
        length: Steps after which an episode is truncated; None for the world's own.
        hyperparameters: Of the algorithm.
    """

    __pydantic_config__ = _KNOWN_ALONE

    world: str
    digest: str
    algorithm: Algorithm
    observation: Seeing
    reward: RewardName
    laws: tuple[str, ...] | None
    laws_digest: str | None
    shuffled: Annotated[int, Field(ge=0, strict=True)] | None
    envs: Annotated[int, _within(1, MOST_ENVS, whole=True)]
    seed: Annotated[int, _within(0, MOST_SEED, whole=True)]
    length: Annotated[int, _within(1, MOST_LENGTH, whole=True)] | None
    hyperparameters: Hyperparameters = field(default_factory=Hyperparameters)

    def __post_init__(self) -> None:
        choose("--agent", self.algorithm, Algorithm)
        choose("--observation", self.observation, Seeing)
        choose("--reward", self.reward, RewardName)
        if self.reward in NEED_LAWS and self.laws is None:
            raise InputError(
                f"--laws: the reward '{self.reward}' needs laws; "
                "allowed: true, printed, or files of records"
            )
        if self.reward not in NEED_LAWS and self.laws is not None:
            raise InputError(
                f"--laws: the reward '{self.reward}' uses no laws; "
                f"allowed: with --reward {', '.join(NEED_LAWS)}"
            )
        updated = self.envs * self.hyperparameters.n_steps
        if self.algorithm != "dqn" and self.hyperparameters.batch_size > updated:
            raise InputError(
                f"--set: batch_size: {self.hyperparameters.batch_size}; allowed: at most "
                f"{updated}, the steps of an update (--envs times n_steps)"
            )

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self) | {"laws": list(self.laws) if self.laws is not None else None}

    @classmethod
    def from_json(cls, plain: Any, path: Path) -> Settings:
        """From what :meth:`to_json` gave.

        Args:
            plain: Values of JSON's.
            path: The file that they stand in, for messages.

        Raises:
            InputError: A field is missing, unknown or wrong, or they do not go together.
        """
        try:
            return TypeAdapter(cls).validate_python(plain)
        except ValidationError as error:
            cause = error.errors()[0].get("ctx", {}).get("error")
            if isinstance(cause, InputError):  # of the settings as a whole
                raise InputError(f"{path}:1: {str(cause).removeprefix('--')}") from None
            raise refusal(path, error, "the settings of a training run") from None

    def differences(self, other: Settings) -> list[str]:
        """The fields in which two runs differ, with both values."""
        mine, theirs = _flat(self.to_json()), _flat(other.to_json())
        return [
            f"{name} {mine[name]} / {theirs[name]}" for name in mine if mine[name] != theirs[name]
        ]


def _flat(plain: Mapping[str, Any]) -> dict[str, Any]:
    tuned: dict[str, Any] = plain["hyperparameters"]
    return {key: value for key, value in plain.items() if key != "hyperparameters"} | tuned
