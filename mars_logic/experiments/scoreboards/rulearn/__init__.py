"""The scoreboard of RULEARN's puzzles."""
