"""No two rows of a report have one key, in the example studies; tests/published looks at those of
published data sets."""

from pathlib import Path
from random import Random

import pytest
from django.conf import settings
from django.core.management import call_command

from annotation.models import Rater, Study
from estimates.data.options import Options
from estimates.report.cache import report_of
from tests.published.cases import repeated
from tests.results.answers import make_rater
from tests.results.drawn_answers import answer_by_chance

# The one that is filled by a program, night by night, begins empty.
EXAMPLES = sorted(
    file
    for file in (Path(settings.BASE_DIR) / "examples").glob("*/study.yaml")
    if file.parent.name != "nightly"
)


@pytest.mark.django_db
@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.parent.name)
def test_of_an_example_study_that_everybody_answered(file: Path) -> None:
    """Every judge has answered every block, which is where two rows once had one key."""
    call_command("apply_study", str(file), verbosity=0)
    study, draw = Study.objects.get(), Random(1)
    for name, kind in (("ada", "human"), ("bob", "human"), ("robot", "simulated")):
        answer_by_chance(study, make_rater(study, name, kind), draw)
    for number, name in enumerate(("elm", "oak")):
        answer_by_chance(study, make_rater(study, name, "judge"), draw, but=number)
    newer = Rater.objects.create(study=study, name="oak", kind="judge", version=2)
    answer_by_chance(study, newer, draw, but=2)
    report = report_of(study, Options(resamples=0))
    rows = [row.as_json() for row in (*report.rows, *report.under_full_names())]
    assert len(rows) > 20
    assert repeated(rows) == []
