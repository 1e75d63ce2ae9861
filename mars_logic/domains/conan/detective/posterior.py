"""The posterior of plans: abduction leaves some, simulation weighs them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.compiled.kernel import kernel
from mars_logic.domains.conan.codes import CODE, LAND, OBJECT, REMAINS
from mars_logic.domains.conan.detective.abduction import Plan, TraceAbduction
from mars_logic.domains.conan.detective.evidence import SceneEvidence
from mars_logic.domains.conan.features import FEATURES
from mars_logic.domains.conan.possible import CREATURES
from mars_logic.domains.conan.questions.history import History, history_of
from mars_logic.domains.conan.recipes import Recipes
from mars_logic.domains.conan.vandal.careful_stage import CarefulStage
from mars_logic.domains.conan.vandal.stage import VandalStage
from mars_logic.domains.conan.vandal.tasks import ALL_TASKS, TASKS, prior_of
from mars_logic.sim.board import add_thing
from mars_logic.sim.cells import parts_of
from mars_logic.sim.layout import BORDER
from mars_logic.sim.seeds import episode_seed
from mars_logic.system.resources import own_json
from mars_logic.world.dialect import AREA

REPEATS: Final = 6
"""Simulations of each plan."""
MOST_SIMULATIONS: Final = 120
"""Simulations of a scene; each plan is played twice at least."""
KEPT: Final = 24
"""Simulated histories that answer questions, those with the largest weights."""


@dataclass(frozen=True)
class TraceLikelihood:
    """Weights of a likelihood exp(-w f), and what plans are worth before anything is seen.

    Attributes:
        weights: float64[20], of ``FEATURES``, for each of ``evidence.VIEWS``.
        success: Share of attempts that succeed, by task.
        origin: How they were found.
    """

    weights: Mapping[str, NDArray[np.float64]]
    success: Mapping[str, float]
    origin: str

    def priors(self, plans: Sequence[Plan], tasks: int) -> NDArray[np.float64]:
        """Probability of each plan in a corpus, over the share of its attempts that succeed.

        Args:
            plans: The plans; those of a task have the same probability.
            tasks: How many tasks the corpus has: 25 or 60.
        """
        shares = prior_of(tasks)
        alike = Counter(task for task, _ in plans)
        return np.array(
            [shares.get(t, 0.0) / alike[t] / self.success.get(t, 1.0) for t, _ in plans]
        )


FITTED: Final = {
    ("reference", len(TASKS)): "",
    ("careful", len(TASKS)): "_careful",
    ("careful", len(ALL_TASKS)): "_careful_60",
}
"""What the names of fitted files end in, by the kind of vandal and the number of tasks."""


@cache
def bundled_likelihood(vandal: str = "reference", tasks: int = len(TASKS)) -> TraceLikelihood:
    """The weights that come with the package, for a kind of vandal and 25 or 60 tasks."""
    document = own_json(__name__, f"likelihood{FITTED[vandal, tasks]}.json")
    weights = {
        view: np.array([each[name] for name in FEATURES])
        for view, each in document["weights"].items()
    }
    return TraceLikelihood(weights, document["success"], document["origin"])


@dataclass(frozen=True)
class PlanPosterior:
    """What is believed of a scene.

    Attributes:
        tasks: Probability of each task, in the order of ``ALL_TASKS``.
        results: Simulations, records of ``simulation.RESULT_DTYPE``.
        weights: Probability of each simulation: they sum to 1.
        plans: The plans that results number.
        possible: Plans that nothing refuted.
        brackets: Names of brackets.
        recipes: The rules.
    """

    tasks: NDArray[np.float64]
    results: NDArray[np.void]
    weights: NDArray[np.float64]
    plans: Sequence[Plan]
    possible: frozenset[Plan]
    brackets: tuple[str, ...]
    recipes: Recipes

    def probability(self, task: str) -> float:
        """The probability of a task."""
        return float(self.tasks[ALL_TASKS.index(task)])

    @property
    def entropy(self) -> float:
        """The entropy of the task, in bits."""
        p = self.tasks[self.tasks > 0]
        return float(-(p * np.log2(p)).sum())

    @cached_property
    def believed(self) -> Sequence[tuple[float, History]]:
        """The simulated histories with the largest weights, with their weights."""
        order = np.argsort(-self.weights, kind="stable")[:KEPT]
        return [(float(self.weights[i]), self.history(self.results[i])) for i in order]

    def plan_masses(self) -> Mapping[Plan, float]:
        """Probability of each plan, the largest first."""
        masses: defaultdict[Plan, float] = defaultdict(float)
        for plan, weight in zip(self.results["plan"].tolist(), self.weights.tolist(), strict=True):
            masses[self.plans[plan]] += weight
        return dict(sorted(masses.items(), key=lambda pair: -pair[1]))

    def history(self, result: Any) -> History:
        """What was done in a simulation: one of ``results``."""
        task, _ = self.plans[int(result["plan"])]
        trail = result["trail"][: int(result["steps"]) + 1].astype(np.int64)
        events = result["log"]["events"][: int(result["log"]["size"])]
        return history_of(events, trail, task, self.brackets, self.recipes)

    def gains(self, seen: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Expected information of each cell: float64[64, 64], in bits.

        It is the entropy of what the simulated vandals left there, which tells them apart.
        """
        order = np.argsort(-self.weights, kind="stable")[:KEPT]
        weights = self.weights[order] / max(self.weights[order].sum(), 1e-300)
        codes = self.results["codes"][order]
        gains = np.zeros(seen.shape)
        differs = (codes != codes[:1]).any(0) & ~seen
        for x, y in np.argwhere(differs):
            mass = np.bincount(codes[:, x, y], weights=weights)
            mass = mass[mass > 0]
            gains[x, y] = -(mass * np.log2(mass)).sum()
        return gains


