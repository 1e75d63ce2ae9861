"""Finding out rules: hypotheses, plans by them, experiments, and revision, for any game."""
