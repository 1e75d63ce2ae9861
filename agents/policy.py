"""Agents that play by a policy that ``mars-logic train`` made.

``policy:DIR`` names one on the command line. It knows nothing but its observations.
``masked_policy:DIR`` plays a policy that was trained with masks of the actions that have an effect
(maskable_ppo); these follow from the rules and the full state, so it is told the simulator.
"""

from __future__ import annotations

import os
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Literal

from mars_logic.errors import InputError
from mars_logic.system.extras import install_hint

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mars_logic.play.agent import Episode, Knows

Which = Literal["best", "last"]


class PolicyAgent:
    """Draws each action from the policy's distribution, or takes the likeliest one.

    Attributes:
        argument: The option that stands after the colon in ``policy:DIR``.
        knows: Nothing.
        folder: Of the training run.
    """

    argument = "folder"
    knows: Knows = "nothing"
    _masked = False

    def __init__(
        self,
        folder: str,
        which: Which = "best",
        greedy: bool = False,
        digest: str | None = None,
        trust: bool = False,
    ) -> None:
        """Load a policy.

        Args:
            folder: The folder of the training run.
            which: The model: the best one, or the last one where there is no best one yet.
            greedy: Always take the likeliest action.
            digest: What the digest of the model's file has to be, if that is known.
            trust: Whether a file of an earlier version may be read, which holds pickles.

        Raises:
            InputError: There is no such model, it is damaged, not trusted, or another one than it
                was; PyTorch is missing; or the policy needs masks, and this agent has none (or the
                reverse).
        """
        path = model_file(folder, which)
        from mars_logic.training import checkpoint
        from mars_logic.training.policy import TrainedPolicy

        if digest is not None and (found := checkpoint.digest(path)) != digest:
            raise InputError(f"{path}:1: file: the model is {found} now; allowed: {digest}")
        self.folder = Path(folder)
        self._policy = TrainedPolicy(path, trust=trust)
        self._greedy = greedy
        self._chance = Random()
        self._simulator: Any = None
        masked = self._policy.settings.algorithm == "maskable_ppo"
        if masked != self._masked:
            other = "masked_policy" if masked else "policy"
            raise InputError(
                f"agent: this model was trained {'with' if masked else 'without'} masks of "
                f"actions; allowed: {other}:{folder}"
            )

    @property
    def reward(self) -> str:
        """What it was trained for."""
        return str(self._policy.settings.reward)

    @classmethod
    def resolved(cls, options: dict[str, Any], beside: Path) -> dict[str, Any]:
        """The options with the folder as an absolute path, and the digest of the model.

        Args:
            options: As stated; ``trust`` among them, if the command line grants it.
            beside: The folder that a relative path starts from.

        Raises:
            InputError: There is no such model, or it is not trusted.
        """
        folder = str((beside / options["folder"]).resolve())
        path = model_file(folder, options.get("which", "best"))
        from mars_logic.training import checkpoint
        from mars_logic.training.earlier_format import require_trust

        require_trust(path, options.get("trust", False))
        return options | {"folder": folder, "digest": checkpoint.digest(path)}

    def begin(self, episode: Episode) -> None:
        """Begin an episode, with the episode's seed for choices.

        Raises:
            InputError: It was trained as a detective and is to survive, or the reverse.
        """
        from mars_logic.training.settings import ASKING

        if (self.reward in ASKING) != (episode.dynamics is None):
            detective = self.reward in ASKING
            told = "it explores scenes" if detective else "it plays in worlds"
            allowed = (
                "`mars-logic conan detect`"
                if detective
                else "a policy trained in a folder of scenes"
            )
            raise InputError(f"{self.folder}:1: reward: {self.reward}: {told}; allowed: {allowed}")
        self._simulator = episode.simulator
        self._chance = Random(episode.seed)
        self._policy.begin()

    def act(self, observation: Any) -> int:
        """The next action: of what is seen in a world, or, of a detective, of its walk."""
        chances = self._policy.probabilities(observation, self._mask())
        if self._greedy:
            return int(chances.argmax())
        return self._chance.choices(range(len(chances)), chances.tolist())[0]

    def end(self, episode: Episode) -> None:
        """Finish the episode; the policy learns nothing."""

    def _mask(self) -> NDArray[np.bool_] | None:
        return None


class MaskedPolicyAgent(PolicyAgent):
    """Draws each action from those that have an effect.

    Attributes:
        knows: The simulator.
    """

    knows: Knows = "simulator"
    _masked = True

    def _mask(self) -> NDArray[np.bool_] | None:
        mask: NDArray[np.bool_] = self._simulator().action_mask()[0]
        return mask


def model_file(folder: str, which: str) -> Path:
    """The file of a model; of the last one where the best one is asked for and not there yet.

    Raises:
        InputError: PyTorch is not installed, or there is no training run.
    """
    import importlib.util

    if importlib.util.find_spec("torch") is None:
        raise InputError(f"policy: PyTorch is not installed; allowed: after {install_hint('rl')}")
    from mars_logic.training.checkpoint import MODELS
    from mars_logic.training.earlier_format import earlier_of

    place = Path(folder)
    for name in ("best", "last") if which == "best" else (which,):
        now = place / MODELS[name]
        for path in (now, earlier_of(now)):
            if os.path.lexists(path):
                return path
    raise InputError(
        f"{place}:1: folder: there is no model of a training run; "
        "allowed: a folder that mars-logic train wrote"
    )
