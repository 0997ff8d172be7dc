"""Studies that the tests of results look at, and an endpoint."""

import pytest

from annotation.models import Study
from tests.judges.endpoints import endpoint  # noqa: F401 (a fixture for all)
from tests.results.answers import disagree


@pytest.fixture
def answered(study: Study) -> Study:
    """A study whose people and judge disagree."""
    return disagree(study)
