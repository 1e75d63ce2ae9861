"""Published results in the same worlds, to stand beside one's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MARS_SOURCE: Final = (
    "Mars paper, Table 2: RL after a million steps in the world, 20 trials; language models, "
    "9 trials. WALL-E 2.0: its README, rewards only."
)
CRAFTER_SOURCE: Final = (
    "Crafter's README. An episode of Crafter lasts 10,000 steps at most, one of Mars 1,000."
)
HUMANS: Final = (
    "Skilled people got a reward of 16 to 18 in Mars after five episodes (Mars paper, Appendix A), "
    "and human experts 14.3 ± 2.3 in Crafter (its README)."
)
RULES: Final = (
    "Of the rules that the Mars paper's agent induced in five episodes, precision was at most 68 % "
    "and recall at most 28 %, as GPT-4 judged (Section 3.5, Appendix I)."
)


@dataclass(frozen=True)
class Number:
    """A mean with its standard deviation, which is not always told."""

    mean: float
    std: float | None = None

    def __str__(self) -> str:
        return f"{self.mean:g}" if self.std is None else f"{self.mean:.1f} ± {self.std:.1f}"


def _numbers(text: str) -> dict[str, tuple[Number, ...]]:
    """Rows of a table: a world's name, then means and standard deviations in turn."""
    found = {}
    for line in text.strip().splitlines():
        world, *rest = line.split()
        values = list(map(float, rest))
        found[world] = tuple(map(Number, values[::2], values[1::2]))
    return found


PEERS: Final = ("PPO", "DreamerV3", "ReAct", "Reflexion", "Skill Library", "IfR", "WALL-E 2.0")
"""The columns of :data:`REWARDS`; the first six are those of :data:`SCORES`."""

REWARDS: Final = _numbers("""
default    1.9 1.4  11.5 1.6  7.7 1.6   6.0 1.7   8.0 2.1  9.0 2.3   9.5 2.1
terrain   -0.1 0.6   9.3 2.2  7.4 2.7   6.4 3.0   9.5 2.9  8.0 3.7  10.7 2.6
survival  -0.6 0.5   8.6 4.1  6.4 3.7   4.6 3.9   7.9 2.9  7.7 3.7  13.8 4.4
task_dep   2.1 1.2   8.8 2.8  5.0 2.1   3.2 1.6   1.5 1.9  5.6 2.9   6.4 2.9
terr_surv  0.0 0.7   7.1 2.1  6.7 2.5   4.9 2.5   3.0 2.5  6.8 1.9   5.5 2.7
terr_task -0.7 0.3   6.6 0.7  4.8 2.0   5.3 2.5   5.5 1.5  6.9 1.8   5.8 2.2
surv_task -0.6 0.4   9.6 3.4  1.5 1.3   1.0 1.6   2.3 1.5  3.3 1.4   3.2 1.4
all_three  0.1 0.8   5.1 1.8  0.7 1.6  -0.4 0.7  -0.5 0.5  0.1 0.5   1.3 1.6
""")

SCORES: Final = _numbers("""
default    1.3 1.7  14.2 1.3  8.0 1.5  5.3 0.9   8.3 1.3  13.0 2.1
terrain    0.3 0.1  13.0 1.6  7.6 2.6  7.4 1.6  11.9 3.4  11.8 2.9
survival   0.2 0.0  10.8 2.8  8.0 0.6  5.5 1.7   9.7 2.0  11.0 3.7
task_dep   1.7 0.6  12.1 1.9  4.6 1.6  2.2 0.8   1.5 0.6   6.9 2.5
terr_surv  0.4 0.1   7.9 1.3  7.1 3.0  4.7 1.6   2.8 0.6   6.7 0.8
terr_task  0.1 0.1   4.2 0.1  3.8 0.3  5.5 1.7   4.1 0.7   7.1 2.5
surv_task  0.1 0.1  15.9 2.6  1.3 0.2  1.1 0.1   1.9 0.1   2.1 0.4
all_three  0.6 0.2   4.0 0.3  1.0 0.3  0.2 0.1   0.2 0.0   0.6 0.0
""")

CRAFTER: Final = {
    "human experts": (Number(14.3, 2.3), Number(50.5, 6.8)),
    "SPRING": (Number(12.3, 0.7), Number(27.3, 1.2)),
    "DreamerV3": (Number(11.7, 1.9), Number(14.5, 1.6)),
    "PPO": (Number(4.2), Number(4.6)),
    "random": (Number(2.1), Number(1.6)),
}
"""Reward and score in Crafter itself; learners after a million steps."""
