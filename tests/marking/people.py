"""People who mark: they come by their links and say what a test lets them say."""

from collections.abc import Callable

from django.utils import timezone

from annotation.entry.arrival import arrive
from annotation.entry.consent import consent_hash, give_consent, needs_consent
from annotation.models import Assignment, Participation, Study, Unit
from annotation.work.assignment import lease_batch
from annotation.work.drafts import save_draft, show_question
from annotation.work.steps import Steps
from annotation.work.submission import submit
from marking.material import BLOCK

Says = Callable[[int, str], str]


def come(study: Study, number: int) -> Participation:
    """The member of the team with that number."""
    seat = study.seats.select_related("invitation__worker").get(number=number)
    assert seat.invitation is not None
    participation = arrive(study=study, invitation=seat.invitation)
    if needs_consent(participation):
        give_consent(participation=participation, text_hash=consent_hash(study), of_age=True)
    return participation


def mark_batch(participation: Participation, says: Says, note: str = "") -> int:
    """Mark the next batch and hand it in; how many texts it had."""
    batch = lease_batch(participation=participation, now=timezone.now())
    if not isinstance(batch, Assignment):
        return 0
    steps = list(Steps(batch).unanswered)
    for step in steps:
        key = Unit.objects.get(pk=step.question.unit_id).key
        draft = show_question(step=step, now=timezone.now())
        save_draft(
            assignment=batch,
            question=step.question,
            posted={
                f"score-{BLOCK}": [says(participation.number, key)],
                **({"free_text": [note]} if note else {}),
            },
            revision=draft.revision,
        )
    submit(assignment=batch, now=timezone.now())
    return len(steps)


def mark_all(study: Study, says: Says) -> int:
    """Let all members mark everything that they are given; how many marks there are."""
    marks = 0
    for seat in study.seats.order_by("number"):
        participation = come(study, seat.number)
        while n := mark_batch(participation, says):
            marks += n
    return marks
