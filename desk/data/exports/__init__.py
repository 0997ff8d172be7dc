"""Exports of a study, written in the background."""
