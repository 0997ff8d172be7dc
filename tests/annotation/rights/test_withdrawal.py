import json
from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from annotation.models import (
    AdjudicationCase,
    Annotation,
    Assignment,
    AssignmentUnit,
    Consent,
    Draft,
    GoldAnswer,
    LedgerRow,
    PanelDecision,
    PanelStudy,
    PanelSubmission,
    Participation,
    Rater,
    Rating,
    Review,
    StateChange,
    Study,
    Unit,
    User,
    Withdrawal,
    Worker,
)
from annotation.models.links import UNREADABLE
from annotation.models.tombstones import tombstone
from annotation.rights.erasure import erase_worker, is_owed
from annotation.rights.gold import SINCE_WITHDRAWN
from annotation.rights.retention import erase_expired
from annotation.rights.stored_data import stored_about
from annotation.rights.withdrawal import erase_due, erase_now, take_back, withdraw
from annotation.tasks import erase_withdrawn
from annotation.work.exclusion import include_answers
from annotation.work.qualification import change_state, remove_worker
from annotation.work.review import exclude
from annotation.work.submission import submit
from desk.data.adjudication.decisions import Stale, save_case, start_from
from desk.data.adjudication.queue import take_case
from estimates.data.database import from_database
from exports.tables.gold import gold_lines
from tests.annotation.workers import answer_all, counts, lease, newcomer
from tests.cast import make_study

pytestmark = pytest.mark.django_db

State = Participation.State


@pytest.fixture
def study() -> Study:
    return make_study()


def worked(study: Study) -> tuple[Participation, Assignment]:
    """Somebody who has submitted a batch."""
    person = newcomer(study)
    return person, submit(assignment=answer_all(lease(person)), now=timezone.now())


def erase(person: Participation) -> bool:
    return erase_now(participation=person, now=timezone.now())


def pay_out(study: Study) -> None:
    LedgerRow.objects.filter(participation__study=study).update(exported_at=timezone.now())


def test_erasing_takes_answers_and_words_and_leaves_pay_and_a_tombstone(
    study: Study,
) -> None:
    person, batch = worked(study)
    Assignment.objects.update(comment="my own words", feedback="to me")
    AssignmentUnit.objects.update(problem="my own words")
    assert erase(person)
    answers = Annotation.objects.filter(assignment=batch)
    assert answers.count() == 4
    assert all(one.answer == {} and one.withdrawn_at for one in answers)
    assert not Rating.objects.exists()
    assert not Draft.objects.exists()
    batch.refresh_from_db()
    assert (batch.comment, batch.feedback, batch.state) == ("", "", "submitted")
    assert not AssignmentUnit.objects.exclude(problem="").exists()
    assert LedgerRow.objects.count() == 2
    assert Consent.objects.count() == 1
    person.refresh_from_db()
    assert person.state == State.WITHDRAWN


def test_what_was_written_about_a_worker_goes_with_their_answers(study: Study, owner: User) -> None:
    person, batch = worked(study)
    about = "Writes that she is Jane from Leeds."
    exclude(assignments=[batch], reason=about, by=owner)
    remove_worker(participation=person, reason=about, by=owner)
    erase(person)
    assert set(Annotation.objects.values_list("excluded_reason", flat=True)) == {"withdrawn"}
    assert set(person.state_changes.values_list("reason", flat=True)) == {"", "withdrawn"}
    assert set(batch.reviews.values_list("reason", flat=True)) == {""}


def describe(person: Participation) -> None:
    Rater.objects.filter(participation=person).update(metadata={"language": "Sorbian"})
    Annotation.objects.filter(rater__participation=person).update(metadata={"place": "bus"})


def described(person: Participation) -> set[str]:
    """What files have told of somebody and beside their answers."""
    answers = Annotation.objects.filter(rater__participation=person)
    told = [*answers.values_list("metadata", flat=True), person.rater.metadata]
    return {str(value) for metadata in told for value in metadata.values()}


