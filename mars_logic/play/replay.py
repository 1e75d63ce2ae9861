"""What a player saw in an episode that a certificate describes."""

from __future__ import annotations

from mars_logic.play.certificate import Certificate
from mars_logic.sim import Observation, Simulator
from mars_logic.world.theory import World


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
