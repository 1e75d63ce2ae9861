"""Functions whose terms share parameters; the door takes the values of the parameters."""
