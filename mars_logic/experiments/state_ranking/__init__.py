"""How well theories predict whole states: the protocol of OneLife (arXiv 2510.12088)."""
