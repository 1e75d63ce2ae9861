"""Learning a world's rules by playing in it: beliefs that are revised, and experiments."""
