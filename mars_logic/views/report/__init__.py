"""A page of results with replays and tech trees."""
