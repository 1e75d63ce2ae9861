"""Worlds: the rules of one game as data, with loading, validation, comparison and words."""
