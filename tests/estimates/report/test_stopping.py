"""Rules by which a study closes itself."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from agreement import Estimate
from annotation.models import Assignment, Member, Study, User
from annotation.work.assignment import NothingLeft, Reason, lease_batch
from annotation.work.submission import submit
from estimates.catalogue import metric
from estimates.data.rows import Row
from estimates.report.cache import report_of
from estimates.report.live import as_shown
from estimates.report.recount import count_unseen, recount
from estimates.report.stopping import is_met, row_of, stop_where_met
from jobs.models import Job
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import join, make_study, make_user
from tests.results.answers import make_rater, questions, rate
from tests.sessions import as_user

pytestmark = pytest.mark.django_db

RULE: dict[str, Any] = {
    "metric": "mean",
    "facet": "utility",
    "raters": "humans",
    "group": {},
    "half_width": 20.0,
}


def ruled(**rule: Any) -> Study:
    """A study of thirty sources that two people rated."""
    study = make_study(sources=30, overlap=2, stop_rule={**RULE, **rule})
    for at, name in enumerate(("ada", "bob")):
        rater = make_rater(study, name)
        for number, question in enumerate(questions(study, block=1)):
            rate(rater, question, 40.0 + 3 * at + number)
    return study


def test_a_study_that_is_known_well_enough_closes_when_its_figures_are_counted() -> None:
    study = ruled()
    batch, waiting = answer_all(lease(newcomer(study))), newcomer(study)
    recount(study=study)

    study.refresh_from_db()
    [stop] = study.stops
    assert (study.state, stop["rule"]) == (Study.State.CLOSED, RULE)
    assert (stop["n_units"], stop["n_ratings"]) == (30, 60)
    assert stop["low"] < stop["value"] < stop["high"] <= stop["low"] + 40
    assert stop["method"].startswith("confidence sequence")
    assert stop["at"]
    waiting.study.refresh_from_db()
    late = lease_batch(participation=waiting, now=timezone.now())
    assert late == NothingLeft(Reason.NOT_OPEN)
    submit(assignment=batch, now=timezone.now())
    batch.refresh_from_db()
    assert batch.state == Assignment.State.SUBMITTED


def test_a_study_whose_interval_is_too_wide_stays_open() -> None:
    study = ruled(half_width=0.5)
    recount(study=study)
    study.refresh_from_db()
    assert (study.state, study.stops) == (Study.State.OPEN, [])


def test_a_rule_closes_a_study_once_however_often_somebody_opens_it_again() -> None:
    study = ruled()
    report_of(study)
    Study.objects.filter(pk=study.pk).update(state=Study.State.OPEN)
    assert not stop_where_met(study, report_of(study).rows, 1)
    Study.objects.filter(pk=study.pk).update(stop_rule={**RULE, "half_width": 30.0})
    assert stop_where_met(study, report_of(study).rows, 1)
    study.refresh_from_db()
    assert [stop["rule"]["half_width"] for stop in study.stops] == [20.0, 30.0]


@pytest.mark.parametrize(
    ("end", "met"),
    [
        ({"half_width": 0.1}, True),
        ({"half_width": 0.09}, False),
        ({"excludes": 0.0}, True),
        ({"excludes": 0.25}, False),
    ],
)
def test_a_rule_looks_at_both_bounds(end: dict[str, float], met: bool) -> None:
    assert is_met({**end}, Estimate(value=0.3, low=0.2, high=0.4)) == met
    assert not is_met({**end}, Estimate(value=0.3))


def test_a_rule_without_a_facet_is_about_the_first_that_has_the_figure() -> None:
    rows = [
        Row(metric="mean", facet=facet, raters="humans", aggregation="", estimate=Estimate(value=1))
        for facet in ("fluency", "accuracy")
    ]
    assert row_of({**RULE, "facet": ""}, rows) is rows[0]
    assert row_of({**RULE, "facet": "accuracy"}, rows) is rows[1]
    assert row_of({**RULE, "group": {"system": "Alder"}}, rows) is None


def test_an_open_study_shows_the_interval_that_holds_at_every_look() -> None:
    study = ruled(half_width=0.5)
    counted = report_of(study)
    [plain] = [row.estimate for row in counted.rows if is_the_mean(row)]
    [shown] = [row.estimate for row in as_shown(counted).rows if is_the_mean(row)]
    assert (shown.low, shown.high) == (plain.live_low, plain.live_high)
    assert (shown.low or 0) < (plain.low or 0) < (plain.high or 0) < (shown.high or 0)
    study.state = Study.State.CLOSED
    assert as_shown(counted).rows == counted.rows


def is_the_mean(row: Row) -> bool:
    return (row.metric, row.raters, dict(row.group)) == ("mean", "humans", {})


def test_studies_with_a_rule_are_counted_though_nobody_looks() -> None:
    study = ruled(half_width=0.5)
    make_study("other", sources=2)
    count_unseen()
    assert Job.objects.get().study == study
    recount(study=study)
    Job.objects.all().delete()
    count_unseen()
    assert not Job.objects.exists()
    study.touch()
    count_unseen()
    assert Job.objects.get().study == study


def test_an_editor_sets_the_rule_and_others_cannot(owner: User, outsider: User) -> None:
    study = ruled()
    Study.objects.filter(pk=study.pk).update(stop_rule={})
    join(study, owner, Member.Role.EDITOR)
    viewer = make_user("viewer")
    join(study, viewer, Member.Role.VIEWER)
    address = reverse("results:stop-rule", args=[study.slug])
    assert as_user(outsider).get(address).status_code == 404
    assert as_user(viewer).post(address, {}).status_code == 403

    editor = as_user(owner)
    form = editor.get(address).context["form"]
    [key] = [key for key, row in form.figures.items() if is_the_mean(row)]
    both = editor.post(address, {"figure": key, "half_width": "20", "excludes": "0"})
    assert "Give either a width or a value." in both.content.decode()
    editor.post(address, {"figure": key, "half_width": "20"})
    study.refresh_from_db()
    assert study.stop_rule == RULE
    page = editor.get(address).content.decode()
    assert "half of the interval at most 20" in page
    assert "will not again" not in page
    editor.post(address, {"figure": ""})
    study.refresh_from_db()
    assert study.stop_rule == {}


def test_a_stop_is_said_on_the_pages_in_the_report_and_in_its_json(owner: User) -> None:
    study = ruled()
    join(study, owner, Member.Role.OWNER)
    report_of(study)
    for name in ("results:dashboard", "results:planning"):
        assert (
            "Closed by its rule on"
            in as_user(owner).get(reverse(name, args=[study.slug])).content.decode()
        )
    out = StringIO()
    call_command("report", study.slug, stdout=out)
    assert "Closed by its rule on" in out.getvalue()
    out = StringIO()
    call_command("report", study.slug, "--json", stdout=out)
    [stop] = json.loads(out.getvalue())["stops"]
    assert stop["rule"] == RULE


def test_headline_numbers_alone_have_live_intervals_where_people_answer() -> None:
    study = ruled(half_width=0.5)
    live = {row.metric for row in report_of(study).rows if row.estimate.live_method}
    assert {"mean", "raw_agreement", "krippendorff_alpha_interval"} <= live
    assert all(metric(name).live for name in live)
    study.rounds.all().delete()
    study.touch()
    assert not any(row.estimate.live_method for row in report_of(study).rows)
