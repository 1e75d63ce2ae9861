"""Conan's detective as an environment: a finished scene, steps to explore it, and a question.

Rewards are those of section 4.1 of the paper (Xu et al., NeurIPS 2023): see
:class:`~mars_logic.domains.conan.detective.walks.SceneWalks`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Literal, TypedDict, Unpack

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import ArrayLike, NDArray

from mars_logic.domains.conan.corpus import CorpusSpec, make_scene, stage_of, stream_of
from mars_logic.domains.conan.detective import walks as walking
from mars_logic.domains.conan.detective.exploring import far_start
from mars_logic.domains.conan.detective.walks import NOWHERE, SceneWalks
from mars_logic.domains.conan.questions.asking import CHOICES, Question
from mars_logic.domains.conan.questions.storage import questions_of, read_questions
from mars_logic.domains.conan.scenes import FinishedScene, leaves_traces, read_scenes
from mars_logic.envs.choices import choose, known, pixels
from mars_logic.envs.env import BatchEnv
from mars_logic.envs.game import BatchGame, StepOutcome
from mars_logic.envs.vector import BatchVectorEnv
from mars_logic.envs.viewing import Kind
from mars_logic.envs.walk_views import WalkCase, detective_view
from mars_logic.errors import InputError
from mars_logic.sim.validation import positive
from mars_logic.world.dialect import AREA

Asking = Literal["mask", "answers", "none"]
Start = Literal["centre", "far"]
ANSWERING: Final = tuple(f"answer_{number}" for number in range(1, CHOICES + 1))
RIGHT: Final = 100.0
"""The reward of a right answer; the paper's explorers give none."""
LENGTH: Final = 500
GOALS: Final = ("traces", "all_traces", "right_answer")
_MOST_SEED: Final = 2**31 - 1


class DetectiveOptions(TypedDict, total=False):
    """Options of both kinds of environment.

    Attributes:
        scenes: A folder with scenes, and with questions unless ``question`` is ``none``. By default
            episode k of seed s is scene k - 1 of the corpus of seed s, made when it is begun.
        world: The world of scenes that are made; ``conan`` by default.
        question: ``mask`` (the default): the area that a question is about is marked, and traces in
            it are worth twice as much; ``answers``: besides, it is answered by four more actions;
            ``none``.
        start: ``centre`` (the default), or ``far``: at least 15 steps from every trace.
        observation: ``symbolic`` (the default), ``codes``, ``image`` or ``text``.
        length: Steps after which an episode is truncated; 500 by default.
        size: Width and height of image observations in pixels; (64, 64) by default.
    """

    scenes: str | Path | None
    world: str
    question: Asking
    start: Start
    observation: Kind
    length: int
    size: Sequence[int]


class _Cases:
    """Scenes with their questions, by seed and episode."""

    def __init__(self, folder: Path | None, world: str, *, asked: bool) -> None:
        self._world, self._asked = world, asked
        self._kept: Sequence[tuple[FinishedScene, Sequence[Question]]] | None = None
        if folder is not None:
            scenes = read_scenes(folder)
            questions = read_questions(folder) if asked else {}
            found = [(scene, questions.get(scene.number, ())) for scene in scenes]
            self._kept = [each for each in found if each[1] or not asked]
            if not self._kept:
                raise InputError(f"{folder}:1: questions: there are none; allowed: some")
        elif not leaves_traces(world):
            raise InputError(f"world: {world!r} leaves no traces; allowed: conan, or one like it")

    def case(self, seed: int, episode: int) -> WalkCase:
        """The scene of an episode, and a question about it."""
        chance = stream_of(seed, episode, 6)
        if self._kept is not None:
            scene, questions = self._kept[chance.randint(len(self._kept))]
        else:
            scene = make_scene(CorpusSpec(self._world, seed), episode - 1)
            questions = questions_of(scene) if self._asked else ()
        asked = questions[chance.randint(len(questions))] if questions else None
        return WalkCase(scene, asked)


