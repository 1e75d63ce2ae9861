"""What the program of a proof derives, whether it shows that or not."""

from __future__ import annotations

from mars_logic.logic.reachability_model import ReachabilityModel
from mars_logic.logic.solve import Relations


def derived(model: ReachabilityModel, *names: str) -> Relations:
    """The rows of some predicates in the model of a proof."""
    found = model._session.solve(names, model._aims((), None))
    assert found is not None
    return found
