"""Turn away who came in vain: they passed the check of the instructions, and no batch is left."""

from django.db import transaction

from annotation.entry.comprehension import has_passed_check
from annotation.models import Participation
from annotation.work.qualification import change_state

State = Participation.State
REASON = "no batch was left"


def came_in_vain(participation: Participation) -> bool:
    """Whether all that the worker did here is to pass the check, in a study that pays for it."""
    if participation.has_ended or not participation.study.screenout_pay:
        return False
    return has_passed_check(participation) and not participation.assignments.exists()


@transaction.atomic
def turn_away(*, participation: Participation) -> bool:
    """A paid screen-out, where there is no batch for somebody who came in vain. False for
    anybody else."""
    # Who starts in another tab meanwhile waits here, or has got a batch.
    Participation.objects.select_for_update(no_key=True, of=("self",)).get(pk=participation.pk)
    return came_in_vain(participation) and change_state(
        participation=participation, to=State.SCREENED_OUT, reason=REASON
    )


def was_turned_away(participation: Participation) -> bool:
    """Whether that is how the worker's part ended."""
    changes = participation.state_changes.filter(after=State.SCREENED_OUT, reason=REASON)
    return participation.state == State.SCREENED_OUT and changes.exists()
