"""Rows of tables under a reading: which cell tells what, about which unit, and by whom."""
