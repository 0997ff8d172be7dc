"""An endpoint for tests of tables with the answers of judges."""

from tests.judges.endpoints import endpoint  # noqa: F401 (a fixture for all)