def test_what_files_told_of_somebody_goes_with_the_answers_and_comes_back(study: Study) -> None:
    person, _batch = worked(study)
    describe(person)
    withdraw(participation=person, now=timezone.now())
    person = Participation.objects.get()
    assert described(person) == set()
    assert "Sorbian" in json.dumps(stored_about(person), default=str)
    take_back(participation=person, now=timezone.now())
    assert described(Participation.objects.get()) == {"Sorbian", "bus"}
    assert stored_about(person)["participation"]["told_by_a_file"] == {"language": "Sorbian"}


def test_a_withdrawal_from_before_there_was_metadata_can_be_taken_back(study: Study) -> None:
    person, _batch = worked(study)
    withdraw(participation=person, now=timezone.now())
    kept = Withdrawal.objects.get()
    del kept.content["rater"]
    for _pk, row in kept.content["answer"]:
        del row["metadata"]
    kept.save()
    assert stored_about(Participation.objects.get())["withdrawn"]
    assert take_back(participation=person, now=timezone.now())


def test_the_erasure_of_identifiers_takes_what_files_told(study: Study) -> None:
    person, _batch = worked(study)
    describe(person)
    erase_worker(worker=person.worker, now=timezone.now())
    assert described(Participation.objects.get()) == set()


def test_the_places_of_withdrawn_answers_are_open_again(study: Study) -> None:
    person, _batch = worked(study)
    revision = Study.objects.get().revision
    assert sum(counted for _held, counted in counts(study)) == 2
    erase(person)
    assert set(counts(study)) == {(0, 0)}
    assert Study.objects.get().revision > revision


def test_an_open_batch_is_given_back_and_its_finished_part_paid(study: Study) -> None:
    person = newcomer(study)
    batch = answer_all(lease(person))
    erase(person)
    assert set(counts(study)) == {(0, 0)}
    batch.refresh_from_db()
    assert batch.state == Assignment.State.RETURNED
    assert [str(row.amount) for row in LedgerRow.objects.all()] == ["1.00"]


def test_withdrawing_twice_or_being_brought_back_changes_nothing(
    study: Study, owner: object
) -> None:
    person, batch = worked(study)
    assert erase(person)
    assert not erase(person)
    changed = change_state(
        participation=person,
        to=State.CONSENTED,
        reason="asked",
        by=owner,  # type: ignore[arg-type]
    )
    assert not changed
    assert include_answers(assignments=[batch]) == 0
    assert set(counts(study)) == {(0, 0)}
    assert person.state_changes.count() == 1


def test_whoever_has_left_can_still_withdraw(study: Study) -> None:
    person, _batch = worked(study)
    change_state(participation=person, to=State.LEFT, reason="left")
    assert erase(person)
    assert set(Annotation.objects.values_list("excluded_reason", flat=True)) == {"withdrawn"}


def test_another_workers_answers_stay(study: Study) -> None:
    person, _mine = worked(study)
    _other, theirs = worked(study)
    erase(person)
    kept = Annotation.objects.filter(assignment=theirs)
    assert kept.standing().count() == 4
    assert Rating.objects.filter(annotation__in=kept).exists()


def test_who_is_owed_nothing_is_erased_at_once(study: Study) -> None:
    person = newcomer(study)
    Participation.objects.update(panel_session={"session": "s-1"})
    old = person.worker
    erase(person)
    worker = Worker.objects.get()
    assert worker.erased_at is not None
    assert worker.external_id == tombstone(old.panel, old.external_id)
    assert Participation.objects.get().token == UNREADABLE
    assert Participation.objects.get().panel_session == {}


def test_the_panels_id_is_kept_until_the_pay_is_in_a_file(study: Study) -> None:
    person, _batch = worked(study)
    erase(person)
    erase_expired(now=timezone.now())
    assert Worker.objects.get().erased_at is None
    pay_out(study)
    assert erase_expired(now=timezone.now()).workers == 1
    assert Worker.objects.get().erased_at is not None
    assert erase_expired(now=timezone.now()).workers == 0


