"""The first screen of results: rules that turn rows of a report into three cards.

`docs/results.md` has the rules in words. Nothing here computes a figure or reads the database but
the study's own blocks.
"""
