"""What workers are owed, what panels pay of it by themselves, and what a study has spent."""
