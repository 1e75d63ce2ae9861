"""Experiments: agents × worlds × seeds as units of work, kept in a folder, and what they show."""
