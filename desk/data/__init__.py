"""The data of a study: its units, disagreements to decide, exclusions, exports."""
