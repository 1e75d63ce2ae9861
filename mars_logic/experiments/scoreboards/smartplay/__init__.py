"""SmartPlay's scoreboard."""
