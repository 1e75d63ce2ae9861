"""Published rewards, to stand beside others."""

from __future__ import annotations

from typing import Final

PEERS: Final = ("PPO", "DreamerV3", "ReAct", "Reflexion", "Skill Library", "IfR", "WALL-E 2.0")
PUBLISHED: Final = {
    "default": (1.9, 11.5, 7.7, 6.0, 8.0, 9.0, 9.5),
    "terrain": (-0.1, 9.3, 7.4, 6.4, 9.5, 8.0, 10.7),
    "survival": (-0.6, 8.6, 6.4, 4.6, 7.9, 7.7, 13.8),
    "task_dep": (2.1, 8.8, 5.0, 3.2, 1.5, 5.6, 6.4),
    "terr_surv": (0.0, 7.1, 6.7, 4.9, 3.0, 6.8, 5.5),
    "terr_task": (-0.7, 6.6, 4.8, 5.3, 5.5, 6.9, 5.8),
    "surv_task": (-0.6, 9.6, 1.5, 1.0, 2.3, 3.3, 3.2),
    "all_three": (0.1, 5.1, 0.7, -0.4, -0.5, 0.1, 1.3),
}
SOURCE: Final = (
    "Mean rewards as published: Table 2 of the Mars paper (Tang et al. 2024); WALL-E 2.0 from its "
    "README. Budgets of training and play differ from agent to agent."
)
