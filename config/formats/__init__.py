"""How numbers are written, where it differs from what Django takes for a language."""
