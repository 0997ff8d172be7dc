"""What workers are told before they begin: the size of a batch, its time and its pay."""

from dataclasses import dataclass
from decimal import Decimal
from statistics import median

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.messages.debrief import is_over
from annotation.models import Assignment, Participation, Round, Study
from annotation.work.qualification import waits_for_invitation

# The measured time is shown from this many batches on.
ENOUGH = 5
RECENT = 50


@dataclass(frozen=True)
class Outlook:
    """A batch as it is announced. `minutes`: measured once enough people have done one, until
    then the study file's estimate."""

    n_units: int
    n_parts: int
    minutes: int | None
    limit_minutes: int
    base: Decimal
    bonus: Decimal
    bonus_for_everyone: bool
    currency: str

    @property
    def n_questions(self) -> int:
        return self.n_units * self.n_parts


def outlook(study: Study, round_: Round) -> Outlook:
    """The next batch of this round, as announced."""
    return Outlook(
        n_units=round_.normal_per_batch + round_.positive_per_batch + round_.negative_per_batch,
        n_parts=study.blocks.count(),
        minutes=_typical_minutes(round_) or round_.expected_minutes,
        limit_minutes=study.lease_minutes,
        base=round_.base_pay,
        bonus=round_.bonus_pay,
        bonus_for_everyone=round_.pass_accuracy is None,
        currency=round_.currency,
    )


def _typical_minutes(round_: Round) -> int | None:
    """The median of the latest batches submitted in time, rounded up."""
    submitted = Assignment.objects.filter(
        round=round_, state=Assignment.State.SUBMITTED, late=False
    )
    times = [
        (end - start).total_seconds() / 60
        for start, end in submitted.order_by("-pk").values_list("leased_at", "submitted_at")[
            :RECENT
        ]
        if end is not None
    ]
    return int(median(times)) + 1 if len(times) >= ENOUGH else None


def more_to_do(participation: Participation, round_: Round | None) -> bool:
    """Whether a worker in this round may ask for another batch, even if none is free now."""
    return not (is_over(participation, round_) or awaits_invitation(participation, round_))


def awaits_invitation(participation: Participation, round_: Round | None) -> bool:
    """Whether the worker has passed this round and waits for an invitation to the next."""
    return round_ is not None and waits_for_invitation(participation, round_)


def what_next(participation: Participation, round_: Round) -> list[str]:
    """What follows this round, in plain sentences."""
    if waits_for_invitation(participation, round_):
        return [
            _("You have passed this round. You will be invited to the next one."),
            _("There is nothing to do for you until then."),
        ]
    limit, later = round_.batch_limit, round_.following
    first = ngettext(
        "In this round you may do %(n)s batch.",
        "In this round you may do up to %(n)s batches.",
        limit,
    ) % {"n": limit}
    if later is None:
        return [first]
    if not round_.gates:
        then = _("After that you go on to the next round.")
    elif participation.study.recruitment.get("invite_qualified"):
        then = _("If you answer it carefully, you will be invited to the next round later.")
    else:
        then = _("If you answer it carefully, you go straight on to the next round.")
    return [first, then, *_pay_in_words(later)]


def _pay_in_words(round_: Round) -> list[str]:
    """What the next round pays; nothing where it pays nothing."""
    total = round_.base_pay + round_.bonus_pay
    if not total:
        return []
    amount = f"{total} {round_.currency}"
    limit = round_.batch_limit
    text = ngettext(
        "It has %(n)s batch, for up to %(amount)s.",
        "It has up to %(n)s batches, for up to %(amount)s each.",
        limit,
    )
    return [text % {"n": limit, "amount": amount}]
