"""Two-armed bandits: two slot machines that pay with hidden probabilities."""
