"""Pages of results: the dashboard, units, comparisons and exports."""
