"""Bring studies, material and answers in from files: all of a file, or nothing of it."""
