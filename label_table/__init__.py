"""A file of labels checked by itself: no study, no database, nothing kept.

`check.check_file` is the verb; docs/check.md says what it is for.
"""
