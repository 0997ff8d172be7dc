"""One value holds all that estimates rest on, wherever it comes from; they ask for nothing else."""

from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Annotation, Item, Source, Study, User
from estimates.data.bundles.reader import from_bundle
from estimates.data.database import from_database
from estimates.data.options import EDITION, Options
from estimates.data.study_data import StudyData
from estimates.engine.estimation import Estimates, estimate
from estimates.kept.columns import from_kept_columns, keep_columns
from estimates.models import KeptRatings
from estimates.report.cache import report_of, revision_of
from estimates.report.recount import recount
from tasktypes.contract import TaskType
from tasktypes.registry import TASK_TYPES
from tests.cast import make_study
from tests.results.answers import choose, make_rater, questions
from tests.results.examples import answer, make_answered, make_example

AnyType = TaskType[Any, Any, Any]
OPTIONS = Options(resamples=20, seed=3)
Maker = Callable[[Study, Path], StudyData]


def database(study: Study, _folder: Path) -> StudyData:
    return from_database(study)


def columns(study: Study, _folder: Path) -> StudyData:
    revision = revision_of(study)
    keep_columns(study, revision, from_database(study))
    kept = from_kept_columns(study, revision)
    assert kept is not None
    return kept


def bundle(study: Study, folder: Path) -> StudyData:
    call_command("export", study.slug, format="bundle", out=folder, stdout=StringIO())
    path = folder / f"{study.slug}-bundle.zip"
    with CaptureQueriesContext(connection) as queries:
        named, data = from_bundle(path)
    assert not queries
    assert (named.slug, named.title) == (study.slug, study.title)
    return data


def quiet(data: StudyData, options: Options = OPTIONS) -> Estimates:
    """The estimates, for which nothing is asked of the database."""
    with CaptureQueriesContext(connection) as queries:
        estimates = estimate(data, options)
    assert not queries
    return estimates


SOURCES: tuple[Maker, ...] = (database, columns, bundle)


def test_estimates_query_nothing_and_are_the_same_from_every_source(
    db: None, tmp_path: Path
) -> None:
    study = make_answered()
    Item.objects.filter(study=study).update(evidence_source="machine")
    source = Source.objects.filter(study=study).earliest("pk")
    Source.objects.filter(pk=source.pk).update(chains=[[0], [0, 1, 2]])
    Annotation.objects.filter(study=study).update(active_seconds=2.5)
    expected = estimate(from_database(study), OPTIONS)

    assert {"retrieval_f1", "median_seconds", "control_accuracy", "length_slope"} <= {
        row.metric for row in expected.rows
    }
    for make in SOURCES:
        assert quiet(make(study, tmp_path)) == expected, make


@pytest.mark.parametrize("kind", TASK_TYPES, ids=lambda kind: kind.slug)
def test_so_it_is_with_every_kind_of_question(kind: AnyType, owner: User, tmp_path: Path) -> None:
    study = make_example(kind, owner)
    answer(study, ("ada", "human"), ("bob", "human"), ("machine", "judge"))
    changed, original = Item.objects.filter(study=study).order_by("pk")[:2]
    Item.objects.filter(pk=changed.pk).update(perturbed_from=original)
    expected = estimate(from_database(study), OPTIONS)

    for make in SOURCES:
        assert quiet(make(study, tmp_path)) == expected, make


def test_one_person_alone_can_be_estimated_from_every_source(db: None, tmp_path: Path) -> None:
    options = Options(resamples=20, only="worker-1")
    study = make_answered()
    rows = estimate(from_database(study), options).rows

    for make in SOURCES:
        assert quiet(make(study, tmp_path), options).rows == rows, make
    assert "worker-2" not in {name for row in rows for name in row.raters.split("~")}


@pytest.mark.parametrize("make", [database, bundle])
def test_published_figures_are_data_too(db: None, tmp_path: Path, make: Maker) -> None:
    table = tmp_path / "paper.csv"
    table.write_text("study,system,rater,metric,value\npaper,just,all,mean_rank,1.48\n")
    call_command("import_study", "summary", str(table), slug="paper", verbosity=0)

    (row,) = quiet(make(Study.objects.get(slug="paper"), tmp_path)).rows

    assert (row.metric, row.estimate.value) == ("mean_rank", 1.48)


def test_a_report_with_other_options_reads_the_columns_that_are_kept(db: None) -> None:
    study = make_study(sources=2)
    ada = make_rater(study, "ada")
    choose(ada, questions(study)[0], 0)
    recount(study=study, options=OPTIONS)

    with CaptureQueriesContext(connection) as queries:
        report = report_of(study, Options(resamples=20, consensus="majority"))

    assert not [query for query in queries if "annotation_rating" in query["sql"]]
    assert report.rows == estimate(from_database(study), report.options).rows

    choose(ada, questions(study)[1], 0)
    later = report_of(study, report.options)
    assert later.rows == estimate(from_database(study), report.options).rows != report.rows


def test_columns_of_an_earlier_version_of_the_program_are_not_taken_for_all(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = make_study(sources=1)
    choose(make_rater(study, "ada"), questions(study)[0], 0)
    recount(study=study, options=OPTIONS)
    revision = revision_of(study)
    assert from_kept_columns(study, revision) is not None
    assert from_kept_columns(study, revision + 1) is None

    with monkeypatch.context() as later:
        later.setattr("estimates.kept.facts.EDITION", EDITION + 1)
        assert from_kept_columns(study, revision) is None
    KeptRatings.objects.filter(facet="*").delete()

    assert from_kept_columns(study, revision) is None
