"""Leave a study: at any time, without a reason, with what was done so far paid."""

from django.db import transaction

from annotation.models import Participation
from annotation.work.qualification import change_state


@transaction.atomic
def leave(*, participation: Participation) -> None:
    """End the participation. Its open batch goes back; drafts and submitted work stay."""
    change_state(participation=participation, to=Participation.State.LEFT, reason="left the study")
