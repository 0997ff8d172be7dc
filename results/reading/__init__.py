"""Rows of a report read as words: one index of rows, the figures behind each question, and every
sentence once.

Pages, papers, tables and terminals show what is said here. `docs/results.md` has the rules.
"""
