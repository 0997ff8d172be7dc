"""An installation in one file, and an installation out of it."""
