"""Turning away workers for whom no batch is left after they passed the comprehension check."""

from django.db import transaction

from annotation.entry.comprehension import has_passed_check
from annotation.models import Participation
from annotation.work.qualification import change_state

State = Participation.State
REASON = "no batch was left"


def found_no_batch(participation: Participation) -> bool:
    """Whether the worker has passed the check and got no batch, in a study that pays for that."""
    if participation.has_ended or not participation.study.screenout_pay:
        return False
    return has_passed_check(participation) and not participation.assignments.exists()


@transaction.atomic
def turn_away(*, participation: Participation) -> bool:
    """Screen out, with pay, a worker who came in vain. False for anybody else."""
    # A start in another tab waits for this lock, or has leased a batch before it.
    Participation.objects.select_for_update(no_key=True, of=("self",)).get(pk=participation.pk)
    return found_no_batch(participation) and change_state(
        participation=participation, to=State.SCREENED_OUT, reason=REASON
    )


def was_turned_away(participation: Participation) -> bool:
    """Whether the participation ended by being turned away."""
    changes = participation.state_changes.filter(after=State.SCREENED_OUT, reason=REASON)
    return participation.state == State.SCREENED_OUT and changes.exists()
