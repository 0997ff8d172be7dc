"""How the tests of people's work bring a worker into a study and let them answer."""

from typing import Any

from django.utils import timezone

from annotation.entry.arrival import arrive
from annotation.entry.consent import consent_hash, give_consent
from annotation.entry.invitations import invite
from annotation.models import Assignment, AssignmentUnit, Participation, Place, Study, Unit
from annotation.work.assignment import lease_batch
from annotation.work.drafts import save_draft, show_question
from annotation.work.steps import Step, Steps

RECOVERY, SLIDER = "citation_recovery", "slider"
POSTED = {RECOVERY: {"sentences": ["0", "2"]}, SLIDER: {"value": ["40"]}}
NONE = {"none": ["on"]}


def newcomer(study: Study) -> Participation:
    """Somebody new, who has agreed to the study's consent text."""
    invitation = invite(study=study, created_by=None)
    participation = arrive(study=study, invitation=invitation)
    give_consent(participation=participation, text_hash=consent_hash(study), of_age=True)
    return participation


def lease(participation: Participation, **options: Any) -> Assignment:
    """The next batch, of which there must be one."""
    options.setdefault("now", timezone.now())
    batch = lease_batch(participation=participation, **options)
    assert isinstance(batch, Assignment), batch
    return batch


def step_at(batch: Assignment, position: int = 1, part: int = 1) -> Step:
    step = Steps(batch).at(position, part)
    assert step is not None
    return step


def answer_step(step: Step, posted: dict[str, list[str]] | None = None) -> None:
    draft = show_question(step=step, now=timezone.now())
    save_draft(
        assignment=step.assignment,
        question=step.question,
        posted=posted or POSTED[step.question.block.task_type_slug],
        revision=draft.revision,
    )


def answer_all(batch: Assignment) -> Assignment:
    """Answer whatever has no answer yet."""
    for part in (1, 2):
        for step in [one for one in Steps(batch).unanswered if one.part == part]:
            answer_step(step)
    return batch


def normal_units(batch: Assignment) -> list[AssignmentUnit]:
    return list(batch.assignment_units.filter(place__role=Unit.Role.NORMAL))


def counts(study: Study) -> list[tuple[int, int]]:
    """(held, counted) of every normal place."""
    places = Place.objects.filter(round__study=study, role=Unit.Role.NORMAL)
    return list(places.order_by("pk").values_list("held", "counted"))
