"""Drift of a judge: the alert, and the event that a webhook is told once for each finding."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from alerts.checks import check_study, studies_to_watch
from alerts.drift import judges_drift
from alerts.feeds import collect_events
from alerts.models import Delivery, Webhook
from alerts.watched import Watched
from alerts.webhooks import choose_events, send_again, set_webhook
from annotation.models import Member, Study, User
from jobs.models import JobState
from judges.models import Judge
from judges.probes.sets import ProbeChoice, begin_series
from tests.alerts.receiver import receiving
from tests.alerts.sending import became_of, send_due
from tests.cast import join
from tests.judges.probing import asked_again, begun, keys_of, study_of
from tests.judges.scripted_judges import work_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def probed(owner: User, tmp_path: Path) -> tuple[Study, Judge]:
    """A study with a judge that has a baseline over 12 units."""
    study = study_of(12)
    join(study, owner, Member.Role.OWNER)
    return study, begun(study, tmp_path)


def all_at(study: Study, value: float) -> dict[str, float]:
    return dict.fromkeys(keys_of(study), value)


def drift_alerts(study: Study) -> list[str]:
    check_study(study_id=study.pk, now=timezone.now())
    return list(study.alerts.open().filter(kind="drift").values_list("message", flat=True))


def test_the_alert_stands_while_the_newest_asking_shows_drift(
    probed: tuple[Study, Judge], tmp_path: Path
) -> None:
    study, judge = probed
    Study.objects.filter(pk=study.pk).update(state=Study.State.CLOSED)
    assert study.pk in studies_to_watch(timezone.now())  # a run has ended a moment ago
    asked_again(study, judge, tmp_path)
    assert drift_alerts(study) == []
    asked_again(study, judge, tmp_path, all_at(study, 20))
    (message,) = drift_alerts(study)
    assert message.startswith(f"{judge}, since {timezone.now():%Y-%m-%d}. Drift found: 100% of")
    asked_again(study, judge, tmp_path)
    assert drift_alerts(study) == []


def test_a_new_series_ends_the_alert(probed: tuple[Study, Judge], tmp_path: Path) -> None:
    study, judge = probed
    asked_again(study, judge, tmp_path, all_at(study, 20))
    assert len(drift_alerts(study)) == 1
    work_all(begin_series(study=study, judge=judge, choice=ProbeChoice()))
    assert drift_alerts(study) == []


@pytest.mark.parametrize(
    ("threshold", "opens"), [(0.0, True), (0.3, True), (0.6, False), (None, False)]
)
def test_the_alert_opens_where_the_whole_interval_lies_above_the_threshold(
    probed: tuple[Study, Judge], tmp_path: Path, threshold: float | None, opens: bool
) -> None:
    """All 12 answers differ, none did at once. As many go up as down, so that no mean changes:
    the lower bound of the share lies above a half."""
    study, judge = probed
    study.alert_rules = {"drift": threshold}
    study.save()
    values = {key: 60 + 20 * (at % 2) for at, key in enumerate(keys_of(study))}
    asked_again(study, judge, tmp_path, values)
    assert bool(judges_drift(Watched(study, timezone.now()))) is opens


def test_the_webhook_is_told_once_for_each_finding(
    probed: tuple[Study, Judge], owner: User, settings: Any, tmp_path: Path
) -> None:
    study, judge = probed
    settings.SITE_URL = "https://example.org"
    with receiving() as receiver:
        settings.WEBHOOK_PRIVATE = [receiver.address]
        set_webhook(of=study, url=receiver.url, by=owner, now=timezone.now())
        choose_events(of=study, events=["drift.found"], by=owner, now=timezone.now())

        def told() -> list[Delivery]:
            return collect_events(
                webhook_id=Webhook.objects.get(study=study).pk, now=timezone.now()
            )

        asked_again(study, judge, tmp_path)
        assert told() == []
        run, check = asked_again(study, judge, tmp_path, all_at(study, 20))
        (row,) = told()
        assert send_due() == 1
        asked_again(study, judge, tmp_path, all_at(study, 10))
        assert told() == []  # the same finding
        asked_again(study, judge, tmp_path)
        asked_again(study, judge, tmp_path, all_at(study, 20))
        assert len(told()) == 1
        ((headers, body),) = receiver.posts
        assert became_of(row)[0] == JobState.DONE
        assert send_again(delivery=row, by=owner)
    assert check is not None
    content = json.loads(body)
    assert headers["Jurybox-Event"] == content["event"] == "drift.found"
    assert content["study"] == study.slug
    assert content["link"].endswith(f"/judges/versions/parrot/{judge.version}/#drift")
    drift = content["drift"]
    assert (drift["judge"], drift["run"], drift["look"]) == (str(judge), run.pk, 2)
    assert (drift["units"], drift["pairs"]) == (12, 12)
    change = drift["estimates"][0]
    assert (change["metric"], change["facet"], change["value"]) == ("drift_change", "utility", 1.0)
    assert 0 < change["low"] < change["high"] == 1
    assert drift["message"].startswith("Drift found: 100% of the answers to")
