"""Rows that show two outputs: their columns, and what their choices mean."""
