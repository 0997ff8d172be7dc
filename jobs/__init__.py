"""Background work: one table of jobs, one runner, one sweep."""
