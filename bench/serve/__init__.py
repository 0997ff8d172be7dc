"""Fifty workers at once, each fetching the next question and saving an answer."""

from bench.serve.comparing import run

__all__ = ["run"]
