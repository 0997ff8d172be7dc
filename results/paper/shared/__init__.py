"""A study's results for readers who are no members: without names, without texts."""
