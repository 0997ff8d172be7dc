"""A run of a chat judge against a server that takes its time."""

from bench.chat.comparing import run

__all__ = ["run"]
