"""A study as files: its answers, its material, its ratings and its estimates."""