class DetectiveGame(BatchGame):
    """A batch of detectives.

    Attributes:
        cases: The scene and the question of each.
    """

    goals = GOALS

    def __init__(
        self,
        n: int,
        *,
        scenes: str | Path | None = None,
        world: str = "conan",
        question: Asking = "mask",
        start: Start = "centre",
        observation: Kind = "symbolic",
        length: int = LENGTH,
        size: Sequence[int] = (64, 64),
    ) -> None:
        """Prepare; see :class:`DetectiveOptions`.

        Raises:
            InputError: An argument is none of what is allowed, or the folder cannot be read.
            ValueError: The length is out of range.
        """
        self.n, self.length = n, positive("length", length)
        self._asking = choose("question", question, Asking)
        self._far = choose("start", start, Start) == "far"
        self.names = detective_actions(self._asking)
        folder = Path(scenes) if scenes is not None else None
        self._source = _Cases(folder, world, asked=self._asking != "none")
        self.cases: list[WalkCase] = []
        self._walks = SceneWalks(n)
        self._steps = np.zeros(n, np.int64)
        self._ended = np.zeros(n, np.bool_)
        self._right = np.zeros(n, np.bool_)
        self._seeds, self._episodes = np.zeros(n, np.int64), np.ones(n, np.int64)
        self.outcome = self._outcome(np.zeros(n), np.zeros((n, 3)))
        self.view = detective_view(observation, pixels("size", size), self.cases)

    @property
    def seen(self) -> SceneWalks:
        """The walks.

        Raises:
            RuntimeError: There was no reset yet.
        """
        if not self.cases:
            raise RuntimeError("call reset() first")
        return self._walks

    @property
    def seeds(self) -> NDArray[np.int64]:
        """int64[n]: the seeds of the present episodes."""
        return self._seeds.copy()

    @property
    def episodes(self) -> NDArray[np.int64]:
        """int64[n]: which episodes of their seeds are played, from 1."""
        return self._episodes.copy()

    def masks(self) -> NDArray[np.bool_]:
        """bool[n, number of actions]: False for ``do`` and ``sleep``, which have no effect."""
        operates = np.isin(self.names, ("do", "sleep"))
        return np.tile(~operates, (self.n, 1))

    def result(self, rates: NDArray[np.float64]) -> tuple[float, float]:
        """The share of traces seen, in percent; scenes seen whole and right answers an episode."""
        return float(100 * rates[0]), float(rates[1:].sum())

    def step(self, actions: ArrayLike, restart: NDArray[np.bool_] | None = None) -> StepOutcome:
        """Carry out one action in each environment."""
        chosen = self._checked(actions)
        on = ~(self._ended | (self._steps >= self.length))
        if restart is not None and restart.any():
            self.restart(restart)
            on &= ~restart
        before = self._reached()
        rewards = self.seen.step(chosen, on)
        self._steps += on
        answered = on & (chosen >= len(walking.WALKING))
        for env in np.flatnonzero(answered).tolist():
            asked = self.cases[env].question
            right = asked is not None and chosen[env] - len(walking.WALKING) == asked.answer
            self._right[env] = right
            rewards[env] += RIGHT * right
        self._ended |= on & (answered if self._asking == "answers" else self._walks.complete)
        self.outcome = self._outcome(rewards, before)
        return self.outcome

    def restart(self, where: NDArray[np.bool_]) -> None:
        """Begin the next episode in some environments; the outcome stays that of the step."""
        for env in np.flatnonzero(where).tolist():
            self._start(env, int(self._seeds[env]), int(self._episodes[env]) + 1)

    @property
    def _begun(self) -> bool:
        return bool(self.cases)

    def _begin(
        self, seeds: list[int], episodes: ArrayLike, where: NDArray[np.bool_] | None
    ) -> None:
        if where is not None and not self.cases and not where.all():
            raise RuntimeError("reset all environments first")
        every = np.broadcast_to(np.asarray(episodes), self.n)
        if not np.issubdtype(every.dtype, np.integer) or every.min() < 1:
            raise ValueError(f"episode must be an integer from 1, not {episodes!r}")
        for seed in seeds:
            if not isinstance(seed, int | np.integer) or not 0 <= seed <= _MOST_SEED:
                raise ValueError(f"seed must be an integer from 0 to {_MOST_SEED}, not {seed!r}")
        if not self.cases:
            self.cases.extend(map(self._source.case, seeds, every.tolist()))
            self._seeds[:], self._episodes[:] = seeds, every
        for env in range(self.n):
            if where is None or where[env]:
                self._start(env, seeds[env], int(every[env]))
        self.outcome = self._outcome(np.zeros(self.n), self._reached())

    def _start(self, env: int, seed: int, episode: int) -> None:
        if (seed, episode) != (self._seeds[env], self._episodes[env]):
            self.cases[env] = self._source.case(seed, episode)
            self._seeds[env], self._episodes[env] = seed, episode
        scene, asked = self.cases[env].scene, self.cases[env].question
        start = (AREA // 2, AREA // 2)
        if self._far:
            walkable = stage_of(scene.world).tables["walkable"][0].astype(np.bool_)
            start = far_start(scene.codes, walkable, stream_of(seed, episode, 7))
        area = asked.mask if asked else NOWHERE
        told = asked if self._asking == "answers" else None
        self._walks.begin(env, scene, start, area, told)
        self._steps[env] = 0
        self._ended[env] = self._right[env] = False

    def _reached(self) -> NDArray[np.float64]:
        found, total = self._walks.traces.T
        share = found / np.maximum(total, 1)
        return np.stack([share, self._walks.complete, self._right], 1).astype(np.float64)

    def _outcome(self, rewards: NDArray[np.float64], before: NDArray[np.float64]) -> StepOutcome:
        reached = self._reached()
        late = ~self._ended & (self._steps >= self.length)
        unlocked = (reached >= 1) & (before < 1)
        return StepOutcome(rewards, self._ended.copy(), late, reached, unlocked)

    def _checked(self, actions: ArrayLike) -> NDArray[np.int64]:
        chosen = np.asarray(actions)
        if not np.issubdtype(chosen.dtype, np.integer):
            raise ValueError(f"actions must be integers, not {chosen.dtype}")
        chosen = np.atleast_1d(chosen).astype(np.int64)
        if chosen.shape != (self.n,):
            raise ValueError(f"actions must be of shape ({self.n},), not {chosen.shape}")
        if not 0 <= chosen.min() <= chosen.max() < len(self.names):
            raise ValueError(f"actions must be 0 to {len(self.names) - 1}, not {actions!r}")
        return chosen

    def info(self, env: int) -> dict[str, Any]:
        """What is told of one environment beside its observation."""
        case = self.cases[env]
        found, total = self._walks.traces[env].tolist()
        told = {"scene": case.scene.number, "traces": found, "all_traces": total}
        return told | {"steps": int(self._steps[env]), "right": bool(self._right[env])}


def detective_actions(question: Asking) -> tuple[str, ...]:
    """The actions of a detective: those of walks, and answers where questions are answered."""
    return (*walking.WALKING, *(ANSWERING if question == "answers" else ()))


class DetectiveEnv(BatchEnv):
    """A detective in a scene; made by ``gymnasium.make("mars_logic/ConanDetective-v0", ...)``.

    Finding all traces terminates an episode; where questions are answered, an answer does. ``info``
    has ``scene`` (its number), ``traces`` (those seen), ``all_traces``, ``steps`` and ``right``.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array", "ansi"], "render_fps": 10}  # noqa: RUF012
    game: DetectiveGame

    def __init__(
        self, *, render_mode: str | None = None, **options: Unpack[DetectiveOptions]
    ) -> None:
        """Prepare the environment.

        Args:
            render_mode: ``rgb_array`` or ``ansi``.
            options: See :class:`DetectiveOptions`.

        Raises:
            InputError: An argument is none of what is allowed.
            ValueError: The length is out of range.
        """
        known("options", options, (*DetectiveOptions.__annotations__, "render_mode"))
        super().__init__(DetectiveGame(1, **options))
        self.render_mode = render_mode
        if render_mode is not None:
            kind: Kind = "text" if choose("render_mode", render_mode, _Mode) == "ansi" else "image"
            self._drawn = detective_view(kind, (576, 576), self.game.cases)

    def render(self) -> Any:
        """A picture (uint8[height, width, 3]) or text, by the render mode; else None."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() draws nothing: no render_mode was given to make()")
            return None
        return self._drawn.one(self.game.seen, 0)

    def _info(self) -> dict[str, Any]:
        return self.game.info(0) | {"action_mask": self.game.masks()[0].astype(np.int8)}


_Mode = Literal["rgb_array", "ansi"]


class DetectiveVectorEnv(BatchVectorEnv):
    """Many detectives; made by ``gymnasium.make_vec``. Infos are those of one, as arrays."""

    game: DetectiveGame

    def __init__(
        self,
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        **options: Unpack[DetectiveOptions],
    ) -> None:
        """Prepare the environments.

        Args:
            num_envs: How many.
            autoreset_mode: As of :class:`~mars_logic.envs.vector.WorldVectorEnv`.
            options: See :class:`DetectiveOptions`.

        Raises:
            InputError: An argument is none of what is allowed.
            ValueError: A number is out of range.
        """
        known("options", options, (*DetectiveOptions.__annotations__, "autoreset_mode"))
        super().__init__(DetectiveGame(positive("num_envs", num_envs), **options), autoreset_mode)

    def _infos(self, outcome: StepOutcome, who: NDArray[np.bool_]) -> dict[str, Any]:
        told = [self.game.info(env) for env in range(self.num_envs)]
        infos: dict[str, Any] = {name: np.array([each[name] for each in told]) for name in told[0]}
        infos["reward"] = outcome.reward.copy()
        return infos | {f"_{name}": who.copy() for name in infos}
