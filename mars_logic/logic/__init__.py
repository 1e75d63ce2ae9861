"""Logic: worlds as facts, and proofs of what can be achieved in them.

Example:
    >>> import mars_logic
    >>> from mars_logic.logic import prove
    >>> prove(mars_logic.load_world("all_three")).all_reachable
    True
"""

from mars_logic.logic.facts import facts
from mars_logic.logic.proof import Explanation, Probability, Proof, Step, Verdict
from mars_logic.logic.prove import explain, prove
from mars_logic.logic.regions import map_facts
from mars_logic.logic.repair_data import Repair
from mars_logic.logic.step import outcomes
from mars_logic.logic.sustainability import Sustainability

__all__ = [
    "Explanation",
    "Probability",
    "Proof",
    "Repair",
    "Step",
    "Sustainability",
    "Verdict",
    "explain",
    "facts",
    "map_facts",
    "outcomes",
    "prove",
]
