"""The overview follows a study: progress, pace, who is at work, controls, money."""

import re
from datetime import timedelta
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.cache import cache
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from annotation.models import Assignment, Draft, Member, Participation, Place, Study, User
from annotation.rounds.opening import pause_study
from annotation.work.submission import submit
from desk.monitoring.overview import groups
from desk.monitoring.overview.control_rate import control_rate
from desk.monitoring.overview.figures import bars, histogram
from desk.monitoring.overview.pace import HOURS, Pace, recent_pace
from desk.monitoring.overview.presence import who_is_at_work
from desk.monitoring.overview.progress import (
    progress_by_round,
    progress_by_subset,
    progress_by_system,
)
from tests.annotation.workers import answer_all, answer_step, lease, newcomer, step_at
from tests.cast import join, make_study, make_user
from tests.sessions import as_user

pytestmark = pytest.mark.django_db


def work(study: Study, person: Participation | None = None) -> Assignment:
    batch = answer_all(lease(person or newcomer(study)))
    submit(assignment=batch, now=timezone.now())
    return batch


def address(study: Study) -> str:
    return reverse("desk:study", args=[study.slug])


def test_progress_counts_answers_units_and_units_by_their_answers(study: Study) -> None:
    """Three units that want two answers each; one batch of two was submitted, one is open."""
    work(study)
    lease(newcomer(study))
    (progress,) = progress_by_round(study)
    assert (progress.counted, progress.wanted, progress.held) == (2, 6, 2)
    assert (progress.units, progress.complete, progress.missing) == (3, 0, 4)
    assert progress.by_answers == {0: 1, 1: 2}
    assert [(column.answers, column.units) for column in histogram(progress)] == [
        (0, 1),
        (1, 2),
        (2, 0),
    ]


def test_progress_is_told_by_subset_and_by_system(study: Study) -> None:
    work(study)
    study.subsets.get(name="full").units.set(study.units.all()[:1])
    by_subset = {group.name: (group.units, group.wanted) for group in progress_by_subset(study)}
    assert by_subset == {"sample": (3, 6), "full": (1, 2)}
    by_system = progress_by_system(study)
    assert {group.name: group.units for group in by_system} == {"Alder": 1, "Birch": 2}
    assert sum(group.counted for group in by_system) == 2


