"""A judge marked blindly: `jurybox mark FILE`, a study of a file's outputs, a sample and a report.

docs/mark.md says what it is for; `studies.py` is where to begin reading.
"""
