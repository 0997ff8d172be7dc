"""The pages on which people and machines meet."""
