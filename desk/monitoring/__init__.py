"""What happens in a study: its overview, alerts, the log of changes."""
