"""Alerts are opened once, ended when their condition ends, and do not waver."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from alerts import checks, conditions
from alerts.checks import check_study, studies_to_watch
from alerts.kinds import BY_NAME, KINDS
from alerts.models import Alert, Delivery, Webhook
from alerts.watched import Watched
from annotation.models import Assignment, LedgerRow, Study, User
from annotation.rounds.opening import close_study, resume_study
from annotation.work.control_answers import ControlMet
from annotation.work.review import accept
from annotation.work.submission import submit
from estimates.models import CachedEstimates
from judges.models import Judge, JudgeRun
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import make_study

NOW = timezone.now()
pytestmark = pytest.mark.django_db


def watched(study: Study, *, now: datetime = NOW, memory: Any = None, open_: str = "") -> Watched:
    study.refresh_from_db()
    return Watched(study, now, frozenset(filter(None, [open_])), {} if memory is None else memory)


def message(name: str, *args: Any, **kwargs: Any) -> str | None:
    return BY_NAME[name].check(watched(*args, **kwargs))


def open_kinds(study: Study) -> set[str]:
    return set(study.alerts.open().values_list("kind", flat=True))


def submitted(study: Study, *, seconds: int) -> Assignment:
    batch = answer_all(lease(newcomer(study)))
    submit(assignment=batch, now=timezone.now())
    rows = Assignment.objects.filter(pk=batch.pk)
    rows.update(leased_at=NOW - timedelta(seconds=seconds), submitted_at=NOW)
    batch.annotations.update(active_seconds=seconds / max(batch.annotations.count(), 1))
    batch.refresh_from_db()
    return batch


def test_names_differ() -> None:
    assert len(BY_NAME) == len(KINDS)


# --- Work ---------------------------------------------------------------------------------------


def test_who_is_much_too_fast_is_named_until_somebody_decides(study: Study, owner: User) -> None:
    slow = submitted(study, seconds=400)
    assert message("fast_workers", study) is None
    fast = submitted(study, seconds=20)
    said = message("fast_workers", study)
    assert said is not None
    assert fast.participation.pseudonym in said
    assert slow.participation.pseudonym not in said
    accept(assignments=[fast], by=owner)
    assert message("fast_workers", study) is None


def test_a_threshold_that_is_empty_turns_an_alert_off(study: Study) -> None:
    submitted(study, seconds=20)
    study.alert_rules = {"fast_share": None}
    study.save()
    assert message("fast_workers", study) is None


def test_controls_that_are_missed(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    submitted(study, seconds=400)

    def share(right: int, met: int) -> str | None:
        controls = [ControlMet(1, 1, n, n < right) for n in range(met)]
        monkeypatch.setattr(conditions, "controls_met", lambda *_, **__: controls)
        return message("controls", study)

    assert str(share(11, 20)).startswith("55\xa0% of 20 controls")
    assert share(12, 20) is None
    assert str(share(5, 10)).startswith("50\xa0% of 10 controls")
    assert share(0, 9) is None  # too few to say anything
    share(62, 100)
    assert message("controls", study, open_="controls") is not None  # ends a little above
    share(65, 100)
    assert message("controls", study, open_="controls") is None


def test_silence_counts_from_the_opening_or_the_last_batch(study: Study) -> None:
    Study.objects.filter(pk=study.pk).update(created_at=NOW)
    later = NOW + timedelta(hours=25)
    assert message("silence", study, now=NOW + timedelta(hours=23)) is None
    said = message("silence", study, now=later)
    assert said is not None
    assert said.startswith("No batch has been submitted")
    submitted(study, seconds=100)
    assert message("silence", study, now=NOW + timedelta(hours=23)) is None
    close_study(study=study)
    assert message("silence", study, now=later) is None


def test_a_study_that_has_all_its_answers_is_not_silent() -> None:
    study = make_study(sources=2, overlap=1, per_batch=2)
    submitted(study, seconds=400)
    assert message("silence", study, now=NOW + timedelta(days=3)) is None


def judge_run(study: Study, **fields: Any) -> JudgeRun:
    judge = Judge.objects.create(name="j", version=1, method="lexical", fingerprint="f")
    rater = study.raters.create(name="j", kind="judge")
    return JudgeRun.objects.create(study=study, judge=judge, rater=rater, **fields)


def test_runs_that_fail_or_stop_by_themselves(study: Study) -> None:
    run = judge_run(study, state=JudgeRun.State.FAILED, reason="The endpoint is away.")
    assert "The endpoint is away." in str(message("judges", study))
    JudgeRun.objects.update(state=JudgeRun.State.PAUSED, reason="")
    assert message("judges", study) is None  # somebody paused it
    JudgeRun.objects.update(state=JudgeRun.State.PAUSED, reason="The cap is reached.")
    assert f"run {run.pk}" in str(message("judges", study))
    assert message("judges", study, now=NOW + timedelta(days=8)) is None


# --- Agreement ----------------------------------------------------------------------------------


def counted(
    study: Study, value: float, *, low: float, high: float, units: int = 100, **live: Any
) -> None:
    from agreement import Estimate
    from estimates.data.options import Options
    from estimates.data.rows import Row

    estimate = Estimate(value=value, low=low, high=high, n_units=units, **live)
    row = Row(
        metric="krippendorff_alpha_nominal",
        facet="recovery",
        raters="humans",
        aggregation="pooled",
        estimate=estimate,
    )
    CachedEstimates.objects.update_or_create(
        study=study,
        options_hash=Options().hash,
        defaults={"revision": study.revision, "rows": [row.as_json()]},
    )


def test_agreement_that_falls_beyond_chance_and_recovers(study: Study) -> None:
    memory: dict[str, Any] = {}
    counted(study, 0.70, low=0.6, high=0.8)
    assert message("agreement", study, memory=memory) is None
    counted(study, 0.58, low=0.4, high=0.72)  # the interval holds 0.70
    assert message("agreement", study, memory=memory) is None
    counted(study, 0.55, low=0.5, high=0.6)
    said = message("agreement", study, memory=memory)
    assert said is not None
    assert "from 0.70 to 0.55" in said
    counted(study, 0.62, low=0.5, high=0.75)  # not far enough up: it stays open
    assert message("agreement", study, memory=memory, open_="agreement") is not None
    counted(study, 0.66, low=0.5, high=0.75)
    assert message("agreement", study, memory=memory, open_="agreement") is None


def test_a_fall_is_read_by_the_interval_that_pages_show(study: Study) -> None:
    """Answers are still to come: the live interval holds 0.70, and later none has been found."""
    memory: dict[str, Any] = {}
    assert study.state == Study.State.OPEN
    counted(study, 0.70, low=0.6, high=0.8)
    assert message("agreement", study, memory=memory) is None
    sequence: dict[str, Any] = {"live_method": "confidence sequence"}
    counted(study, 0.55, low=0.5, high=0.6, live_low=0.4, live_high=0.71, **sequence)
    assert message("agreement", study, memory=memory) is None
    counted(study, 0.55, low=0.5, high=0.6, live_method="none: too few sources")
    assert message("agreement", study, memory=memory) is None
    counted(study, 0.55, low=0.5, high=0.6, live_low=0.45, live_high=0.65, **sequence)
    assert message("agreement", study, memory=memory) is not None


def test_agreement_of_few_units_says_nothing(study: Study) -> None:
    study.alert_rules = {"agreement_below": 0.5}
    study.save()
    counted(study, 0.1, low=0.0, high=0.2, units=5)
    assert message("agreement", study) is None
    counted(study, 0.1, low=0.0, high=0.2)
    assert message("agreement", study) is not None
    counted(study, 0.51, low=0.4, high=0.6)
    assert message("agreement", study) is None
    assert message("agreement", study, open_="agreement") is not None  # ends a little above


# --- Money --------------------------------------------------------------------------------------


def budget(study: Study, amount: str, **more: Any) -> None:
    study.budget = {"amount": amount, "warn_at": 0.8, "pause": False, **more}
    study.save()


def earned(study: Study, amount: str) -> None:
    participation = study.participations.first() or newcomer(study)
    LedgerRow.objects.create(
        participation=participation, kind="adjustment", amount=Decimal(amount), currency="USD"
    )


def test_the_budget_counts_pay_open_batches_and_judges(study: Study) -> None:
    budget(study, "10.00")
    earned(study, "5.00")
    assert message("budget_near", study) is None
    lease(newcomer(study))  # 1.00 and at most 0.50
    judge_run(study, state=JudgeRun.State.COMPLETE, spent=Decimal("1.5"))
    assert "8.00 of 10.00 USD" in str(message("budget_near", study))
    assert message("budget_spent", study) is None
    earned(study, "2.00")
    assert message("budget_near", study) is None
    assert "10.00 of 10.00 USD" in str(message("budget_spent", study))


def test_a_spent_budget_pauses_the_study_once_if_it_says_so(study: Study) -> None:
    budget(study, "1.00", pause=True)
    earned(study, "2.00")
    check_study(study_id=study.pk, now=NOW)
    study.refresh_from_db()
    assert study.paused_at is not None
    alert = study.alerts.open().get(kind="budget_spent")
    assert alert.message.endswith("The study is paused.")
    assert study.changes.filter(action="study.paused", by=None).count() == 1
    resume_study(study=study, by=None)
    check_study(study_id=study.pk, now=NOW)
    study.refresh_from_db()
    assert study.paused_at is None  # somebody wants it to go on


def test_a_budget_alone_stops_nothing(study: Study) -> None:
    budget(study, "1.00")
    earned(study, "2.00")
    check_study(study_id=study.pk, now=NOW)
    study.refresh_from_db()
    assert study.paused_at is None


# --- Checks -------------------------------------------------------------------------------------


def test_an_alert_is_opened_once_and_ended_once(study: Study) -> None:
    Webhook.objects.create(study=study, url="https://example.org/", secret="s", made_at=NOW)
    budget(study, "1.00")
    earned(study, "2.00")
    for _ in range(3):
        check_study(study_id=study.pk, now=NOW)
    assert open_kinds(study) == {"budget_spent"}
    earned(study, "1.00")
    check_study(study_id=study.pk, now=NOW)
    assert "3.00 of 1.00" in study.alerts.get().message  # as it is now; nobody is told again
    assert Delivery.objects.count() == 1
    budget(study, "100.00")
    for _ in range(2):
        check_study(study_id=study.pk, now=NOW)
    assert not open_kinds(study)
    assert list(Delivery.objects.values_list("event", flat=True)) == ["ended", "opened"]


def test_two_checks_at_once_open_one_alert(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    budget(study, "1.00")
    earned(study, "2.00")
    look = BY_NAME["budget_spent"].check
    looked: list[bool] = []

    def meanwhile(watched: Watched) -> str | None:
        if not looked:
            looked.append(True)
            check_study(study_id=study.pk, now=NOW)
        return look(watched)

    entry = type(KINDS[0])("budget_spent", "x", meanwhile, "desk:pay")
    monkeypatch.setattr(checks, "KINDS", (entry,))
    assert check_study(study_id=study.pk, now=NOW) == []
    assert study.alerts.count() == 1


def test_alerts_of_kinds_that_are_no_more_end(study: Study) -> None:
    Alert.objects.create(study=study, kind="old", message="x", since=NOW)
    check_study(study_id=study.pk, now=NOW)
    assert "old" not in open_kinds(study)


def test_open_studies_and_those_with_open_alerts_or_judges_are_watched(study: Study) -> None:
    drafts = [make_study(f"d{n}", state=Study.State.DRAFT) for n in range(3)]
    make_study("copy", tryout_of=study)
    Alert.objects.create(study=drafts[0], kind="judges", message="x", since=NOW)
    judge_run(drafts[1], state=JudgeRun.State.RUNNING)
    assert studies_to_watch(NOW) == [study.pk, drafts[0].pk, drafts[1].pk]


def test_a_study_that_fails_stops_no_other(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is looked at in a task of its own."""
    from alerts import tasks

    other, sent = make_study("other"), []
    monkeypatch.setattr(tasks.check_alerts, "apply_async", lambda args, **_: sent.append(args[0]))
    assert tasks.watch_studies() == 2
    assert sent == [study.pk, other.pk]


def test_a_check_takes_few_queries(study: Study, django_assert_max_num_queries: Any) -> None:
    for _ in range(2):
        submitted(study, seconds=400)
    budget(study, "100.00")
    with django_assert_max_num_queries(30):
        check_study(study_id=study.pk, now=NOW)
