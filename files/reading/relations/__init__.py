"""Which tables of different columns belong together, and how they are joined."""
