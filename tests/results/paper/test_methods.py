"""The paragraph on methods says what is known, and nothing else."""

from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.models import Annotation, Study
from estimates.data.options import Options
from estimates.report.cache import report_of
from judges.models import JudgeRun
from results.paper.methods import methods_of
from tests.annotation.workers import POSTED, newcomer
from tests.desk.worker_records.batches import took, work_through
from tests.results.two_judges import import_two_judges

pytestmark = pytest.mark.django_db


def text_of(study: Study, options: Options | None = None) -> str:
    study.refresh_from_db()
    return methods_of(report_of(study, options)).as_text


@pytest.fixture
def worked(study: Study) -> Study:
    """A person did one batch of two units in half an hour, for 1.00 and 0.50 USD."""
    study.recruitment = {"panel": "prolific"}
    study.save()
    person = newcomer(study)
    took(work_through(person, lambda _unit: POSTED), minutes=30)
    return study


def test_it_names_people_units_panel_consent_and_pay(worked: Study) -> None:
    text = text_of(worked)
    assert "1 person gave 4 answers to 2 units of 2 sources" in text
    assert "Each unit was answered by 1 person; 2 were wanted." in text
    assert "1 person came through Prolific and answered on " in text
    assert "Ethics board: Example board, reference E-1." in text
    assert "The minimum age was 18." in text
    # 1.50 USD in half an hour.
    assert "Pay per hour was 3.00 USD in the median" in text
    assert "pays 1.00 USD a batch and 0.50 USD as a bonus" in text


def test_what_is_unknown_is_left_out(worked: Study) -> None:
    worked.ethics = {}
    worked.recruitment = {}
    worked.save()
    text = text_of(worked)
    for unsaid in ("Ethics board", "minimum age", "Prolific", "None", "comprehension"):
        assert unsaid not in text


def test_no_hourly_pay_is_given_where_people_took_no_time_to_speak_of(study: Study) -> None:
    """A batch of two units in 20 seconds where 10 minutes are expected: 1.50 USD make 270 an
    hour."""
    study.rounds.update(expected_minutes=10)
    took(work_through(newcomer(study), lambda _unit: POSTED), minutes=1 / 3, active=[5] * 4)
    text = text_of(study)
    assert "USD in the median" not in text
    assert "1 of 1 person took less than 25 % of the expected time." in text
    assert "Pay per hour is not given: people took too little time to tell." in text


def test_an_empty_study_claims_no_people(study: Study) -> None:
    text = text_of(study)
    assert "gave" not in text
    assert "Pay per hour" not in text
    assert "Agreement is" not in text


def test_rules_and_exclusions_are_counted(worked: Study) -> None:
    worked.rounds.update(positive_per_batch=1, pass_accuracy=0.8, keep_accuracy=0.5, min_controls=4)
    worked.comprehension = [{}, {}]
    worked.save()
    answer = Annotation.objects.filter(study=worked).order_by("pk")[0]
    Annotation.objects.filter(pk=answer.pk).update(excluded_reason="careless, said Ada")
    Study.objects.filter(pk=worked.pk).update(revision=50)
    text = text_of(worked)
    assert "A batch of the round “main” has 2 units and 1 positive control" in text
    assert "is passed from 80 % of right controls; is left below 50 % of right controls" in text
    assert "Before the first batch came 2 comprehension questions (2 tries)." in text
    assert "People’s answers that are not counted: 1 excluded on review." in text
    assert "Ada" not in text
    assert "excluded on review" not in text_of(worked, Options(excluded=True))


def test_a_judge_is_named_with_version_method_and_prompt(study: Study) -> None:
    call_command("judge", study.slug, "lexical", "--wait", verbosity=0)
    run = JudgeRun.objects.get()
    run.judge.model, run.judge.backend = "some-model", "chat"
    run.judge.parameters = {"temperature": 0.5}
    run.judge.save()
    run.prompts = {"recovery": {"hash": "0123456789abcdef", "text": "…"}}
    run.save()
    text = text_of(study)
    assert (
        "lexical (version 1) judged by the method “Shared words” with the model some-model" in text
    )
    assert "temperature 0.5" in text
    assert "SHA-256 of the prompt 0123456789ab…" in text
    assert f"program {run.code_version}" in text


def test_statistics_are_those_that_have_values(db: None, tmp_path: Path) -> None:
    methods = methods_of(report_of(import_two_judges(tmp_path)))
    text = methods.as_text
    assert "3 people gave 600 answers to 200 units of 200 sources." in text
    assert "Answers of 2 judges were imported: balanced and lenient." in text
    assert "Agreement is Krippendorff’s α with the nominal distance." in text
    assert "Intervals (95 %) are by the jackknife over sources" in text
    assert "alternative annotator test (ε = 0.1;" in text
    assert "Two systems" not in text
    assert {"mackinnon2023", "krippendorff2011", "calderon2025", "wilson1927"} <= set(methods.keys)
    assert not {"nemenyi1963", "holm1979", "jaccard1912"} & set(methods.keys)


def test_without_intervals_none_are_described(db: None, tmp_path: Path) -> None:
    text = methods_of(report_of(import_two_judges(tmp_path), Options(resamples=0))).as_text
    assert "jackknife" not in text


def test_only_the_chosen_people_are_counted(answered: Study) -> None:
    assert "1 person gave" in text_of(answered, Options(only="ada"))
    assert "2 people gave" in text_of(answered)


def test_a_published_study_has_no_people_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "paper.csv"
    file.write_text("study,system,rater,metric,value\npaper,A,all,mean_rank,1.5\n")
    call_command("import_study", "summary", str(file), slug="paper", verbosity=0)
    text = text_of(Study.objects.get(slug="paper"))
    assert "Asked about" not in text
    assert "gave" not in text
