"""Files as tables: their rows, and what these mean."""
