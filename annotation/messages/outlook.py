"""What workers are told before they begin: a batch, its time and pay, and what follows it."""

from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.messages.amounts import in_figures
from annotation.messages.debrief import is_over
from annotation.messages.rules import amount_in_words, tells_rules
from annotation.models import Assignment, Participation, Round, Study
from annotation.queries.progress import count_blocks
from annotation.rounds.durations import minutes_of
from annotation.rounds.way_in import minutes_before
from annotation.work.qualification import waits_for_invitation


@dataclass(frozen=True)
class Rate:
    """What an hour pays: for certain, and with a bonus that has to be earned."""

    least: Decimal
    most: Decimal
    currency: str

    def __str__(self) -> str:
        amounts = dict.fromkeys((self.least, self.most))
        return f"{'–'.join(map(in_figures, amounts))} {self.currency}"


@dataclass(frozen=True)
class Outlook:
    """A batch as it is announced. `minutes`: measured once enough people have done one, until
    then the study file's estimate. `way_in`: minutes before a first batch, for which nothing else
    is paid; None for those who have had one. `limit_minutes`: None in a
    team, which has none."""

    n_units: int
    n_parts: int
    minutes: int | None
    way_in: int | None
    limit_minutes: int | None
    base: Decimal
    bonus: Decimal
    bonus_for_everyone: bool
    currency: str
    rate: Rate | None

    @property
    def certain(self) -> Decimal:
        """What the batch pays whatever is right in it."""
        return self.base + self.bonus if self.bonus_for_everyone else self.base

    @property
    def to_be_earned(self) -> Decimal:
        """The bonus that depends on what is right."""
        return self.base + self.bonus - self.certain


def outlook(study: Study, round_: Round, *, is_first: bool = True) -> Outlook:
    """The next batch of this round, as announced; `is_first` for those who have had none."""
    minutes, way_in = minutes_of(round_), minutes_before(study) if is_first else None
    promised = Assignment(
        base_pay=round_.base_pay,
        bonus_pay=round_.bonus_pay,
        pass_accuracy=round_.pass_accuracy,
        currency=round_.currency,
        expected_minutes=minutes,
        way_in_minutes=way_in,
    )
    return Outlook(
        n_units=round_.n_units_per_batch,
        n_parts=count_blocks(study.pk),
        minutes=minutes,
        way_in=way_in,
        limit_minutes=None if study.has_team else study.lease_minutes,
        base=round_.base_pay,
        bonus=round_.bonus_pay,
        bonus_for_everyone=round_.pass_accuracy is None,
        currency=round_.currency,
        rate=hourly_rate(promised) if study.show_hourly_rate else None,
    )


def hourly_rate(batch: Assignment) -> Rate | None:
    """What an hour of work like this batch pays, with the way to it for a first batch; None where
    it pays nothing or nobody knows how long it takes."""
    most = batch.base_pay + batch.bonus_pay
    if not most or not batch.expected_minutes:
        return None
    minutes = batch.expected_minutes + (batch.way_in_minutes or 0)
    least = most if batch.pass_accuracy is None else batch.base_pay
    least, most = ((pay * 60 / minutes).quantize(Decimal("0.01")) for pay in (least, most))
    return Rate(least, most, batch.currency)


def more_to_do(participation: Participation, round_: Round | None) -> bool:
    """Whether a worker in this round may ask for another batch, even if none is free now."""
    return not (is_over(participation, round_) or awaits_invitation(participation, round_))


def awaits_invitation(participation: Participation, round_: Round | None) -> bool:
    """Whether the worker has passed this round and waits for an invitation to the next."""
    return round_ is not None and waits_for_invitation(participation, round_)


def what_next(participation: Participation, round_: Round) -> list[str]:
    """What follows for this worker, in plain sentences."""
    if waits_for_invitation(participation, round_) and round_.calibration_sources:
        return [
            _("You have answered the texts that come first. You will be told when to come back.")
        ]
    if waits_for_invitation(participation, round_):
        return [
            _("You have passed this round. You will be invited to the next one."),
            _("There is nothing to do for you until then."),
        ]
    return what_follows(participation.study, round_)


def what_follows(study: Study, round_: Round) -> list[str]:
    """What follows this round for anybody in it; what a pass brings is among the rules, if they
    are told."""
    limit, later = round_.batches_told, round_.following
    if round_.calibration_sources:
        return [
            _(
                "Everybody answers these texts first. You go on when the team has compared the "
                "answers."
            )
        ]
    first = ngettext(
        "In this round you can do %(n)s batch.",
        "In this round you can do up to %(n)s batches.",
        limit,
    ) % {"n": limit}
    if round_.gates and tells_rules(study, round_):
        return [first] if limit > 1 else []
    if later is None:
        return [first]
    if not round_.gates:
        then = _("After that you go on to the next round.")
    elif study.recruitment.get("invite_qualified"):
        then = _("If you answer it carefully, you will be invited to the next round later.")
    else:
        then = _("If you answer it carefully, you go straight on to the next round.")
    return [first, then, *_pay_in_words(later)]


def _pay_in_words(round_: Round) -> list[str]:
    """What the next round pays; nothing where it pays nothing."""
    total = round_.base_pay + round_.bonus_pay
    if not total:
        return []
    text = ngettext(
        "The next round has %(n)s batch, for up to %(amount)s.",
        "The next round has up to %(n)s batches, for up to %(amount)s each.",
        round_.batches_told,
    )
    return [text % {"n": round_.batches_told, "amount": amount_in_words(total, round_)}]
