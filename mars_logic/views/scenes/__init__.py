"""Pictures and reports of finished scenes."""
