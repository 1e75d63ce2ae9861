"""Worlds compiled to facts for clingo, and proofs about them."""
