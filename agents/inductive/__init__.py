"""Learning a world's rules by play: belief revision and experiments."""
