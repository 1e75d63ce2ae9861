"""Play: the agent protocol, episodes and their records, certificates, lower bounds."""
