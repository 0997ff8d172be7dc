"""A chat endpoint for the tests of the workbench."""

from tests.judges.endpoints import endpoint  # noqa: F401 (a fixture for all)
