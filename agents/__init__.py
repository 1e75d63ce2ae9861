"""Agents that play worlds; each is offered by the entry-point group ``mars_logic.agents``."""