class Detective:
    """Infers plans from what is seen of a scene.

    Args:
        stage: The world and the vandal that is supposed.
        likelihood: Weights; the bundled ones by default.
        tasks: How many tasks may have been set: 25 or 60.
    """

    def __init__(
        self,
        stage: VandalStage,
        likelihood: TraceLikelihood | None = None,
        tasks: int = len(TASKS),
    ) -> None:
        self.stage = stage
        careful = isinstance(stage, CarefulStage)
        vandal = "careful" if careful else "reference"
        self.likelihood = likelihood or bundled_likelihood(vandal, tasks)
        self.tasks = ALL_TASKS[:tasks]
        plans = tuple(plan for plan in stage.programs.plans if plan[0] in self.tasks)
        self.abduction = TraceAbduction(stage.recipes, plans, careful)
        self._simulation = Simulation(stage)
        self.prior = self.likelihood.priors(plans, tasks)

    def candidates(self, evidence: SceneEvidence) -> NDArray[np.int32]:
        """Indices of the plans that nothing refutes; all plans if everything is refuted."""
        possible = self.abduction.possible(evidence)
        plans = self.abduction.plans
        found = [number for number, plan in enumerate(plans) if plan in possible]
        return np.array(found or range(len(plans)), np.int32)

    def simulated(
        self, evidence: SceneEvidence, seed: int, repeats: int = REPEATS
    ) -> NDArray[np.void]:
        """Simulations of the plans that nothing refutes."""
        plans = self.candidates(evidence)
        times = min(repeats, max(2, MOST_SIMULATIONS // len(plans)))
        return self._simulation.play(evidence, np.repeat(plans, times), seed)

    def posterior(
        self, evidence: SceneEvidence, seed: int, repeats: int = REPEATS, *, simulate: bool = True
    ) -> PlanPosterior:
        """What is believed, given what is seen.

        Args:
            evidence: What is seen.
            seed: Seed of the simulations.
            repeats: Simulations of each plan.
            simulate: Whether simulations weigh the plans; otherwise their prior does.
        """
        results = self.simulated(evidence, seed, repeats if simulate else 2)
        plans = results["plan"]
        factors = self.likelihood.weights[evidence.view]
        scores = -(results["features"] @ factors) if simulate else np.zeros(len(plans))
        times = np.bincount(plans, minlength=len(self.prior))[plans]
        weights = np.exp(scores - scores.max()) * self.prior[plans] / times
        weights /= weights.sum()
        tasks = np.zeros(len(ALL_TASKS))
        numbers = [ALL_TASKS.index(self.stage.programs.plans[plan][0]) for plan in plans]
        np.add.at(tasks, numbers, weights)
        possible = self.abduction.possible(evidence)
        programs = self.stage.programs
        return PlanPosterior(
            *(tasks, results, weights, programs.plans, possible, programs.brackets),
            self.stage.recipes,
        )


Array = Any
"""In annotations of kernels: an array."""


@kernel
def _set_up(envs: Array, rules: Array, materials: Array, things: Array, x: int, y: int) -> None:
    """Replace a map that was just generated, and everything on it but the player."""
    env = envs[0]
    env.num_things = 0
    env.num_removed = 0
    for cx in range(AREA):
        for cy in range(AREA):
            env.cells[cx + BORDER, cy + BORDER] = materials[cx, cy]
            env.marks[cx + BORDER, cy + BORDER] = 0
    env.cells[x + BORDER, y + BORDER] |= 1 << 4
    for i in range(len(things)):
        tx = int(things[i, 1])
        ty = int(things[i, 2])
        if env.cells[tx + BORDER, ty + BORDER] < 16:
            add_thing(env, rules[0], int(things[i, 0]), tx, ty)


class Simulation:
    """Simulations in one world; memory is kept between scenes.

    Args:
        stage: The world and its vandals.
    """

    def __init__(self, stage: VandalStage) -> None:
        self._stage = stage
        self._first = stage.generated(0, 1).copy()  # its map is replaced

    def play(
        self, evidence: SceneEvidence, plans: NDArray[np.int32], seed: int
    ) -> NDArray[np.void]:
        """Play plans on the map as it was, and measure what they leave.

        Args:
            evidence: What is seen of the scene.
            plans: int32[n]: indices of plans, each as often as it is to be played.
            seed: Seed of all streams.

        Returns:
            n records of ``play.RESULT_DTYPE``.
        """
        stage = self._stage
        codes, things = undone(evidence)
        materials = parts_of(stage.world.vocabulary, codes)[0]
        player = self._first["player"][0]
        x, y = int(player["x"]), int(player["y"])
        _set_up(self._first, stage.rules, materials, things, x, y)
        worlds = [episode_seed(seed, 2 * i) for i in range(len(plans))]
        vandals = [episode_seed(seed, 2 * i + 1) for i in range(len(plans))]
        jobs = stage.jobs(plans, vandals, worlds)
        figure = evidence.figure or (-1, -1)
        return stage.play(self._first, jobs, evidence.codes, evidence.seen, figure)


_BECOMES: Final = LAND.copy()
"""uint8[42]: what a code was at first; 0 for what hides its ground."""
for _code, _land in enumerate(LAND.tolist()):
    _BECOMES[_code] = _land or _code
for _left, _was in REMAINS.items():
    _BECOMES[CODE[_left]] = 0 if _was in CREATURES else CODE[_was]
for _thing in ("table", "furnace", "bed"):
    _BECOMES[[CODE[_thing], CODE[f"{_thing}_destroyed"]]] = 0
_UNKNOWN_GROUND: Final = CODE["grass"]


def undone(evidence: SceneEvidence) -> tuple[NDArray[np.uint8], NDArray[np.int16]]:
    """The map before anything happened, and the creatures on it.

    Ground under things and bodies is that of most neighbours; what was not seen is taken for what
    the nearest seen cell is; a killed creature stands where its body lies.

    Args:
        evidence: What is seen.

    Returns:
        uint8[64, 64] of bare codes, and int16[k, 3]: kind, x and y of creatures.
    """
    codes = np.where(evidence.seen, _BECOMES[evidence.codes], 0).astype(np.uint8)
    known = codes > 0
    for x, y in np.argwhere(evidence.seen & ~known):
        codes[x, y] = _ground(codes, int(x), int(y))
    if evidence.seen.any():
        _fill(codes, evidence.seen)
    else:
        codes[:] = _UNKNOWN_GROUND
    return codes, _creatures(evidence)


def _ground(codes: NDArray[np.uint8], x: int, y: int) -> int:
    """The land that most of the eight neighbours have."""
    around = codes[max(x - 1, 0) : x + 2, max(y - 1, 0) : y + 2].ravel()
    lands = around[(around > 0) & (LAND[around] > 0)]
    return int(np.bincount(lands).argmax()) if len(lands) else _UNKNOWN_GROUND


@kernel
def _fill(codes: Array, known: Array) -> None:
    """Let cells that were not seen take over what the nearest seen cell is, by a flood.

    Where several are as near, the neighbour to the left comes first, then right, above, below.
    """
    distance = np.full((AREA, AREA), -1, np.int16)
    queue = np.empty(AREA * AREA, np.int16)
    head = 0
    tail = 0
    for x in range(AREA):
        for y in range(AREA):
            if known[x, y]:
                distance[x, y] = 0
                queue[tail] = x * AREA + y
                tail += 1
    while head < tail:
        x = int(queue[head]) // AREA
        y = int(queue[head]) % AREA
        head += 1
        taken = distance[x, y] == 0
        for direction in range(4):
            nx = x + (direction == 1) - (direction == 0)
            ny = y + (direction == 3) - (direction == 2)
            if nx < 0 or ny < 0 or nx >= AREA or ny >= AREA:
                continue
            if distance[nx, ny] < 0:
                distance[nx, ny] = distance[x, y] + 1
                queue[tail] = nx * AREA + ny
                tail += 1
            elif not taken and distance[nx, ny] < distance[x, y]:
                codes[x, y] = codes[nx, ny]
                taken = True


def _creatures(evidence: SceneEvidence) -> NDArray[np.int16]:
    found = [
        (int(evidence.objects[x, y]), int(x), int(y))
        for x, y in np.argwhere(evidence.seen & (evidence.objects > 0))
        if OBJECT["cow"] <= evidence.objects[x, y] <= OBJECT["skeleton"]
    ]
    taken = {(x, y) for _, x, y in found}
    for creature in ("cow", "zombie", "skeleton"):
        dead = np.argwhere(evidence.seen & (evidence.codes == CODE[f"{creature}_dead"]))
        found += [(OBJECT[creature], x, y) for x, y in dead.tolist() if (x, y) not in taken]
    return np.array(found, np.int16).reshape(-1, 3)