def test_what_a_later_payment_file_left_out_is_the_panels_to_pay(study: Study) -> None:
    person, _batch = worked(study)
    assert is_owed(person)
    other, _theirs = worked(study)
    LedgerRow.objects.filter(participation=other, kind="bonus").update(exported_at=timezone.now())
    assert is_owed(other) is False
    # The invited worker is of the same panel, and was there to be paid when the file was made.
    assert is_owed(person) is False
    LedgerRow.objects.filter(participation=person).update(
        created_at=timezone.now() + timedelta(seconds=1)
    )
    assert is_owed(person)


def test_another_study_keeps_the_identifiers_of_who_is_in_it(study: Study) -> None:
    person = newcomer(study)
    other = make_study("other")
    Participation.objects.create(study=other, worker=person.worker, number=1)
    erase(person)
    assert Worker.objects.get().erased_at is None
    erase(other.participations.get())
    assert Worker.objects.get().erased_at is not None


def test_what_a_panel_was_told_about_a_worker_goes_with_their_answers(study: Study) -> None:
    person, _batch = worked(study)
    pay_out(study)
    made = PanelStudy.objects.create(study=study, panel="prolific")
    submission = PanelSubmission.objects.create(
        panel_study=made, external_id="session-1", participation=person, status="REJECTED"
    )
    now = timezone.now()
    reject = PanelDecision.Kind.REJECT
    for state, ended_at in (("confirmed", now), ("sent", None)):
        submission.decisions.create(kind=reject, message="Of you", state=state, ended_at=ended_at)
    Participation.objects.update(panel_session={})
    assert erase(person)
    assert [row.message for row in submission.decisions.all()] == ["", "Of you"]
    submission.refresh_from_db()
    assert "session-1" not in submission.external_id


def test_a_panels_ids_go_with_a_withdrawal_also_where_no_session_is_stored(study: Study) -> None:
    person, _batch = worked(study)
    pay_out(study)
    other = newcomer(make_study("other"))
    Participation.objects.filter(pk=other.pk).update(worker=person.worker)
    made = PanelStudy.objects.create(study=study, panel="prolific")
    submission = PanelSubmission.objects.create(
        panel_study=made, external_id="session-1", participation=person, status="APPROVED"
    )
    assert erase(person)
    person.worker.refresh_from_db()
    assert person.worker.erased_at is None  # the other study needs them
    submission.refresh_from_db()
    assert "session-1" not in submission.external_id


def gold_of(annotation: Annotation, reason: str, **more: object) -> GoldAnswer:
    """A gold answer that repeats somebody's."""
    question = annotation.question
    return GoldAnswer.objects.create(
        study_id=question.study_id,
        question=question,
        answer=annotation.answer,
        reason=reason,
        **more,
    )


def test_gold_that_began_with_a_withdrawn_answer_stays_without_a_trace_of_the_person(
    study: Study,
) -> None:
    person, batch = worked(study)
    first, second, third = batch.annotations.order_by("pk")[:3]
    taken = gold_of(first, "As they chose.", begun_with=first)
    named = gold_of(second, f"Against {person.pseudonym}, who overlooked it.")
    own = gold_of(third, f"Plain, as {person.pseudonym}0 says, too.")
    control = Unit.objects.create(
        study=study,
        source=first.question.unit.source,
        key="copy",
        role=Unit.Role.POSITIVE,
        reasons=taken.reason,
        proposal={"made_from": first.question.unit.key},
    )
    decided = dict(taken.answer)
    assert erase(person)
    for gold in (taken, named, own, control):
        gold.refresh_from_db()
    assert (taken.answer, taken.reason, taken.begun_with) == (decided, SINCE_WITHDRAWN, None)
    assert named.reason == SINCE_WITHDRAWN
    assert own.reason.startswith("Plain")
    assert control.reasons == ""
    lines = list(gold_lines(study))
    assert SINCE_WITHDRAWN in lines[0]
    assert "they chose" not in "".join(lines)


