"""Studies that the tests of results look at."""

import pytest

from annotation.models import Study
from tests.results.answers import disagree


@pytest.fixture
def answered(study: Study) -> Study:
    """A study whose people and judge disagree."""
    return disagree(study)
