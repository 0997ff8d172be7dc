"""The rules of a round in plain words: how many answers are known, and what depends on them."""

from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.messages.amounts import in_figures, in_percent
from annotation.models import Round, Study
from annotation.rounds.standing import least_right


def tells_rules(study: Study, round_: Round) -> bool:
    """Whether workers are told how many answers are known. In training they see it anyway."""
    return study.tell_controls or round_.shows_answers


def rules_in_words(study: Study, round_: Round) -> list[str]:
    """How workers are graded in this round, before they begin; empty where nobody is."""
    n = round_.n_graded_per_batch
    if not n:
        return []
    if not tells_rules(study, round_):
        return [_("We already know the right answers to some of the questions.")]
    if round_.shows_answers:
        first = _("This is training: after each question you are shown the right answer.")
    else:
        text = ngettext(
            "We already know the right answer to %(n)s of the %(total)s texts in a batch. It shows "
            "us whether the task was clear and done with care.",
            "We already know the right answers to %(n)s of the %(total)s texts in a batch. They "
            "show us whether the task was clear and done with care.",
            n,
        )
        first = text % {"n": n, "total": round_.n_units_per_batch}
    return [first, *_pass_in_words(study, round_), *_keep_in_words(round_)]


def amount_in_words(amount: Decimal, round_: Round) -> str:
    """An amount in the round's currency."""
    return f"{in_figures(amount)} {round_.currency}"


def _pass_in_words(study: Study, round_: Round) -> list[str]:
    """What has to be right for a bonus and for going on, and what happens then and otherwise."""
    mark, per_batch = round_.pass_accuracy, round_.n_graded_per_batch
    if not mark:
        return []
    bonus_here = bool(round_.bonus_pay)
    if not round_.gates:
        return [_bonus_mark(round_, least_right(per_batch, mark), per_batch)] if bonus_here else []
    n = round_.most_graded
    told = [_pass_mark(least_right(n, mark), n)]
    if bonus_here and round_.batch_limit > 1:
        # The bonus is decided batch by batch, going on by all of them together.
        told.append(_bonus_mark(round_, least_right(per_batch, mark), per_batch))
        bonus_here = False
    return [*told, _prize(study, round_, with_bonus=bonus_here), _else(study, round_)]


def _pass_mark(needed: int, n: int) -> str:
    if needed == n:
        return ngettext("You pass if it is right.", "You pass if all %(n)s are right.", n) % {
            "n": n
        }
    return _("You pass with at least %(needed)s of %(n)s right.") % {"needed": needed, "n": n}


def _bonus_mark(round_: Round, needed: int, n: int) -> str:
    bonus = amount_in_words(round_.bonus_pay, round_)
    if needed == n:
        text = _("A batch gets the bonus of %(bonus)s if all of these answers are right.")
    else:
        text = _(
            "A batch gets the bonus of %(bonus)s with at least %(needed)s of these %(n)s answers "
            "right."
        )
    return text % {"bonus": bonus, "needed": needed, "n": n}


def _prize(study: Study, round_: Round, *, with_bonus: bool) -> str:
    """What a pass brings."""
    later = round_.following
    assert later is not None
    sentences = [
        _("Then you get the bonus of %(bonus)s.") if with_bonus else "",
        _("You will be invited to the next round later.")
        if study.recruitment.get("invite_qualified")
        else "",
        _more(later),
    ]
    words = {"bonus": amount_in_words(round_.bonus_pay, round_)}
    return " ".join(sentence % words for sentence in sentences if sentence)


def _more(later: Round) -> str:
    """How many batches the next round has, and what they pay."""
    total, limit = later.base_pay + later.bonus_pay, later.batches_told
    if not total:
        text = ngettext(
            "After passing you can do %(n)s more batch.",
            "After passing you can do up to %(n)s more batches.",
            limit,
        )
    elif later.pass_accuracy is None or not later.bonus_pay:
        text = ngettext(
            "After passing you can do %(n)s more batch, for %(amount)s.",
            "After passing you can do up to %(n)s more batches, for %(amount)s each.",
            limit,
        )
    else:
        text = ngettext(
            "After passing you can do %(n)s more batch, for up to %(amount)s.",
            "After passing you can do up to %(n)s more batches, for up to %(amount)s each.",
            limit,
        )
    return text % {"n": limit, "amount": amount_in_words(total, later)}


def _else(study: Study, round_: Round) -> str:
    """What happens to those who do not pass, and what they are paid."""
    base, several = round_.base_pay, round_.batch_limit > 1
    if (
        round_.failing == Round.Failing.SCREEN_OUT
        and study.screenout_pay > base * round_.batch_limit
    ):
        # The pay of a screen-out makes up for what was earned before it, however many batches.
        base, several = study.screenout_pay, False
    if not base:
        return _("If you do not pass, the study ends for you there.")
    text = (
        _(
            "If you do not pass, the study ends for you there, and you are paid %(amount)s for "
            "each batch."
        )
        if several
        else _("If you do not pass, the study ends for you there, and you are paid %(amount)s.")
    )
    return text % {"amount": amount_in_words(base, round_)}


def _keep_in_words(round_: Round) -> list[str]:
    if not round_.keep_accuracy:
        return []
    text = _(
        "After %(n)s of these known texts we check: if fewer than %(share)s of your answers to "
        "them were right, you get no more batches."
    )
    told = [text % {"share": in_percent(round_.keep_accuracy), "n": round_.min_controls}]
    return [*told, _("What you submitted is paid.")] if round_.pays else told
