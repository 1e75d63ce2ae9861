"""Paintings in rooms; the door takes numbers of paintings."""
