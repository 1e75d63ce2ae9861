"""Vandals: agents that are told rules, map and task, and leave traces."""
