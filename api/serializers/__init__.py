"""Rows of the API as JSON, by subject."""
