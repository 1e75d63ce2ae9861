"""The simulator: a batch of environments of one world."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mars_logic.compiled.kernel import is_compiled
from mars_logic.sim import validation
from mars_logic.sim.compile_ahead import compile_step_meanwhile, step_compiled
from mars_logic.sim.daylight import daylight_table
from mars_logic.sim.drawn_map import FirstStates, first_states
from mars_logic.sim.earlier_layout import as_now
from mars_logic.sim.effects import action_mask, do_effects
from mars_logic.sim.layout import CAPACITY, FULL_CAPACITY, env_dtype, widened
from mars_logic.sim.map_pool import EpisodeOfSeed, MapPool
from mars_logic.sim.observation import Observation, observe_batch, observe_marks
from mars_logic.sim.privileged import HIDDEN_DTYPE, hidden_batch
from mars_logic.sim.sharing import Helpers, is_crowded, shares_of
from mars_logic.sim.snapshot import Snapshot, copy_envs, number_entries, with_capacity
from mars_logic.sim.state import (
    State,
    semantic_of,
    state_of,
)
from mars_logic.sim.step import have_room, step_batch
from mars_logic.sim.tables import compile_rules
from mars_logic.world.theory import World


class StepResult(NamedTuple):
    """Result of a step.

    Attributes:
        reward: float64[n]: a tenth of the change of health, plus 1 if an achievement was reached
            for the first time in the episode.
        done: bool[n]: the episode is over, by death or by its length.
    """

    reward: NDArray[np.float64]
    done: NDArray[np.bool_]


class Simulator:
    """A batch of n environments of one world, bit-exact with the original games.

    The same seed, episode and actions give the same episode in any batch, at any place in it, and
    with any number of threads. The dynamics are described in docs/semantics.md.

    Example:
        >>> import mars_logic
        >>> from mars_logic.sim import Simulator
        >>> simulator = Simulator(mars_logic.load_world("crafter"), n=2)
        >>> simulator.reset(seed=7)
        >>> reward, done = simulator.step([5, 0])
        >>> simulator.observe().materials.shape
        (2, 9, 7)
    """

    def __init__(
        self,
        world: World,
        n: int = 1,
        *,
        threads: int = 1,
        length: int | None = None,
        reset_pool: int = 0,
    ) -> None:
        """Prepare the environments; call :meth:`reset` before anything else.

        Args:
            world: The rules to play by.
            n: Number of environments.
            threads: Number of threads that step them; more than one pays off from some hundreds of
                environments on.
            length: Steps after which an episode ends, 1 to 10000; by default the world's: what
                it states, or else 10000 in crafter, 1000 in mars, 300 in the playground of Conan.
            reset_pool: Number of next episodes whose maps one more thread generates ahead, so
                that :meth:`next_episode` copies them; n holds one for each environment. Episodes
                are the same with and without.

        Raises:
            TypeError: The world is no World.
            ValueError: n, threads or length is not a positive integer, length is out of range, or
                reset_pool is negative.
        """
        if not isinstance(world, World):
            kind = type(world).__name__
            raise TypeError(f"world must be a World, as load_world returns it, not a {kind}")
        self._world = world
        self._n = validation.positive("n", n)
        self._threads = min(validation.positive("threads", threads), self._n)
        self._words = world.vocabulary
        self._counted = None  # which counters are of goals, where the world states its own
        if world.goals:
            self._counted = [self._words.achievements.index(name) for name in world.achievements]
        self._rules = compile_rules(world, None if length is None else validation.length(length))
        self._daylight = daylight_table()
        self._envs = np.zeros(self._n, env_dtype(CAPACITY, self._words))
        self._helpers = self._new_helpers()
        self._shares = shares_of(0, self._n, self._threads)
        self._ahead = validation.integer("reset_pool", reset_pool)
        if self._ahead < 0:
            raise ValueError(f"reset_pool must be 0 or more, not {self._ahead}")
        self._maps = self._new_maps()
        self._everyone = np.ones(self._n, np.bool_)
        self._filled: Observation | None = None  # the arrays filled last, already checked
        self._begun = False
        self._over = False  # whether an environment may be done

    @property
    def world(self) -> World:
        """The world being simulated."""
        return self._world

    @property
    def n(self) -> int:
        """The number of environments."""
        return self._n

    @property
    def length(self) -> int:
        """Steps after which an episode ends."""
        return int(self._rules["length"][0])

    @property
    def seeds(self) -> NDArray[np.int64]:
        """The seed of each environment: int64[n]."""
        return self._copy_of("seed")

    @property
    def episodes(self) -> NDArray[np.int64]:
        """Number of each environment's episode of its seed: int64[n]."""
        return self._copy_of("episode")

    @property
    def steps(self) -> NDArray[np.int32]:
        """Steps since the reset: int32[n]."""
        return self._copy_of("step")

    @property
    def positions(self) -> NDArray[np.int16]:
        """Positions of the players: int16[n, 2], columns x and y."""
        self._require_reset()
        player = self._envs["player"]
        return np.stack([player["x"], player["y"]], axis=1).astype(np.int16)

    @property
    def achievements(self) -> NDArray[np.int16]:
        """How often each achievement was reached: int16[n, 22], in ``world.achievements``."""
        return self.counters if self._counted is None else self.counters[:, self._counted]

    @property
    def counters(self) -> NDArray[np.int16]:
        """The same of all, in ``world.vocabulary.achievements``, whatever the world's goals."""
        self._require_reset()
        counters: NDArray[np.int16] = self._counters().copy()
        return counters

    @property
    def unlocked(self) -> NDArray[np.bool_]:
        """Achievements reached in this episode: bool[n, 22]."""
        self._require_reset()
        counters = self._counters()
        return np.array((counters if self._counted is None else counters[:, self._counted]) > 0)

    def reset(
        self, seed: ArrayLike, episode: ArrayLike = 1, where: ArrayLike | None = None
    ) -> None:
        """Begin an episode in every environment, or in some.

        Args:
            seed: The seed of each environment, integers of shape (n,), as the games take them; or
                one integer: environment i then uses ``seed + i``.
            episode: Number of the episode of its seed, an integer or integers of shape (n,); the
                games count resets from 1.
            where: bool[n]: the environments to reset, all by default. The others stay as they are;
                their entries in the arrays are ignored but must be valid.

        Raises:
            ValueError: A seed or an episode is not an integer or out of range, or an argument has
                another shape or type.
            RuntimeError: Only some environments were selected, and there was no reset of all yet.
        """
        first_seeds = validation.seeds(seed, self._n)
        first_episodes = validation.episodes(episode, self._n)
        chosen = self._everyone if where is None else validation.selection(where, self._n)
        if not chosen.all():
            self._require_reset()
        self._envs["seed"][chosen] = first_seeds[chosen]
        self._envs["episode"][chosen] = first_episodes[chosen]
        self._reset_envs(chosen)
        self._begun = True
        self._prepare(chosen)

    def next_episode(self, where: ArrayLike | None = None) -> None:
        """Begin the next episode of the same seed in some environments.

        A call after each step gives auto-reset.

        Args:
            where: bool[n]: the environments, by default those that are done.

        Raises:
            ValueError: ``where`` has another shape or type.
            RuntimeError: There was no reset yet.
        """
        self._require_reset()
        if where is None and not self._over:
            return
        chosen = self._envs["done"] if where is None else validation.selection(where, self._n)
        if chosen.any():
            chosen = chosen.copy()  # resetting changes `done`
            self._envs["episode"][chosen] += 1
            unprepared = self._maps.take(self._envs, chosen) if self._maps else chosen
            if unprepared.any():
                self._reset_envs(unprepared)
            self._prepare(chosen)
        if where is None:
            self._over = False

    def step(self, actions: ArrayLike) -> StepResult:
        """Carry out one action in each environment.

        An environment whose episode is over stays as it is until the next reset: its reward is 0,
        it remains done, and its random stream stays as it is.

        Args:
            actions: Integers of shape (n,), codes of ``names.ACTIONS``; or one integer if n is 1.

        Raises:
            ValueError: An action is out of range, or the actions have another shape or type.
            RuntimeError: There was no reset yet.
        """
        self._require_reset()
        chosen = validation.actions(actions, self._n, len(self._words.actions))
        result = StepResult(np.empty(self._n), np.empty(self._n, np.bool_))
        step_compiled()
        if not self.share(step_batch, self._envs, self._rules, self._daylight, chosen, *result):
            self._make_room()
        self._over = b"\1" in result.done.tobytes()  # for one environment, a tenth of any()'s time
        return result

    def observe(self, out: Observation | None = None) -> Observation:
        """Observation of all players: the view around them, their status and inventory.

        Args:
            out: Arrays of the right types and shapes to fill and return, instead of new ones.

        Raises:
            ValueError: An array of ``out`` is of another type or shape.
            RuntimeError: There was no reset yet.
        """
        self._require_reset()
        if out is None:
            out = Observation.empty(self._n, self._words)
        elif out is not self._filled:
            out.require_size(self._n, self._words)
            self._filled = out
        self.share(observe_batch, self._envs, self._rules, self._daylight, out.arrays)
        if out.marks is not None:
            self.share(observe_marks, self._envs, out.marks)
        return out

    def hidden(self, out: NDArray[np.void], first: int = 0) -> None:
        """Fill records with the hidden part of the players' state.

        It is part of :meth:`state` and the random stream; recordings need it at every step.

        Args:
            out: Records of ``hidden.HIDDEN_DTYPE``, at least first + n.
            first: The record of environment 0.

        Raises:
            ValueError: The records are of another type, or too few.
            RuntimeError: There was no reset yet.
        """
        self._require_reset()
        if out.dtype != HIDDEN_DTYPE or not 0 <= first <= len(out) - self._n:
            raise ValueError(f"out must be records of HIDDEN_DTYPE, at least {first + self._n}")
        hidden_batch(self._envs, out, first)

    def semantic(self) -> NDArray[np.uint8]:
        """The whole maps with their objects: uint8[n, 64, 64], indexed [env, x, y].

        A cell is the code of its material (0 to 12), or, where an object stands, 13 for the
        player, 14 cow, 15 zombie, 16 skeleton, 17 arrow, 18 plant: 12 + its code. In a dialect with
        traces, it is the code of the material with its mark, and an object follows these codes.

        Raises:
            RuntimeError: There was no reset yet.
        """
        self._require_reset()
        return semantic_of(self._envs, self._words)

    def action_mask(self) -> NDArray[np.bool_]:
        """Mask of effective actions: bool[n, 17], in ``names.ACTIONS``.

        False exactly where the player's turn would end as with noop for every random stream; then
        the whole step equals noop's. The random stream counts as part of the state: collecting
        with an unlucky draw is an effect. noop itself is always True, so that at least one action
        is available.

        Where it is True the step's result differs from noop's for some random stream. One
        exception: a hit on a creature leaves no trace if arrows take its remaining health in the
        same step.

        Raises:
            RuntimeError: There was no reset yet.
        """
        self._require_reset()
        return action_mask(self._envs, self._rules, len(self._words.actions))

    def do_effects(self) -> NDArray[np.int8]:
        """Effect that `do` would have now: int8[n], codes of ``effects.DO_EFFECTS``, or -1.

        The kind of an object determines the code: hitting a cow is eat_cow, edible or not. For
        collecting, the world's yield determines it, whatever the material: the most probable item,
        the first of the rule among equals. A liquid that yields no item but affects drink, food,
        health or thirst is collect_drink. All else is -1: collecting without a yield (even if the
        material changes), unripe plants, arrows, and `do` while asleep or after the end.

        Raises:
            RuntimeError: There was no reset yet.
        """
        self._require_reset()
        return do_effects(self._envs, self._rules)

    def state(self, env: int = 0) -> State:
        """The full state of one environment except its random stream, read-only.

        Raises:
            ValueError: There is no such environment.
            RuntimeError: There was no reset yet.
        """
        self._require_reset()
        number = validation.integer("env", env)
        if not 0 <= number < self._n:
            raise ValueError(f"env must be 0 to {self._n - 1}, not {number}")
        return state_of(self._envs[number], self._daylight, self._words)

    def snapshot(self) -> Snapshot:
        """A copy of the full state, random streams included.

        Raises:
            RuntimeError: There was no reset yet.
        """
        self._require_reset()
        return Snapshot(copy_envs(self._envs))

    def restore(self, snapshot: Snapshot) -> None:
        """Continue from a snapshot: the same actions lead to the same future.

        The snapshot may come from a simulator of another world: then the state
        continues under this world's rules.

        Raises:
            ValueError: The snapshot holds another number of environments, or another dialect's.
        """
        if len(snapshot) != self._n:
            raise ValueError(f"the snapshot holds {len(snapshot)} environments, not {self._n}")
        if self._record() != widened(snapshot.envs.dtype, CAPACITY):
            raise ValueError("the snapshot is of a dialect with other items, achievements or marks")
        self._envs = copy_envs(snapshot.envs)
        if not have_room(self._envs, self._rules):
            self._make_room()
        self._begun = self._over = True
        self._prepare(self._everyone)

    def share(self, work: Callable[..., None], *arguments: Any) -> bool:
        """Do something for all environments in all threads of this simulator, and wait for it.

        Args:
            work: A kernel that takes shares until none are left, as those of ``sim.step`` do; it is
                called as ``work(*arguments, shares, thread)`` by each thread, with its number.
            arguments: What it needs.

        Returns:
            False if a share was reported as crowded.
        """
        shares = self._shares.copy()
        if self._helpers is None:
            work(*arguments, shares, 0)
        else:
            self._helpers.share(work, *arguments, shares=shares)
        return not is_crowded(shares)

    def __getstate__(self) -> dict[str, Any]:
        """The state without threads, so that simulators can be copied and pickled."""
        state = self.__dict__ | {"_helpers": None, "_maps": None}
        state.pop("_first_states", None)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Start threads of its own."""
        self.__dict__.update(state)
        self._envs, self._over = as_now(self._envs), True
        self._shares = shares_of(0, self._n, self._threads)
        self._helpers = self._new_helpers()
        self._maps = self._new_maps()

    def _new_maps(self) -> MapPool | None:
        if not self._ahead:
            return None
        return MapPool(self._ahead, self._rules, self._envs.dtype, self._first_states)

    def _prepare(self, chosen: NDArray[np.bool_]) -> None:
        """Have the next episodes of some environments generated ahead."""
        if self._maps:
            seeds, episodes = self._envs["seed"], self._envs["episode"]
            self._maps.prepare(
                (env, EpisodeOfSeed(int(seeds[env]), int(episodes[env]) + 1))
                for env in np.flatnonzero(chosen).tolist()
            )

    def _new_helpers(self) -> Helpers | None:
        return Helpers(self._threads - 1) if self._threads > 1 else None

    def _require_reset(self) -> None:
        if not self._begun:
            raise RuntimeError("call reset() first")

    def _record(self) -> np.dtype[np.void]:
        """The type of this dialect's records."""
        return env_dtype(CAPACITY, self._words)

    def _counters(self) -> NDArray[np.int16]:
        """The counters of this world's achievements: a view of int16[n, achievements]."""
        return self._envs["player"]["achievements"][:, : len(self._words.achievements)]

    def _copy_of(self, field: str) -> NDArray[Any]:
        self._require_reset()
        return self._envs[field].copy()

    def _reset_envs(self, where: NDArray[np.bool_]) -> None:
        """Begin the episodes that the fields `seed` and `episode` name."""
        begin, tables = self._first_states

        def reset() -> bool:
            return self.share(begin, self._envs, self._rules, tables, where)

        compiled = is_compiled(begin, self._envs, self._rules, tables, where, self._shares, 0)
        if not compiled and self._envs.dtype == env_dtype(CAPACITY):
            compile_step_meanwhile()
        if not reset():
            self._widen()
            reset()

    @cached_property
    def _first_states(self) -> FirstStates:
        """How episodes begin; made when the first one does."""
        return first_states(self._world)

    def _make_room(self) -> None:
        """Make room for the next step: of numbers, and of things where that is not enough."""
        number_entries(self._envs)
        if not have_room(self._envs, self._rules):
            self._widen()

    def _widen(self) -> None:
        """Widen the records to the maximum number of things on a map.

        Rarely needed; the kernels are then recompiled for the wider records.
        """
        if self._envs["things"].shape[1] < FULL_CAPACITY:
            self._envs = with_capacity(self._envs, FULL_CAPACITY)
            self._maps = self._new_maps()
