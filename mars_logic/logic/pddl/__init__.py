"""Worlds as planning tasks in PDDL, for the planners and action-model learners of the field."""

from mars_logic.logic.pddl.plan_text import plan_text
from mars_logic.logic.pddl.task import PlanningTask, planning_task
from mars_logic.logic.pddl.walks import TaskTrace, interactions_alone, random_traces
from mars_logic.logic.pddl.write import domain_text, problem_text
from mars_logic.logic.pddl.written import DETERMINISED, PddlForm

__all__ = [
    "DETERMINISED",
    "PddlForm",
    "PlanningTask",
    "TaskTrace",
    "domain_text",
    "interactions_alone",
    "plan_text",
    "planning_task",
    "problem_text",
    "random_traces",
]
