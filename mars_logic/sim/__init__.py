"""The simulator: a world compiled to tables, and the kernels that step it.

Importing this package imports numba, and so do the packages that build on it. The kernels are
compiled at their first call and cached on disk.
"""

from mars_logic.sim.codes import LOOKS, OBJECTS
from mars_logic.sim.conform import Conformance, Divergence, compare, conform
from mars_logic.sim.generated_map import GeneratedMap, generate_map
from mars_logic.sim.observation import Observation
from mars_logic.sim.scene import Scene
from mars_logic.sim.simulator import Simulator, StepResult
from mars_logic.sim.snapshot import Snapshot
from mars_logic.sim.state import OBJECT_DTYPE, State
from mars_logic.sim.trace import Trace, TraceError, load_trace

__all__ = [
    "LOOKS",
    "OBJECTS",
    "OBJECT_DTYPE",
    "Conformance",
    "Divergence",
    "GeneratedMap",
    "Observation",
    "Scene",
    "Simulator",
    "Snapshot",
    "State",
    "StepResult",
    "Trace",
    "TraceError",
    "compare",
    "conform",
    "generate_map",
    "load_trace",
]
