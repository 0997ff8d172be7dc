"""Studies that are exported, and an endpoint."""

from tests.judges.endpoints import endpoint  # noqa: F401 (a fixture for all)
from tests.results.conftest import answered  # noqa: F401 (a fixture for all)
