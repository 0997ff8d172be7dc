"""The reasons, in plain words, why a participation ended or a batch was excluded."""

import re

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.entry.comprehension import FAILED
from annotation.messages.rules import tells_rules
from annotation.models import Participation, Review, Round, StateChange
from annotation.rounds.standing import least_right
from annotation.work.qualification import RIGHT

State = Participation.State
DECIDED = (State.REMOVED, State.SCREENED_OUT, State.NOT_QUALIFIED)
_SCORE = re.compile(rf"(\d+) of (\d+) {RIGHT}$")


def why_ended(participation: Participation) -> str:
    """Why a worker was removed, screened out or did not qualify; empty for all others, and where
    the page gives the reason already."""
    if participation.state not in DECIDED:
        return ""
    changes = participation.state_changes.filter(after=participation.state)
    change = changes.select_related("round").last()
    return "" if change is None else _in_words(change)


def why_excluded(review: Review) -> str:
    """Why a batch was excluded; empty where the worker's own withdrawal erased the reason."""
    if not review.reason:
        return ""
    if review.by_id is None and review.reason.endswith(RIGHT):
        return _("Some of the questions had known answers. Too few of yours were right.")
    return _("The researchers gave this reason: %(reason)s") % {"reason": review.reason}


def _in_words(change: StateChange) -> str:
    by_rules = change.by_id is None
    if by_rules and change.reason == FAILED:
        return _("Your answers to the check of the instructions were not correct.")
    if by_rules and change.round is not None and change.reason.endswith(RIGHT):
        return _too_few(change, change.round)
    # `by` is empty, too, where the researcher who decided has no account any more. Rules remove
    # workers for no other reason than controls.
    if by_rules and change.after != State.REMOVED:
        return ""
    return _("The researchers gave this reason: %(reason)s") % {"reason": change.reason}


def _too_few(change: StateChange, round_: Round) -> str:
    """How many known answers were right, and how many had to be, where workers are told that."""
    score = _SCORE.search(change.reason)
    mark = round_.keep_accuracy if change.after == State.REMOVED else round_.pass_accuracy
    if score is None or not mark or not tells_rules(change.participation.study, round_):
        return _("Some of the questions had known answers. Too few of yours were right.")
    right, n = int(score[1]), int(score[2])
    needed = least_right(n, mark)
    if needed == n:
        text = ngettext(
            "The known answer had to be right for you to go on. You had %(right)s right.",
            "All %(n)s known answers had to be right for you to go on. You had %(right)s right.",
            n,
        )
    else:
        text = _(
            "At least %(needed)s of the %(n)s known answers had to be right for you to go on. You "
            "had %(right)s right."
        )
    return text % {"needed": needed, "n": n, "right": right}
