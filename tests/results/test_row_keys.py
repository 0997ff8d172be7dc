"""No two rows of a report have one key, in the example studies and in published data sets."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command

from annotation.models import Rater, Study
from estimates.data.options import Options
from estimates.report.cache import report_of
from tests.published.cases import repeated
from tests.results.answers import make_rater
from tests.results.drawn_answers import answer_by_chance

EXAMPLES = sorted((Path(settings.BASE_DIR) / "examples").glob("*/study.yaml"))
MAPS = Path(settings.BASE_DIR, "examples", "column-maps")
# What `import_study` reads, by folder; the largest sets are looked at by tests/published, which
# compares the keys of their rows, too.
DATA: dict[str, tuple[str, tuple[str, ...], dict[str, Any]]] = {
    "qags-cnndm": ("qags", ("mturk_*", "unieval_*"), {}),
    "vitalerrors-nq": ("vitalerrors", ("gpt-4o*", "human*"), {}),
    "alt-test": ("raters", ("wax_*",), {"level": "nominal"}),
    "utility-ratings": ("ratings", ("*.csv",), {"columns": MAPS / "utility.yaml"}),
}


def check_keys() -> None:
    report = report_of(Study.objects.get(), Options(resamples=0))
    rows = [row.as_json() for row in (*report.rows, *report.under_full_names())]
    assert len(rows) > 20
    assert repeated(rows) == []


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
    check_keys()


@pytest.mark.django_db
@pytest.mark.parametrize("folder", DATA)
def test_of_a_published_data_set(folder: str, shared_data: Path) -> None:
    format_name, patterns, options = DATA[folder]
    files = [str(file) for name in patterns for file in sorted((shared_data / folder).glob(name))]
    call_command("import_study", format_name, *files, slug="s", verbosity=0, **options)
    check_keys()
