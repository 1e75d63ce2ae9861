"""Worlds as planning tasks in PDDL, for the planners and action-model learners of the field."""

from mars_logic.logic.pddl.plan_text import plan_text
from mars_logic.logic.pddl.task import PlanningTask, planning_task
from mars_logic.logic.pddl.write import PddlForm, domain_text, problem_text

__all__ = [
    "PddlForm",
    "PlanningTask",
    "domain_text",
    "plan_text",
    "planning_task",
    "problem_text",
]
