"""Language models: one client for OpenAI-compatible endpoints, recorded, replayed and limited."""
