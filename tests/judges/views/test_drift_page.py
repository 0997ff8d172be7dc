"""A judge's section about drift: what it says, and who may press what."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Member, Study, Unit, User
from judges.definitions.raters import rater_of
from judges.models import Judge, JudgeRun, ProbeSet
from tests.cast import join
from tests.judges.probing import asked_again, begun, keys_of, study_of
from tests.judges.scripted_judges import scripted_judge, work_all
from tests.sessions import as_user

pytestmark = pytest.mark.django_db
BUTTONS = ("fix-probes", "ask-again", "schedule-probes")
WANTED = {"size": "50", "subset": "", "every_days": "0"}


@pytest.fixture
def probed(owner: User, colleague: User) -> Study:
    study = study_of(12)
    join(study, owner, Member.Role.OWNER)
    join(study, colleague, Member.Role.VIEWER)
    return study


def address(study: Study, judge: Judge, name: str = "judge") -> str:
    return reverse(f"judges:{name}", args=[study.slug, judge.name, judge.version])


def shown(study: Study, judge: Judge, user: User) -> str:
    page = as_user(user).get(address(study, judge))
    assert page.status_code == 200
    return page.content.decode()


def test_without_a_probe_set_there_is_one_button(
    probed: Study, owner: User, tmp_path: Path
) -> None:
    judge = scripted_judge(probed, tmp_path)
    probed.judge_runs.create(judge=judge, rater=rater_of(judge, probed))
    text = shown(probed, judge, owner)
    assert text.count("Fix a probe set and ask it twice") == 1
    assert "Ask again now" not in text
    reply = as_user(owner).post(address(probed, judge, "fix-probes"), {**WANTED, "every_days": "7"})
    run = JudgeRun.objects.exclude(probe_set=None).get()
    assert reply["Location"] == reverse("judges:run", args=[probed.slug, run.pk])
    assert (run.replicates, run.probe_set.every_days) == (2, 7)  # type: ignore[union-attr]
    text = shown(probed, judge, owner)
    assert "is asking now" in text
    assert "Ask again now" not in text
    work_all(run)
    assert "Ask again now" in shown(probed, judge, owner)
    run_page = as_user(owner).get(reply["Location"]).content.decode()
    assert "probe set, not in results" in run_page


def test_drift_is_said_with_the_answers_that_changed(
    probed: Study, owner: User, tmp_path: Path
) -> None:
    judge = begun(probed, tmp_path)
    asked_again(probed, judge, tmp_path)
    text = shown(probed, judge, owner)
    assert "No drift found: 0% of the answers" in text
    assert "at look 1 every interval has a confidence of 98.48 %" in text
    asked_again(probed, judge, tmp_path, dict.fromkeys(keys_of(probed)[:9], 20))
    text = shown(probed, judge, owner)
    assert "Drift found: 75% of the answers" in text
    assert "9 answers changed since the first asking" in text
    unit = Unit.objects.get(key=keys_of(probed)[0])
    assert reverse("desk:unit", args=[probed.slug, unit.pk]) in text
    assert "utility: 70 →" in text
    assert "badge--bad" in text


def test_an_outsider_sees_nothing_and_a_viewer_presses_nothing(
    probed: Study, outsider: User, colleague: User, tmp_path: Path
) -> None:
    judge = begun(probed, tmp_path)
    assert as_user(outsider).get(address(probed, judge)).status_code == 404
    text = shown(probed, judge, colleague)
    assert "baseline, twice" in text
    for name in BUTTONS:
        assert address(probed, judge, name) not in text
        assert as_user(outsider).post(address(probed, judge, name)).status_code == 404
        assert as_user(colleague).post(address(probed, judge, name)).status_code == 403
    assert JudgeRun.objects.count() == 1


def test_the_page_takes_the_same_queries_however_many_askings(
    probed: Study, owner: User, tmp_path: Path, django_assert_num_queries: Any
) -> None:
    judge = begun(probed, tmp_path)
    asked_again(probed, judge, tmp_path, {keys_of(probed)[0]: 20})
    client = as_user(owner)
    client.get(address(probed, judge))
    with CaptureQueriesContext(connection) as before:
        client.get(address(probed, judge))
    for _ in range(3):
        asked_again(probed, judge, tmp_path, dict.fromkeys(keys_of(probed), 20))
    with django_assert_num_queries(len(before)):
        client.get(address(probed, judge))
    assert len(before) < 45


def test_what_is_refused_is_said_and_nothing_is_fixed(
    probed: Study, owner: User, tmp_path: Path
) -> None:
    judge = begun(probed, tmp_path)
    client = as_user(owner)
    wrong = client.post(address(probed, judge, "fix-probes"), {**WANTED, "size": "0"})
    assert wrong.status_code == 422
    Unit.objects.update(check_state=Unit.Check.RETIRED)
    refused = client.post(address(probed, judge, "fix-probes"), WANTED)
    assert refused.status_code == 422
    assert "no question for the judge" in refused.content.decode()
    assert ProbeSet.objects.count() == 1
    said = client.post(address(probed, judge, "ask-again"), follow=True).content.decode()
    assert "none of its units is left" in said


def test_askings_are_told_apart_from_runs_and_not_compared_like_them(
    probed: Study, owner: User, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judge = begun(probed, tmp_path)
    first, (second, _) = JudgeRun.objects.get(), asked_again(probed, judge, tmp_path)
    client = as_user(owner)
    listed = client.get(reverse("judges:runs", args=[probed.slug])).content.decode()
    assert listed.count("<td>probe set</td>") == 2
    assert f'<option value="{first.pk}"' not in listed
    page = reverse("judges:compare", args=[probed.slug])
    assert client.get(f"{page}?a={first.pk}&b={second.pk}").status_code == 404
    call_command("judge_runs", probed.slug)
    assert f"{second.pk}: parrot@1, a probe, complete" in capsys.readouterr().out
    with pytest.raises(CommandError, match="probe_judge"):
        call_command("judge_runs", probed.slug, "compare", str(first.pk), str(second.pk))
    overview = client.get(reverse("desk:study", args=[probed.slug])).content.decode()
    assert reverse("judges:run", args=[probed.slug, second.pk]) not in overview


def test_a_study_is_deleted_with_its_probes(probed: Study, tmp_path: Path) -> None:
    asked_again(probed, begun(probed, tmp_path), tmp_path)
    probed.delete()
    assert not ProbeSet.objects.exists()
    assert not JudgeRun.objects.exists()


def test_the_schedule_is_set_and_logged(probed: Study, owner: User, tmp_path: Path) -> None:
    judge = begun(probed, tmp_path)
    client, sent = as_user(owner), {"every_days": "14", "max_cost": "0.5"}
    for _ in range(2):
        client.post(address(probed, judge, "schedule-probes"), sent)
    assert probed.changes.filter(action="probes.scheduled", by=owner).count() == 1
    assert "It is asked again on" in shown(probed, judge, owner)
    wrong = client.post(
        address(probed, judge, "schedule-probes"), {"every_days": "-1"}, follow=True
    )
    assert "Check the form" in wrong.content.decode()
    assert ProbeSet.objects.get().every_days == 14
