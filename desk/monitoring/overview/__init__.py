"""What happens in a study now: progress, pace, who is at work, controls, money."""
