"""The benchmarks of ``scoreboard``, a module each."""
