"""Worlds compiled to a numba simulator."""
