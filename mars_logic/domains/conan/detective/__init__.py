"""Detectives: what happened, from the traces that are seen."""
