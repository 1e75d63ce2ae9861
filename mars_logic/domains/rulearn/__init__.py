"""RULEARN's puzzles: functions, a password, a reactor; find out the rule behind what is seen."""
