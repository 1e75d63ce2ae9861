"""Materials that react by a hidden rule; a target has to be made."""
