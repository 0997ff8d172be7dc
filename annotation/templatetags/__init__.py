"""Tags of the workers' pages."""
