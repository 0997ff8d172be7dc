"""Decide who goes on: the state of a participation, its round, and the rules of the rounds."""

from django.db import transaction
from django.db.models import QuerySet

from annotation.models import Assignment, Participation, Round, StateChange, User
from annotation.rounds.standing import Standing, current_round, reaches, standing
from annotation.work.leases import close_open_batch, lock_with_batches
from annotation.work.ledger import pay_screenout
from annotation.work.review import exclude, undo

State = Participation.State


class NotEnded(Exception):
    """The worker is still in the study, or has withdrawn from it for good."""


@transaction.atomic
def change_state(
    *,
    participation: Participation,
    to: Participation.State,
    reason: str,
    by: User | None = None,
    round_: Round | None = None,
) -> bool:
    """Bring a participation into another state, and write down why. The one way to do so.

    `by` is the researcher who decided, None where the rules or the worker did; `round_` is the
    round that the change belongs to (the one that the worker is in, if not given).
    Nothing happens, and False comes back, where it is in that state already or may not go
    there: who has withdrawn stays so, and who has ended is brought back by a researcher alone.
    Whoever ends has their open batch closed, and its finished part paid; whoever is screened out
    gets the study's pay for that.
    """
    before = _lock(participation)
    if not _may(before, to, by) or (before == to and _is_known(participation, to, round_)):
        return False
    Participation.objects.filter(pk=participation.pk, state=before).update(state=to)
    StateChange.objects.create(
        participation=participation,
        before=before,
        after=to,
        round_id=participation.round_id if round_ is None else round_.pk,
        reason=reason[:200],
        by=by,
    )
    participation.state = to
    if to in Participation.ENDED:
        close_open_batch(participation=participation)
    if to == State.SCREENED_OUT:
        pay_screenout(participation=participation)
    return True


def _lock(participation: Participation) -> Participation.State:
    """Lock the row until the end of the transaction; its state and round as they are now."""
    participation.refresh_from_db(
        fields=["state", "round"],
        from_queryset=Participation.objects.select_for_update(no_key=True, of=("self",)),
    )
    return State(participation.state)


def _may(before: Participation.State, to: Participation.State, by: User | None) -> bool:
    if before == State.WITHDRAWN:
        return False
    return before not in Participation.ENDED or by is not None or to == State.WITHDRAWN


def _is_known(participation: Participation, to: Participation.State, round_: Round | None) -> bool:
    """Whether the history says so already: somebody may qualify in one round after another."""
    known = participation.state_changes.filter(after=to, round=round_)
    return round_ is None or known.exists()


@transaction.atomic
def enter_round(*, participation: Participation, round_: Round) -> bool:
    """Let the worker go on to a later round. False where they are there, or have ended."""
    state = _lock(participation)
    current = current_round(participation)
    goes_back = current is not None and participation.round and round_.position <= current.position
    if state in Participation.ENDED or goes_back:
        return False
    Participation.objects.filter(pk=participation.pk).update(round=round_)
    participation.round = round_
    return True


@transaction.atomic
def remove_worker(
    *,
    participation: Participation,
    reason: str,
    by: User | None = None,
    round_: Round | None = None,
) -> bool:
    """Give the worker no more batches, and exclude their answers, of one round or of all.

    Their units are open again; what they did is paid. False where they had ended before.
    """
    # Were the open batch's places given back first, whoever excludes another of the batches
    # meanwhile could wait for one of them, and this for that batch.
    lock_with_batches(participation)
    if not change_state(
        participation=participation, to=State.REMOVED, reason=reason, by=by, round_=round_
    ):
        return False
    batches = _submitted(participation)
    exclude(assignments=batches.filter(round=round_) if round_ else batches, reason=reason, by=by)
    return True


