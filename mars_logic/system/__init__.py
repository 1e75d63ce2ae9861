"""Files, text, processes and results: what every other folder reads, writes and starts by."""