def test_a_page_says_how_many_groups_it_leaves_out(
    study: Study, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(groups, "MOST", 1)
    page = as_user(owner).get(address(study)).text
    assert ("Alder" in page, "Birch" in page) == (True, False)
    assert page.count("1 more is at least as far along.") == 2


def test_groups_that_take_long_to_count_are_kept_for_longer(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[float] = []
    monkeypatch.setattr(cache, "set", lambda _key, _groups, seconds: kept.append(seconds))
    clock = iter((0.0, 0.5, 10.0, 20.0))
    monkeypatch.setattr(groups, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    for _ in range(2):
        groups.groups_of(study, groups.LARGE)
    assert kept == [groups.KEPT, 10 * groups.PART]


def test_the_end_is_expected_at_the_pace_of_the_last_day(study: Study) -> None:
    """12 units in 6 hours are 2 an hour: 10 more take 5 hours."""
    now = timezone.now()
    pace = Pace([0] * 18 + [2] * 6, now - timedelta(hours=6), now)
    assert pace.rate == 2
    assert pace.end(10) == now + timedelta(hours=5)
    assert pace.end(0) is None
    assert Pace([0] * HOURS, now, now).end(10) is None


def test_the_pace_leaves_controls_and_older_batches_out(owner: User) -> None:
    study = make_study("paced", sources=6, positive=2, per_batch=2, overlap=2)
    old, new = work(study), work(study)
    two_days_ago = timezone.now() - timedelta(days=2)
    Assignment.objects.filter(pk=old.pk).update(submitted_at=two_days_ago)
    pace = recent_pace(study, timezone.now())
    assert new.assignment_units.count() == 3
    assert (pace.total, pace.per_hour[-1]) == (2, 2)


def test_what_was_answered_in_excluded_batches_is_no_pace_and_is_said(owner: User) -> None:
    study = make_study("paced", sources=6, per_batch=2, overlap=2)
    join(study, owner, Member.Role.OWNER)
    work(study)
    batch = work(study)
    Assignment.objects.filter(pk=batch.pk).update(verdict=Assignment.Verdict.EXCLUDED)
    pace = recent_pace(study, timezone.now())
    assert (pace.total, pace.excluded) == (2, 2)
    page = as_user(owner).get(address(study)).content.decode()
    assert "2 units answered in the last 24 hours do not count" in page


def test_bars_are_as_high_as_their_share_of_the_highest() -> None:
    paths = [bar.path for bar in bars([0, 1, 2], ["a", "b", "c"])]
    assert len(paths) == 2
    assert "V28.0H" in paths[0]
    assert "V0.0H" in paths[1]


def test_who_is_at_work_is_told_with_how_far_they_are_and_how_long_they_have(study: Study) -> None:
    soon, late, gone = (lease(newcomer(study)) for _ in range(3))
    answer_step(step_at(soon))
    now = timezone.now()
    Assignment.objects.filter(pk=soon.pk).update(
        lease_until=now + timedelta(minutes=5, seconds=1), leased_at=now - timedelta(minutes=55)
    )
    Assignment.objects.filter(pk=gone.pk).update(lease_until=now - timedelta(minutes=1))
    at_work = who_is_at_work(study, 2, now)
    assert (at_work.n, at_work.n_ending, at_work.n_expired) == (2, 1, 1)
    first = at_work.people[0]
    assert first.participation == soon.participation
    assert (first.answered, first.questions) == (1, 2 * soon.assignment_units.count())
    assert (first.minutes, first.minutes_left, first.is_about_to_end) == (55, 5, True)
    assert first.last_seen == Draft.objects.get(complete=True).saved_at
    assert at_work.people[1].participation == late.participation


def test_controls_are_counted_over_the_latest_batches(owner: User) -> None:
    """`answer_all` answers the positive control right."""
    study = make_study("checked", sources=6, positive=3, per_batch=2, overlap=3)
    assert control_rate(study) is None
    for _ in range(2):
        work(study)
    rate = control_rate(study)
    assert rate is not None
    assert (rate.score.right, rate.score.met) == (2, 2)
    assert len(rate.steps) == 1


def test_htmx_gets_the_part_that_changes_and_another_state_reloads_the_page(
    study: Study, owner: User
) -> None:
    client = as_user(owner)
    page = client.get(address(study)).content.decode()
    assert f'hx-get="{address(study)}?state=open"' in page
    part = client.get(f"{address(study)}?state=open", headers={"HX-Request": "true"})
    assert part.content.decode().lstrip().startswith('<div id="live"')
    assert "HX-Refresh" not in part.headers
    pause_study(study=study, by=owner, now=timezone.now())
    again = client.get(f"{address(study)}?state=open", headers={"HX-Request": "true"})
    assert again.headers["HX-Refresh"] == "true"


@pytest.mark.parametrize("role", Member.Role)
def test_each_role_reads_what_is_meant_for_it(study: Study, role: Member.Role) -> None:
    user = make_user("reader")
    join(study, user, role)
    work(study)
    at_work = lease(newcomer(study))
    page = as_user(user).get(address(study)).content.decode()
    sees = role.may(Member.Role.REVIEWER)
    assert (at_work.participation.pseudonym in page) == sees
    assert ("Spent, USD" in page) == sees
    assert (reverse("desk:pause", args=[study.slug]) in page) == (role == Member.Role.OWNER)


def test_one_button_stands_out_in_each_state(study: Study, owner: User) -> None:
    client = as_user(owner)

    def primary() -> list[str]:
        page = client.get(address(study)).content.decode()
        return re.findall(r'class="button"[^>]*>([^<]+)<', page)

    # An open study lacks answers until they are all there: people first, pausing is the exception.
    assert primary() == ["Invite people"]
    Place.objects.exclude(wanted=None).update(counted=F("wanted"))
    assert primary() == ["Look at the results"]
    client.post(reverse("desk:pause", args=[study.slug]))
    assert primary() == ["Resume"]
    client.post(reverse("desk:resume", args=[study.slug]))
    client.post(reverse("desk:close", args=[study.slug]))
    assert primary() == ["Look at the results"]
    Study.objects.update(state=Study.State.DRAFT)
    assert primary() == ["Open the study"]
    Study.objects.update(consent_text="")
    assert primary() == ["Try it as a worker"]


@pytest.mark.parametrize(("token", "first"), [("t", "Recruit on Prolific"), ("", "Invite people")])
def test_a_study_recruits_the_way_of_its_panel(
    study: Study, owner: User, monkeypatch: pytest.MonkeyPatch, token: str, first: str
) -> None:
    """Without a token for Prolific its link is entered there by hand."""
    monkeypatch.setenv("PROLIFIC_TOKEN", token)
    Study.objects.update(recruitment={"panel": "prolific"})
    page = as_user(owner).get(address(study)).content.decode()
    assert re.findall(r'<a class="button"[^>]*>([^<]+)<', page) == [first]


@pytest.mark.parametrize("name", ["pause", "resume", "archive", "unarchive", "delete"])
def test_only_owners_change_the_state(
    study: Study, outsider: User, colleague: User, name: str
) -> None:
    button = reverse(f"desk:{name}", args=[study.slug])
    editor = make_user("editor")
    join(study, editor, Member.Role.EDITOR)
    assert as_user(outsider).post(button).status_code == 404
    assert as_user(colleague).post(button).status_code == 403
    assert as_user(editor).post(button).status_code == 403
    assert as_user(editor).get(button).status_code == 405
    assert Study.objects.filter(pk=study.pk, paused_at=None, archived_at=None).exists()


def test_money_is_told_as_paid_and_owed_and_beside_a_budget(study: Study, owner: User) -> None:
    batch = work(study)
    batch.ledger.filter(kind="base").update(exported_at=timezone.now())
    Study.objects.update(budget={"amount": "10.00", "warn_at": 0.8, "pause": False})
    shown: Any = as_user(owner).get(address(study)).context["shown"]
    (sums,) = shown.money
    assert (sums.paid, sums.owed) == (Decimal("1.00"), Decimal("0.50"))
    assert (shown.budget.spent, shown.budget.percent) == (Decimal("1.50"), 15)