def test_an_open_case_that_began_with_a_withdrawn_answer_begins_anew(
    study: Study, owner: User
) -> None:
    person, batch = worked(study)
    answer, other = batch.annotations.order_by("pk")[:2]
    case = AdjudicationCase.objects.create(study=study, question=answer.question, why="asked")
    untouched = AdjudicationCase.objects.create(
        study=study, question=other.question, why="asked", posted={"a": ["b"]}, reason="Mine."
    )
    now = timezone.now()
    take_case(case=case, by=owner, now=now)
    start_from(case=case, annotation=answer, by=owner, now=now)
    case.refresh_from_db()
    assert (case.begun_with, bool(case.posted)) == (answer, True)
    erase(person)
    kept = case.posted
    case.refresh_from_db()
    assert (case.begun_with, case.posted, case.is_open) == (None, {}, True)
    with pytest.raises(Stale):
        save_case(case=case, posted=kept, reason="", revision=1, by=owner, now=now)
    untouched.refresh_from_db()
    assert (untouched.posted, untouched.reason, untouched.revision) == ({"a": ["b"]}, "Mine.", 0)


# --- The hours in which it can be taken back ------------------------------------------------------

NOW = timezone.now()
LATER = timedelta(hours=23, minutes=59)
OVER = timedelta(hours=24)
WORDS = "my own words"


def everything(person: Participation) -> dict[str, list[object]]:
    """All rows about a person, but the keys of ratings, which are written anew."""
    of = {
        Annotation: "rater__participation",
        Rating: "annotation__rater__participation",
        Draft: "assignment__participation",
        Assignment: "participation",
        AssignmentUnit: "assignment__participation",
        Review: "assignment__participation",
        StateChange: "participation",
        LedgerRow: "participation",
        Participation: "pk",
    }
    rows: dict[str, list[object]] = {}
    for model, name in of.items():
        found = model._default_manager.filter(**{name: person.pk}).order_by("pk").values()
        rows[model.__name__] = [
            {key: value for key, value in row.items() if (model, key) != (Rating, "id")}
            for row in found
        ]
    empty = Annotation.objects.filter(paradata__isnull=True, reasons__isnull=True)
    rows["null"] = [*sorted(empty.values_list("pk"))]  # and not JSON's null
    return rows


def estimates(study: Study) -> object:
    found = from_database(study).ratings.items()
    return [(name, sorted(map(str, vars(ratings).items()))) for name, ratings in found]


def test_answers_leave_at_once_and_are_not_erased_before_the_time_is_over(study: Study) -> None:
    person, batch = worked(study)
    Assignment.objects.update(comment=WORDS)
    before = counts(study)
    assert withdraw(participation=person, now=NOW)
    answers = Annotation.objects.filter(assignment=batch)
    assert all(one.answer == {} and one.withdrawn_at for one in answers)
    assert not Rating.objects.exists()
    assert not answers.counted(excluded=True).exists()
    batch.refresh_from_db()
    assert batch.comment == ""
    assert counts(study) == before  # nobody else answers their units meanwhile
    assert erase_due(now=NOW + LATER) == 0
    assert WORDS in str(Withdrawal.objects.get().content)
    assert erase_due(now=NOW + OVER) == 1
    assert not Withdrawal.objects.exists()
    assert not Draft.objects.exists()
    assert set(answers.values_list("excluded_reason", flat=True)) == {"withdrawn"}
    assert set(counts(study)) == {(0, 0)}
    assert erase_due(now=NOW + OVER) == 0


def test_a_withdrawal_taken_back_leaves_everything_as_it_was(study: Study, owner: User) -> None:
    person, batch = worked(study)
    second = submit(assignment=answer_all(lease(person)), now=NOW)
    worked(study)
    exclude(assignments=[second], reason="Too fast, says Jane.", by=owner)
    Assignment.objects.update(comment=WORDS, feedback="to me")
    AssignmentUnit.objects.filter(assignment=batch).update(problem=WORDS)
    Annotation.objects.filter(assignment=batch).update(paradata={"pasted": 2})
    person.refresh_from_db()
    before, figures, places = everything(person), estimates(study), counts(study)
    revision = Study.objects.get().revision
    withdraw(participation=person, now=NOW)
    assert estimates(study) != figures
    assert WORDS not in str(everything(person))
    assert "Jane" not in str(everything(person))
    between = Study.objects.get().revision
    assert take_back(participation=person, now=NOW + LATER)
    assert everything(person) == before
    assert estimates(study) == figures
    assert counts(study) == places
    assert revision < between < Study.objects.get().revision
    assert not take_back(participation=person, now=NOW)
    assert withdraw(participation=person, now=NOW)  # once more


