"""A million units and two million answers on PostgreSQL, beside a thousand and ten thousand."""

from bench.million.comparing import run

__all__ = ["run"]