@transaction.atomic
def reinstate_worker(*, participation: Participation, reason: str, by: User) -> bool:
    """Bring back who has ended, however that came: the worker is where they were before, and what
    a removal excluded is taken in.

    The rules start afresh: controls answered before do not count against the worker again.
    NotEnded where there is nothing to undo.
    """
    state = _lock(participation)
    end = participation.state_changes.filter(after=state).last()
    if state not in Participation.ENDED or state == State.WITHDRAWN or end is None:
        raise NotEnded
    change_state(participation=participation, to=_before(participation), reason=reason, by=by)
    if state == State.REMOVED:
        batches = _submitted(participation).filter(annotations__excluded_reason=end.reason)
        undo(assignments=batches.distinct(), by=by)
    return True


def _before(participation: Participation) -> Participation.State:
    """The last state in which the worker could go on."""
    changes = participation.state_changes.exclude(before__in=Participation.ENDED)
    return State(changes.values_list("before", flat=True).last() or State.CONSENTED)


def _submitted(participation: Participation) -> QuerySet[Assignment]:
    return participation.assignments.filter(state=Assignment.State.SUBMITTED)


# --- The rules ----------------------------------------------------------------------------------


def apply_rules(*, participation: Participation) -> Round | None:
    """Apply the rules of the worker's round to what they have submitted; the round they are
    in after that.

    After every submission, and again before every batch: what an interrupted process left
    undone is done then. Doing it twice changes nothing.
    """
    # Most rounds have none: nothing is locked for those.
    round_ = current_round(participation)
    if round_ is None or not _has_rules(round_):
        return round_
    return _apply_rules(participation)


@transaction.atomic
def _apply_rules(participation: Participation) -> Round | None:
    state = _lock(participation)
    round_ = current_round(participation)
    if round_ is not None and state not in Participation.ENDED:
        _apply(participation, round_)
    return current_round(participation)


def _apply(participation: Participation, round_: Round) -> None:
    found = standing(participation, round_)
    if not _may_stay(found, round_):
        reason = _score(found, round_)
        remove_worker(participation=participation, reason=reason, round_=round_)
    elif round_.gates:
        _pass_or_fail(participation, round_, found)
    elif found.n_batches >= round_.batch_limit:
        _go_on(participation, round_)


def _has_rules(round_: Round) -> bool:
    return round_.keep_accuracy is not None or round_.following is not None


def _may_stay(found: Standing, round_: Round) -> bool:
    if round_.keep_accuracy is None or found.n_controls < round_.min_controls:
        return True
    return reaches(found.n_right, found.n_controls, round_.keep_accuracy)


def _pass_or_fail(participation: Participation, round_: Round, found: Standing) -> None:
    """Decide as soon as it is certain: at the last batch, or once the mark is out of reach."""
    mark = round_.pass_accuracy or 0
    ahead = max(round_.batch_limit - found.n_batches, 0) * round_.n_graded_per_batch
    if not reaches(found.n_right + ahead, found.n_controls + ahead, mark):
        failing = round_.failing == Round.Failing.SCREEN_OUT
        to = State.SCREENED_OUT if failing else State.NOT_QUALIFIED
        change_state(
            participation=participation, to=to, reason=_score(found, round_), round_=round_
        )
    elif not ahead and found.n_batches:
        change_state(
            participation=participation,
            to=State.QUALIFIED,
            reason=_score(found, round_),
            round_=round_,
        )
        if not waits_for_invitation(participation, round_):
            _go_on(participation, round_)


def _go_on(participation: Participation, round_: Round) -> None:
    if round_.following is not None:
        enter_round(participation=participation, round_=round_.following)


# How a reason ends that the rules of a round gave.
RIGHT = "controls right"


def _score(found: Standing, round_: Round) -> str:
    return f"{round_.name}: {found.n_right} of {found.n_controls} {RIGHT}"


def has_passed(participation: Participation, round_: Round) -> bool:
    """Whether the worker has passed that round."""
    return participation.state_changes.filter(after=State.QUALIFIED, round=round_).exists()


def waits_for_invitation(participation: Participation, round_: Round) -> bool:
    """Whether the worker has passed that round, and the study invites to the next one."""
    by_invitation = bool(participation.study.recruitment.get("invite_qualified", False))
    return by_invitation and round_.gates and has_passed(participation, round_)
