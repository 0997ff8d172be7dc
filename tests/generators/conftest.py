"""An endpoint that generators ask."""

from tests.judges.endpoints import endpoint  # noqa: F401 (a fixture for all)
