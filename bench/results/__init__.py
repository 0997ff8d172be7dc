"""Results of a study with a million answers: its pages, and what one more answer costs."""

from bench.results.comparing import run

__all__ = ["run"]
