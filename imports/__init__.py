"""Importing studies, material and answers from files: all of a file, or nothing of it."""
