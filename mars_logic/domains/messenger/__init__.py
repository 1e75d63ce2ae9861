"""Messenger: a manual tells which thing on a grid is the enemy, the message and the goal."""
