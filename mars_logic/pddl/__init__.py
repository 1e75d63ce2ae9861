"""Worlds as planning tasks in PDDL, for the planners and action-model learners of the field."""

from mars_logic.pddl.task import Task, planning_task
from mars_logic.pddl.write import Form, domain_text, problem_text

__all__ = ["Form", "Task", "domain_text", "planning_task", "problem_text"]
