"""Language models that play puzzles, and what their hypotheses are worth."""
