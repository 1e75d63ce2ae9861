"""Questions about a finished scene: templates as data, answers from the log, choices."""
