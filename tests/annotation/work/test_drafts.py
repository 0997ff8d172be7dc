import pytest
from django.utils import timezone

from annotation.models import Assignment, Draft
from annotation.rights.withdrawal import leave
from annotation.work.drafts import (
    Frozen,
    NotYet,
    StaleDraft,
    TooLong,
    answer_form,
    save_draft,
    show_question,
)
from annotation.work.leases import NotActive
from annotation.work.submission import submit
from tests.annotation.workers import (
    NONE,
    POSTED,
    RECOVERY,
    SLIDER,
    answer_all,
    answer_step,
    lease,
    newcomer,
    step_at,
)
from tests.cast import make_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def batch() -> Assignment:
    return lease(newcomer(make_study()))


def save(batch: Assignment, posted: dict[str, list[str]], revision: int, part: int = 1) -> Draft:
    question = step_at(batch, 1, part).question
    return save_draft(assignment=batch, question=question, posted=posted, revision=revision)


def test_what_is_typed_is_kept_as_posted_finished_or_not(batch: Assignment) -> None:
    contradiction = {"sentences": ["0"], "none": ["on"]}
    draft = save(batch, contradiction, 0)
    assert (draft.posted, draft.complete, draft.revision) == (contradiction, False, 1)
    draft = save(batch, NONE, 1)
    assert (draft.posted, draft.complete, draft.revision) == (NONE, True, 2)


def test_a_draft_fills_its_form_again(batch: Assignment) -> None:
    draft = save(batch, {"sentences": ["2"]}, 0)
    form = answer_form(step_at(batch).question, draft.posted)
    assert form.is_valid()
    assert form.answer().sentences == (2,)


def test_only_the_fields_of_the_form_are_kept(batch: Assignment) -> None:
    assert save(batch, {**NONE, "role": ["positive"], "revision": ["9"]}, 0).posted == NONE


def test_a_flood_is_refused(batch: Assignment) -> None:
    with pytest.raises(TooLong):
        save(batch, {"sentences": ["0"] * 100_000}, 0)


def test_a_stale_form_overwrites_nothing_and_is_shown_what_was_saved(batch: Assignment) -> None:
    save(batch, {"sentences": ["0"]}, 0)
    with pytest.raises(StaleDraft) as stale:
        save(batch, {"sentences": ["2"]}, 0)
    assert stale.value.draft.posted == {"sentences": ["0"]}
    assert batch.drafts.get().posted == {"sentences": ["0"]}


def test_a_replayed_post_is_harmless(batch: Assignment) -> None:
    for _ in range(3):
        assert save(batch, NONE, 0).revision == 1


def test_the_second_question_of_a_unit_opens_when_the_first_is_answered(
    batch: Assignment,
) -> None:
    with pytest.raises(NotYet) as too_early:
        show_question(step=step_at(batch, 1, 2), now=timezone.now())
    assert too_early.value.first.part == 1
    answer_step(step_at(batch))
    assert show_question(step=step_at(batch, 1, 2), now=timezone.now()).revision == 0


def test_an_answer_is_frozen_once_a_later_page_has_given_it_away(batch: Assignment) -> None:
    answer_step(step_at(batch))
    now = timezone.now()
    show_question(step=step_at(batch, 1, 2), now=now)
    assert batch.drafts.get(question__block__key=RECOVERY).frozen_at == now
    with pytest.raises(Frozen):
        save(batch, NONE, 1)
    assert save(batch, POSTED[RECOVERY], 1).revision == 1  # a replay changes nothing


def test_freezing_one_unit_leaves_the_others_open(batch: Assignment) -> None:
    for position in (1, 2):
        answer_step(step_at(batch, position))
    show_question(step=step_at(batch, 1, 2), now=timezone.now())
    assert batch.drafts.get(question=step_at(batch, 2).question).frozen_at is None


def test_what_conceals_nothing_is_never_frozen() -> None:
    batch = lease(newcomer(make_study(blocks=((SLIDER, {}), (RECOVERY, {})))))
    answer_step(step_at(batch))
    show_question(step=step_at(batch, 1, 2), now=timezone.now())
    assert save(batch, {"value": ["70"]}, 1).revision == 2


def test_an_answer_taken_back_in_another_tab_is_not_given_away(batch: Assignment) -> None:
    answer_step(step_at(batch))
    loaded = step_at(batch, 1, 2)
    save(batch, {}, 1)
    with pytest.raises(NotYet):
        show_question(step=loaded, now=timezone.now())
    assert batch.drafts.get(question=step_at(batch).question).frozen_at is None


def test_showing_a_question_again_changes_nothing(batch: Assignment) -> None:
    first = show_question(step=step_at(batch), now=timezone.now())
    again = show_question(step=step_at(batch), now=timezone.now())
    assert again.first_shown_at == first.first_shown_at


def test_after_submitting_nothing_new_is_saved(batch: Assignment) -> None:
    answer_all(batch)
    submit(assignment=batch, now=timezone.now())
    with pytest.raises(NotActive):
        save(batch, {"value": ["99"]}, 1, part=2)


def test_drafts_stay_when_the_batch_is_returned(batch: Assignment) -> None:
    save(batch, NONE, 0)
    leave(participation=batch.participation)
    assert batch.drafts.get().posted == NONE
    with pytest.raises(NotActive):
        save(batch, {"sentences": ["0"]}, 1)
