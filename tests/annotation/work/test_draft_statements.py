"""The statements written by hand, held to what the ORM reads."""

import pytest
from django.utils import timezone

from annotation.models import Assignment, Draft
from annotation.queries.batches import (
    draft_in,
    question_in,
    questions_at,
    questions_in_full,
    questions_of,
)
from annotation.queries.compiled import ask_together
from annotation.work.drafts import open_draft, save_over
from tests.annotation.workers import answer_step, lease, newcomer, step_at
from tests.cast import make_study

pytestmark = pytest.mark.django_db
COLUMNS = [field.attname for field in Draft._meta.concrete_fields]


@pytest.fixture
def batch() -> Assignment:
    return lease(newcomer(make_study(sources=3, per_batch=3)))


@pytest.fixture
def draft(batch: Assignment) -> Draft:
    opened = open_draft(batch, step_at(batch).question_id, timezone.now())
    assert opened is not None
    return opened


def typed(draft: Draft) -> Draft:
    draft.posted, draft.complete = {"sentences": ["0"]}, True
    draft.saved_at, draft.active_seconds = timezone.now(), 2.5
    return draft


def stored(draft: Draft) -> dict[str, object]:
    row: dict[str, object] = Draft.objects.values(*COLUMNS).get(pk=draft.pk)
    return row


def test_a_draft_is_opened_once_and_stored_as_it_says(batch: Assignment, draft: Draft) -> None:
    assert stored(draft) == {name: getattr(draft, name) for name in COLUMNS}
    assert not draft._state.adding
    assert open_draft(batch, draft.question_id, timezone.now()) is None
    assert batch.drafts.count() == 1


def test_a_save_over_the_version_that_was_read_is_stored(draft: Draft) -> None:
    assert save_over(typed(draft), 0)
    assert stored(draft) == {name: getattr(draft, name) for name in COLUMNS} | {"revision": 1}


@pytest.mark.both_databases
@pytest.mark.parametrize("change", ["revision", "frozen", "submitted", "returned"])
def test_nothing_is_saved_over_what_has_changed_meanwhile(
    batch: Assignment, draft: Draft, change: str
) -> None:
    now = timezone.now()
    if change == "revision":
        Draft.objects.update(revision=1)
    elif change == "frozen":
        Draft.objects.update(frozen_at=now)
    else:
        at = now if change == "submitted" else None
        Assignment.objects.update(state=change, submitted_at=at)
    before = stored(draft)
    assert not save_over(typed(draft), 0)
    assert stored(draft) == before


def test_a_batch_that_ran_out_is_saved_all_the_same(draft: Draft) -> None:
    Assignment.objects.update(state=Assignment.State.EXPIRED)
    assert save_over(typed(draft), 0)


def test_the_rows_of_a_batch_hold_its_questions_and_drafts(batch: Assignment) -> None:
    for position in (1, 2):
        answer_step(step_at(batch, position))
    _batch, some = ask_together(*questions_at(batch.public_id, position=2, alone=False))
    _batch, alone = ask_together(*questions_at(batch.public_id, position=2, alone=True))
    assert alone == [row for row in some if row.position == 2]
    assert [row.payload is None for row in some] == [row.position != 2 for row in some]
    full = questions_in_full(batch.public_id)
    assert [row.question for row in questions_of(batch.public_id)] == [row.question for row in full]
    assert [row.question for row in full] == [row.question for row in some]
    for row in (*some, *full):
        question, draft = question_in(row, batch), draft_in(row, batch)
        usual = type(question).objects.select_related("block").get(pk=row.question)
        assert question.typed_payload == usual.typed_payload
        assert question.reference == usual.reference
        assert question.block.typed_options == usual.block.typed_options
        assert (draft and draft.posted) == batch.drafts.filter(question=row.question).values_list(
            "posted", flat=True
        ).first()
        if draft is not None:
            assert stored(draft) == {name: getattr(draft, name) for name in COLUMNS}
