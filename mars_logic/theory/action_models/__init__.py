"""Action models (laws) learned from records: preconditions, costs, gains, open alternatives.

Importing this package imports no simulator.

Example:
    >>> import mars_logic
    >>> from mars_logic.play.agent import load_agent
    >>> from mars_logic.play.recording import record
    >>> from mars_logic.theory.action_models import Records, learn, tell
    >>> from mars_logic.sim import Simulator
    >>> simulator = Simulator(mars_logic.load_world("default"))
    >>> _, trajectory = record(load_agent("random")(), simulator, seed=2, agent_name="random")
    >>> laws = learn(Records.of(trajectory))
    >>> print(tell(laws["collect_wood"]))
    collect_wood: facing a tree.
      It brings 1 wood and leaves grass.
"""

from mars_logic.theory.action_models.as_theory import as_theory
from mars_logic.theory.action_models.files import read, write
from mars_logic.theory.action_models.learn import ActionModel, ActionModels, learn
from mars_logic.theory.action_models.predicates import Clause, Predicates, clauses, predicates
from mars_logic.theory.action_models.records import Records
from mars_logic.theory.action_models.source import python_source, situation
from mars_logic.theory.action_models.states import States
from mars_logic.theory.action_models.words import tell

__all__ = [
    "ActionModel",
    "ActionModels",
    "Clause",
    "Predicates",
    "Records",
    "States",
    "as_theory",
    "clauses",
    "learn",
    "predicates",
    "python_source",
    "read",
    "situation",
    "tell",
    "write",
]
