"""What a worker is told before they begin: how much, how long, for what pay."""

from dataclasses import dataclass
from decimal import Decimal
from statistics import median

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.messages.debrief import is_over
from annotation.models import Assignment, Participation, Round, Study
from annotation.work.qualification import waits_for_invitation

# Fewer batches than this say little about how long one takes.
ENOUGH = 5
RECENT = 50


@dataclass(frozen=True)
class Outlook:
    """One batch, as it is announced. `minutes`: as measured once enough people have
    done one, before that as the study file expects."""

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


def outlook(study: Study, stage: Round) -> Outlook:
    """What the next batch of this round is like."""
    return Outlook(
        n_units=stage.normal_per_batch + stage.positive_per_batch + stage.negative_per_batch,
        n_parts=study.blocks.count(),
        minutes=_typical_minutes(stage) or stage.expected_minutes,
        limit_minutes=study.lease_minutes,
        base=stage.base_pay,
        bonus=stage.bonus_pay,
        bonus_for_everyone=stage.pass_accuracy is None,
        currency=stage.currency,
    )


def _typical_minutes(stage: Round) -> int | None:
    """The median of the latest batches that were submitted in time, rounded up."""
    done = Assignment.objects.filter(round=stage, state=Assignment.State.SUBMITTED, late=False)
    times = [
        (end - start).total_seconds() / 60
        for start, end in done.order_by("-pk").values_list("leased_at", "submitted_at")[:RECENT]
        if end is not None
    ]
    return int(median(times)) + 1 if len(times) >= ENOUGH else None


def more_to_do(participation: Participation, stage: Round | None) -> bool:
    """Whether the worker, who is in that round, may ask for another batch; none need be free."""
    return not (is_over(participation, stage) or awaits_invitation(participation, stage))


def awaits_invitation(participation: Participation, stage: Round | None) -> bool:
    """Whether the worker has passed that round and gets no batch before they are invited on."""
    return stage is not None and waits_for_invitation(participation, stage)


def what_next(participation: Participation, stage: Round) -> list[str]:
    """What follows on this round, in plain sentences."""
    if waits_for_invitation(participation, stage):
        return [
            _("You have passed this round. You will be invited to the next one."),
            _("There is nothing to do for you until then."),
        ]
    limit, later = stage.batch_limit, stage.following
    first = ngettext(
        "In this round you may do %(n)s batch.",
        "In this round you may do up to %(n)s batches.",
        limit,
    ) % {"n": limit}
    if later is None:
        return [first]
    if not stage.gates:
        then = _("After that you go on to the next round.")
    elif participation.study.recruitment.get("invite_qualified"):
        then = _("Whoever answers it carefully is invited to the next round later.")
    else:
        then = _("Whoever answers it carefully goes on to the next round at once.")
    return [first, then, *_pay_in_words(later)]


def _pay_in_words(stage: Round) -> list[str]:
    """What the next round pays; nothing where it pays nothing."""
    total = stage.base_pay + stage.bonus_pay
    if not total:
        return []
    amount = f"{total} {stage.currency}"
    limit = stage.batch_limit
    text = ngettext(
        "It has %(n)s batch, for up to %(amount)s.",
        "It has up to %(n)s batches, for up to %(amount)s each.",
        limit,
    )
    return [text % {"n": limit, "amount": amount}]
