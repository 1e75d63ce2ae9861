"""Experiments: agents × worlds × seeds as units of work, stored in a folder, and their results."""
