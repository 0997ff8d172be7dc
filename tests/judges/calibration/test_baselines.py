"""The baselines of a study: fitted on people's answers, each half on those about the other one."""

from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from annotation.models import Annotation, Member, Question, Rater, Study, User
from annotation.rater_names import BASELINE
from jobs.models import Job, JobState
from jobs.runner import work
from judges.backends.contract import Unusable
from judges.calibration import NotCalibrated
from judges.calibration.baselines import make_baselines, newest_job
from judges.definitions.versions import BadJudge, define_judge
from judges.models import JudgeRun
from judges.runs.plans.plan import plan_run
from tasktypes.machines.fitted_parts import half_of
from tests.cast import join, make_study
from tests.judges.calibration.answers import people
from tests.judges.scripted_judges import ONE_BLOCK, work_all

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the extra with the models is not installed."""

    def refuse(*_about: Any) -> None:
        raise Unusable("torch is not installed")

    monkeypatch.setattr("judges.methods.baseline.features.open_embedder", refuse)


@pytest.fixture
def study() -> Study:
    return make_study(sources=8, blocks=ONE_BLOCK)


def by_name(study: Study) -> dict[str, Any]:
    return {
        judge.name.removeprefix(BASELINE): judge for judge in make_baselines(study=study).judges
    }


def test_without_answers_of_people_it_says_what_to_do_and_makes_nothing(study: Study) -> None:
    with pytest.raises(NotCalibrated, match=r"here people answered about 0\. Have people answer"):
        make_baselines(study=study)
    assert not study.judge_versions.exists()


def test_a_baseline_without_its_model_is_left_out_with_the_reason(study: Study) -> None:
    people(study, {"sentences": [0]})
    made = make_baselines(study=study)
    assert "baseline:embedding" in made.left_out
    assert "baseline:commonest" in [judge.name for judge in made.judges]


def test_the_same_answers_make_the_same_version_and_others_a_new_one(study: Study) -> None:
    people(study, {"sentences": [0]})
    first, again = by_name(study)["commonest"], by_name(study)["commonest"]
    assert (again.pk, again.version) == (first.pk, 1)
    people(study, {"sentences": [1]}, names=("cy", "di", "ed"))
    assert by_name(study)["commonest"].version == 2


def test_no_unit_is_answered_by_labels_of_its_own_half(study: Study) -> None:
    """People say 0 of one half of the sources and 1 of the other: each half gets the other's."""
    people(study, {"sentences": [0]})
    seed = by_name(study)["commonest"].parameters["fit"]["seed"]

    def by_half(question: Question) -> dict[str, Any]:
        return {"sentences": [half_of(seed, question.unit.source.key)]}

    Annotation.objects.all().delete()
    people(study, by_half)
    judge = by_name(study)["commonest"]
    assert work_all(plan_run(study=study, judge=judge, subset="full")).state == "complete"
    answers = Annotation.objects.filter(rater__kind=Rater.Kind.JUDGE).select_related(
        "question__unit__source"
    )
    assert answers.exists()
    for annotation in answers:
        half = half_of(seed, annotation.question.unit.source.key)
        assert annotation.answer == {"sentences": [1 - half]}


def test_only_baselines_have_names_of_baselines(study: Study) -> None:
    for name, method in (("baseline:mine", "lexical"), ("mine", "baseline")):
        with pytest.raises(BadJudge, match="name: of baseline:"):
            define_judge(study=study, name=name, method=method)


def test_the_command_makes_them_and_runs_them(
    study: Study, capsys: pytest.CaptureFixture[str]
) -> None:
    people(study, {"sentences": [0]})
    call_command("judge", study.slug, baselines=True, wait=True)
    out, err = capsys.readouterr()
    assert "baseline:commonest@1: complete" in out
    assert "baseline:embedding is left out" in err
    assert JudgeRun.objects.filter(study=study, state=JudgeRun.State.COMPLETE).exists()


def test_the_command_asks_for_a_judge(study: Study) -> None:
    with pytest.raises(CommandError, match="name a judge, or give --baselines"):
        call_command("judge", study.slug)


def test_one_click_makes_them_and_plans_their_runs(
    study: Study, client: Client, colleague: User
) -> None:
    people(study, {"sentences": [0]})
    join(study, colleague, Member.Role.EDITOR)
    client.force_login(colleague)
    page = client.post(reverse("judges:baselines", args=[study.slug]), follow=True)
    assert "The baselines are being fitted" in page.content.decode()
    job = newest_job(study)
    assert job is not None
    assert work(job_id=job.pk)
    assert Job.objects.get(pk=job.pk).state == JobState.DONE
    names = set(study.judge_runs.values_list("judge__name", flat=True))
    assert {"baseline:commonest", "baseline:random"} <= names


def test_the_page_of_a_baseline_says_what_it_was_fitted_on(
    study: Study, client: Client, colleague: User
) -> None:
    people(study, {"sentences": [0]})
    join(study, colleague, Member.Role.VIEWER)
    judge = by_name(study)["commonest"]
    client.force_login(colleague)
    address = reverse("judges:judge", args=[study.slug, judge.name, judge.version])
    page = client.get(address).content.decode()
    assert "What it was fitted on" in page
    assert "The answers of 2 people." in page
    assert "threshold comes from" not in page


def test_one_click_without_answers_says_what_to_do(
    study: Study, client: Client, colleague: User
) -> None:
    join(study, colleague, Member.Role.EDITOR)
    client.force_login(colleague)
    page = client.post(reverse("judges:baselines", args=[study.slug]), follow=True)
    assert "Have people answer, or import their answers" in page.content.decode()
    assert newest_job(study) is None


def test_a_reviewer_adds_no_baselines(study: Study, client: Client, colleague: User) -> None:
    join(study, colleague, Member.Role.REVIEWER)
    client.force_login(colleague)
    assert client.post(reverse("judges:baselines", args=[study.slug])).status_code == 403