def test_what_was_written_since_the_withdrawal_stays_when_it_is_taken_back(study: Study) -> None:
    person, batch = worked(study)
    Assignment.objects.update(comment=WORDS, feedback="to me")
    withdraw(participation=person, now=NOW)
    Assignment.objects.filter(pk=batch.pk).update(feedback="We are sorry to see you go.")
    take_back(participation=person, now=NOW)
    batch.refresh_from_db()
    assert (batch.comment, batch.feedback) == (WORDS, "We are sorry to see you go.")


def test_nothing_is_taken_back_once_it_is_over_or_erased(study: Study) -> None:
    person, _batch = worked(study)
    withdraw(participation=person, now=NOW)
    assert not take_back(participation=person, now=NOW + OVER)
    assert erase(person)
    assert not take_back(participation=person, now=NOW)
    assert not erase(person)
    person.refresh_from_db()
    assert person.state == State.WITHDRAWN


def test_a_batch_that_a_withdrawal_closed_stays_closed_and_paid_once(study: Study) -> None:
    person = newcomer(study)
    batch = answer_all(lease(person))
    withdraw(participation=person, now=NOW)
    take_back(participation=person, now=NOW)
    batch.refresh_from_db()
    assert batch.state == Assignment.State.RETURNED
    assert batch.drafts.filter(complete=True).count() == 4
    assert [str(row.amount) for row in LedgerRow.objects.all()] == ["1.00"]
    assert lease(person) != batch


def test_whoever_had_left_has_left_again_after_taking_it_back(study: Study) -> None:
    person, _batch = worked(study)
    change_state(participation=person, to=State.LEFT, reason="left")
    withdraw(participation=person, now=NOW)
    take_back(participation=person, now=NOW)
    assert Participation.objects.get().state == person.state == State.LEFT
    assert person.state_changes.count() == 1


def test_identifiers_stay_as_long_as_a_withdrawal_can_be_taken_back(study: Study) -> None:
    person = newcomer(study)
    Participation.objects.update(panel_session={"session": "s-1"})
    withdraw(participation=person, now=NOW)
    assert erase_expired(now=NOW).workers == 0
    assert Worker.objects.get().erased_at is None
    assert Participation.objects.get().panel_session
    erase_due(now=NOW + OVER)
    assert Worker.objects.get().erased_at is not None
    assert Participation.objects.get().panel_session == {}


def test_a_retention_time_that_ends_erases_what_is_set_aside(study: Study) -> None:
    person, _batch = worked(study)
    pay_out(study)
    withdraw(participation=person, now=NOW)
    Study.objects.update(ethics={"retention_days": 1})
    old = NOW - timedelta(days=3)
    Participation.objects.update(arrived_at=old)
    person.consents.update(given_at=old)
    StateChange.objects.update(at=old)
    Assignment.objects.update(leased_at=old, submitted_at=old)
    Draft.objects.update(saved_at=old)
    assert erase_expired(now=NOW, dry_run=True).workers == 1
    assert Withdrawal.objects.exists()
    erase_expired(now=NOW)
    assert not Withdrawal.objects.exists()
    assert Worker.objects.get().erased_at is not None


def test_with_no_time_to_take_it_back_a_withdrawal_erases(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "WITHDRAWAL_HOURS", 0)
    person, _batch = worked(study)
    assert withdraw(participation=person, now=NOW)
    assert not Withdrawal.objects.exists()
    assert set(counts(study)) == {(0, 0)}


def test_beat_erases_more_often_than_hourly() -> None:
    schedule = settings.CELERY_BEAT_SCHEDULE["erase-withdrawn"]
    assert schedule["task"] == erase_withdrawn.name
    assert schedule["schedule"] <= 3600
