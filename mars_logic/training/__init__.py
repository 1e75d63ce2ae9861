"""Training of policies by reinforcement learning: ``mars-logic train``. Needs the extra ``rl``."""
