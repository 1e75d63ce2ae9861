"""Trajectories: an agent's observations and actions, as arrays and as files.

Importing this package imports neither the simulator nor Parquet; what needs them does, when it is
called.

Example:
    >>> import mars_logic
    >>> from mars_logic.play.agent import load_agent
    >>> from mars_logic.play.recording import record
    >>> from mars_logic.sim import Simulator
    >>> simulator = Simulator(mars_logic.load_world("all_three"))
    >>> played, trajectory = record(load_agent("random")(), simulator, seed=0, agent_name="random")
    >>> len(trajectory) == played.steps
    True
"""

from mars_logic.data.adapters import from_crafter, from_trace
from mars_logic.data.collection import Trajectories, once_each
from mars_logic.data.declared_columns import GameAbout, GameTrajectory, ObservationPart, save_game
from mars_logic.data.loading import load, load_all
from mars_logic.data.own_arrays import from_arrays
from mars_logic.data.recorder import Recorder
from mars_logic.data.store import file_name, files_in, save
from mars_logic.data.trajectory import VIEW, About, Privileged, Trajectory, Views

__all__ = [
    "VIEW",
    "About",
    "GameAbout",
    "GameTrajectory",
    "ObservationPart",
    "Privileged",
    "Recorder",
    "Trajectories",
    "Trajectory",
    "Views",
    "file_name",
    "files_in",
    "from_arrays",
    "from_crafter",
    "from_trace",
    "load",
    "load_all",
    "once_each",
    "save",
    "save_game",
]
