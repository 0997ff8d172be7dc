"""The desk beside a study of 50,000 units with five answers each: its pages and its exports."""

from bench.desk.comparing import run

__all__ = ["run"]
