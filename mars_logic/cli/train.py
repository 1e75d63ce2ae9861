"""The command ``train``: reinforcement learning in a world."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mars_logic.cli.output import (
    Device,
    Json,
    Threads,
    Trust,
    make_folder,
    print_json,
    progress,
    say,
)
from mars_logic.errors import InputError
from mars_logic.system.extras import install_hint
from mars_logic.system.files import locked
from mars_logic.system.interruptions import first_is_asked
from mars_logic.world.load import bundled_worlds, load_world

if TYPE_CHECKING:
    from mars_logic.training.curve import Point
    from mars_logic.training.laws import Clauses
    from mars_logic.training.settings import Settings
    from mars_logic.world.theory import World

INTERRUPTED = 130
_LOCK = ".lock"


class Learning(StrEnum):
    """The learning algorithms."""

    SIMPLE_PPO = "simple_ppo"
    PPO = "ppo"
    MASKABLE_PPO = "maskable_ppo"
    RECURRENT_PPO = "recurrent_ppo"
    TRPO = "trpo"
    DQN = "dqn"


class ObservationKind(StrEnum):
    """What the policy sees."""

    SYMBOLIC = "symbolic"
    IMAGE = "image"


class Rewarding(StrEnum):
    """What the policy is rewarded for."""

    CRAFTER = "crafter"
    HEALTH = "health"
    ACHIEVEMENTS = "achievements"
    LAWS = "laws"
    LAWS_AND_PENALTY = "laws+penalty"
    LAWS_AND_STRICT_PENALTY = "laws+strict_penalty"
    SHAPED = "shaped"
    TRACES = "traces"
    QUESTION = "question"
    ANSWERS = "answers"


def train(
    world: Annotated[
        str,
        typer.Argument(
            help="Where to train: a bundled world or a file; a detective: a folder of scenes.",
            metavar="WORLD",
            autocompletion=lambda: list(bundled_worlds()),
        ),
    ],
    out: Annotated[
        Path,
        typer.Option("--out", "-o", help="The folder of the results; a run there is continued."),
    ],
    agent: Annotated[
        Learning, typer.Option(help="The algorithm: this project's PPO, or a library's.")
    ] = Learning.SIMPLE_PPO,
    observation: Annotated[
        ObservationKind, typer.Option(help="What the policy sees.")
    ] = ObservationKind.SYMBOLIC,
    reward: Annotated[
        Rewarding | None,
        typer.Option(
            help=f"What it is rewarded for: {', '.join(Rewarding)}; by default crafter, or "
            "question in a folder of scenes.",
            metavar="REWARD",
        ),
    ] = None,
    laws: Annotated[
        list[str] | None,
        typer.Option(
            help="Rewards by laws: files of records to learn them from, 'true', or 'printed' for "
            "the paper's. Can be repeated.",
            metavar="RECORDS",
        ),
    ] = None,
    shuffle_laws: Annotated[
        int | None,
        typer.Option(
            min=0, max=2**31 - 1, help="Give each achievement the law of another one, by this seed."
        ),
    ] = None,
    steps: Annotated[
        str,
        typer.Option(
            help="Steps in all environments together, such as 500k; rounded up to whole updates."
        ),
    ] = "1M",
    envs: Annotated[int, typer.Option(min=1, max=65536, help="Environments.")] = 256,
    length: Annotated[
        int | None,
        typer.Option(min=1, max=10_000, help="Steps of an episode; by default the world's own."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, max=1023, help="Seed of all random numbers.")] = 0,
    threads: Threads = 1,
    device: Device = "auto",
    hyperparameters: Annotated[
        list[str] | None,
        typer.Option("--set", help="A hyperparameter. Can be repeated.", metavar="NAME=VALUE"),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Start again, and replace the run in the folder.")
    ] = False,
    trust: Trust = False,
    as_json: Json = False,
) -> None:
    """Train a policy by reinforcement learning.

    In a folder of Conan's scenes and questions, a detective is trained: it is rewarded for traces,
    for those and the area of a question, or for its answers.

    Needs the extra rl. The folder gets the curve (curve.csv), logs for TensorBoard, the best and
    the last model, and a checkpoint every ten seconds; the same command goes on from it, with the
    same numbers as without an interruption. After Ctrl-C the update that is going on is finished,
    and a checkpoint written; a second Ctrl-C ends at once.

    Example: mars-logic train default --reward crafter --steps 1M -o policy
    """
    total = _steps(steps)
    given = Rewarding.QUESTION if Path(world).is_dir() else Rewarding.CRAFTER
    loaded, digest = _place(world, reward or given)
    settings, clauses = _settings(
        *(loaded, world, agent, observation, reward or given, laws, shuffle_laws, envs, length),
        *(seed, digest, hyperparameters or []),
    )
    if importlib.util.find_spec("torch") is None:
        raise InputError(f"train: PyTorch is not installed; allowed: after {install_hint('rl')}")
    import torch

    from mars_logic.training.checkpoint import MODELS
    from mars_logic.training.run import TrainingRun

    device = _device(device)
    make_folder(out)
    threads_before = torch.get_num_threads()
    torch.set_num_threads(threads)
    with ExitStack() as ends:
        ends.callback(torch.set_num_threads, threads_before)
        ends.enter_context(_alone_in(out))
        if force:
            _clear(out)
        session = TrainingRun(out, settings, loaded, clauses, total, device=device, trust=trust)
        if session.resumed:
            say(f"continued after {session.resumed} steps")
        with first_is_asked() as stop, progress(steady=True) as shown:
            bar = shown.add_task(_told(None), total=total, completed=session.resumed)

            begun = time.monotonic()

            def watch(done: int, point: Point | None) -> None:
                speed = (done - session.resumed) / max(time.monotonic() - begun, 1e-9)
                told = f"{_told(point)}, {speed:,.0f} steps/s"
                shown.update(bar, completed=min(done, total), description=told)

            finished = session.train(watch, stop)
    last = session.points[-1] if session.points else None
    if as_json:
        print_json(_document(settings, session.points, finished, out))
    elif last is not None:
        print(f"{last.steps} steps, {last.ended} episodes; the last ones: {_told(last)}")
        for name in MODELS:
            if _there(out, name):
                print(f"{out / MODELS[name]}: the {name} policy")
    if not finished:
        say("stopped; the same command goes on")
        raise typer.Exit(INTERRUPTED)


@contextmanager
def _alone_in(out: Path) -> Iterator[None]:
    """Keep other training runs out of a folder, and remove what one that was killed left behind.

    Raises:
        InputError: Another one is at work there.
    """
    from mars_logic.training.checkpoint import remove_unfinished

    with locked(out / _LOCK, wait=False) as held:
        if not held:
            raise InputError(
                f"{out}:1: folder: another mars-logic train runs in this folder; "
                "allowed: another folder, or to wait until it is done"
            )
        remove_unfinished(out)
        yield


def _there(out: Path, which: str) -> bool:
    from mars_logic.training.checkpoint import MODELS

    return (out / MODELS[which]).exists()


def _place(place: str, reward: Rewarding) -> tuple[World, str]:
    """The world to train in, or that of the scenes in a folder, and a digest of what is there."""
    from mars_logic.training.settings import ASKING

    asking = ASKING.get(reward.value)
    if not Path(place).is_dir():
        if asking:
            told = f"--reward: {reward.value}: it is for detectives"
            raise InputError(f"{told}; allowed: a folder of scenes to train in, or another reward")
        loaded = load_world(place)
        return loaded, loaded.digest
    if not asking:
        allowed = ", ".join(ASKING)
        raise InputError(f"--reward: {reward.value}: {place} is no world; allowed: {allowed}")
    from mars_logic.domains.conan.jobs import digest_of_case

    world, digest = digest_of_case(Path(place), asked=asking != "none")
    return load_world(world), digest


def _settings(
    loaded: World,
    world: str,
    agent: Learning,
    observation: ObservationKind,
    reward: Rewarding,
    laws: list[str] | None,
    shuffle: int | None,
    envs: int,
    length: int | None,
    seed: int,
    digest: str,
    stated: list[str],
) -> tuple[Settings, Clauses | None]:
    from mars_logic.training import laws as sources
    from mars_logic.training.settings import Settings, hyperparameters, stated_values

    tuned = hyperparameters(agent.value, stated_values(stated))
    if shuffle is not None and not laws:
        raise InputError("--shuffle-laws: there are no laws; allowed: with --laws")
    clauses = sources.clauses_of(laws, loaded, shuffle) if laws else None
    settings = Settings(
        world=world,
        digest=digest,
        algorithm=agent.value,
        observation=observation.value,
        reward=reward.value,
        laws=tuple(laws) if laws else None,
        laws_digest=sources.digest(clauses) if laws else None,
        shuffled=shuffle,
        envs=envs,
        seed=seed,
        length=length,
        hyperparameters=tuned,
    )
    return settings, clauses


def _steps(text: str) -> int:
    """A number of steps, which may end in k or M."""
    unit = {"k": 1_000, "M": 1_000_000}.get(text[-1:], 1)
    try:
        number = float(text[:-1] if unit > 1 else text) * unit
        if number == int(number) and 1 <= number <= 10**12:
            return int(number)
    except (ValueError, OverflowError):
        pass
    raise InputError(f"--steps: '{text}'; allowed: a number from 1, such as 300000, 500k or 4M")


def _device(stated: str) -> str:
    import torch

    if stated == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.zeros(1, device=stated)
    except (RuntimeError, AssertionError):
        raise InputError(f"--device: '{stated}' is not there; allowed: cpu, cuda, auto") from None
    return stated


def _clear(out: Path) -> None:
    """Remove the run in a folder, and nothing else."""
    import shutil

    from mars_logic.training.checkpoint import CHECKPOINT, MODELS
    from mars_logic.training.earlier_format import earlier_of
    from mars_logic.training.run import TENSORBOARD, WORLD
    from mars_logic.training.settings_file import CURVE, SETTINGS

    kept = [out / name for name in (CHECKPOINT, *MODELS.values())]
    others = [out / name for name in (SETTINGS, CURVE, WORLD)]
    for path in (*kept, *map(earlier_of, kept), *others):
        path.unlink(missing_ok=True)
    shutil.rmtree(out / TENSORBOARD, ignore_errors=True)


def _told(point: Point | None) -> str:
    if point is None:
        return "no episode has ended"
    return f"reward {point.reward:.2f}, score {point.score:.1f} %, {point.unlocked:.1f} unlocked"


def _document(settings: Settings, points: list[Point], finished: bool, out: Path) -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "schema": "mars-logic train 1",
        "settings": settings.to_json(),
        "finished": finished,
        "folder": str(out),
        "curve": [asdict(point) for point in points],
    }
