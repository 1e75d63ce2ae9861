"""Pictures of worlds and of what is proved about them."""
