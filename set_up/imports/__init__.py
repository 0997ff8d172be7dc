"""Imports of large tables, in the background."""
