"""What people write beside their answers: kept like the answer, erased with them, never scored."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Annotation, Draft, Rating, Study
from annotation.rights.erasure import erase_worker
from annotation.rights.retention import erase_expired
from annotation.rights.stored_data import stored_about
from annotation.rights.withdrawal import take_back, withdraw
from annotation.work.submission import Incomplete, submit
from estimates.report.cache import report_of
from tests.annotation.workers import POSTED, answer_all, answer_step, lease, newcomer, step_at
from tests.cast import make_study

pytestmark = pytest.mark.django_db
ASKED = {"question": "Why?", "kind": "reason", "asked_of": "people", "longest": 100}


@pytest.fixture
def study() -> Study:
    return make_study(free_text={**ASKED, "required": False})


def written(study: Study, text: str = "So it says.") -> Annotation:
    """The answer of somebody new beside which a text stands."""
    batch = lease(newcomer(study))
    step = step_at(batch)
    answer_step(step, POSTED["citation_recovery"] | {"free_text": [text]})
    submit(assignment=answer_all(batch), now=timezone.now())
    return Annotation.objects.get(assignment=batch, reasons__isnull=False)


def test_the_text_is_kept_with_the_draft_and_stored_with_the_answer(study: Study) -> None:
    batch = lease(newcomer(study))
    answer_step(step_at(batch), {"free_text": ["So it"]})
    draft = Draft.objects.get()
    assert (draft.posted, draft.complete) == ({"free_text": ["So it"]}, False)
    said = written(study)
    assert said.reasons == ["So it says."]
    assert said.answer == {"sentences": [0, 2]}
    assert Annotation.objects.filter(reasons__isnull=True).count() == 3


def test_only_a_text_that_is_needed_counts_for_being_answered(study: Study) -> None:
    Study.objects.update(free_text={**ASKED, "required": True})
    batch = lease(newcomer(study))
    step = step_at(batch)
    answer_step(step)
    assert not Draft.objects.get().complete
    answer_step(step_at(batch), POSTED["citation_recovery"] | {"free_text": ["So it says."]})
    assert Draft.objects.get().complete


def test_a_text_that_became_needed_meanwhile_is_asked_for_before_the_batch_is_stored(
    study: Study,
) -> None:
    batch = answer_all(lease(newcomer(study)))
    Study.objects.update(free_text={**ASKED, "required": True})
    with pytest.raises(Incomplete):
        submit(assignment=lease(batch.participation), now=timezone.now())


def test_a_study_that_asks_judges_alone_asks_people_nothing(study: Study) -> None:
    study.free_text = {**ASKED, "required": True, "asked_of": "judges"}
    study.save()
    answer_step(step_at(lease(newcomer(study))))
    assert Draft.objects.get().complete


def test_figures_do_not_know_the_texts(study: Study) -> None:
    first, second = written(study, "One thing."), written(study, "Quite another thing.")
    ratings = list(Rating.objects.filter(annotation=first).values_list("facet", "members"))
    assert ratings == list(Rating.objects.filter(annotation=second).values_list("facet", "members"))
    rows = [row.as_json() for row in report_of(study).rows]
    Annotation.objects.update(reasons=None)
    study.touch()
    study.refresh_from_db()
    assert [row.as_json() for row in report_of(study).rows] == rows
    alpha = [row for row in rows if row["metric"] == "krippendorff_alpha_jaccard"]
    assert [row["value"] for row in alpha if row["raters"] == "humans"][:1] != []


def test_the_text_is_in_the_persons_own_data_and_goes_and_comes_back_with_a_withdrawal(
    study: Study,
) -> None:
    said = written(study)
    assert said.assignment is not None
    person = said.assignment.participation
    (batch,) = stored_about(person)["batches"]
    assert [answer["reasons"] for answer in batch["answers"]].count(["So it says."]) == 1
    withdraw(participation=person, now=timezone.now())
    assert not Annotation.objects.filter(reasons__isnull=False).exists()
    take_back(participation=person, now=timezone.now())
    said.refresh_from_db()
    assert said.reasons == ["So it says."]


def test_the_text_is_erased_with_the_person_and_when_its_time_is_over(study: Study) -> None:
    said, other = written(study), written(study)
    assert said.assignment is not None
    erase_worker(worker=said.assignment.participation.worker, now=timezone.now())
    assert list(Annotation.objects.filter(reasons__isnull=False)) == [other]
    erased = erase_expired(now=timezone.now() + timedelta(days=366))
    assert erased.texts == 1
    assert not Annotation.objects.filter(reasons__isnull=False).exists()
    assert Annotation.objects.exclude(answer={}).count() == 8
