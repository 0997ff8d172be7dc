"""An endpoint that models write at."""

from tests.judges.endpoints import endpoint  # noqa: F401 (a fixture for all)
