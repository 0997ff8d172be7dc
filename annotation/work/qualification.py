"""Qualification: the state and round of a participation, and the rules of rounds."""

from django.db import transaction
from django.db.models import QuerySet

from annotation.models import Assignment, Participation, Round, StateChange, User, log_change
from annotation.rounds.standing import RoundProgress, current_round, reaches, standing
from annotation.rounds.team.progress import progress_in
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
    """Change the state of a participation and record the reason. The only way to do so.

    `by` is the researcher who decided, None for rules and workers; `round_` is the round that the
    change belongs to (default: the worker's).

    False, and no change, where the participation is in that state already or may not change to it:
    a withdrawal is final, and other ended participations are reinstated by researchers alone. When
    a participation ends, its open batch is closed and the finished part of it paid; a screen-out
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
    """Lock the row until the end of the transaction, and reload its state and round."""
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
    """Whether the history has this change already. Workers may qualify in several rounds."""
    changes = participation.state_changes.filter(after=to, round=round_)
    return round_ is None or changes.exists()


@transaction.atomic
def enter_round(*, participation: Participation, round_: Round) -> bool:
    """Move the worker to a later round. False where they are there already, or have ended."""
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

    Their units are open again; their work is paid. False where they had ended before.
    """
    # All batches first: giving back the open batch's places before locking the others could
    # deadlock with an exclusion of one of them.
    lock_with_batches(participation)
    if not change_state(
        participation=participation, to=State.REMOVED, reason=reason, by=by, round_=round_
    ):
        return False
    batches = _submitted(participation)
    exclude(assignments=batches.filter(round=round_) if round_ else batches, reason=reason, by=by)
    if by is not None:  # what the rules of rounds do is in the worker's history alone
        subject = participation.pseudonym
        log_change(study=participation.study, by=by, action="worker.removed", subject=subject)
    return True


@transaction.atomic
def reinstate_worker(*, participation: Participation, reason: str, by: User) -> bool:
    """Bring back a worker whose participation has ended, to the state before the end.

    Answers that a removal excluded are included again. The rules start afresh: controls answered
    before do not count against the worker. NotEnded where there is nothing to undo.
    """
    state = _lock(participation)
    end = participation.state_changes.filter(after=state).last()
    if state not in Participation.ENDED or state == State.WITHDRAWN or end is None:
        raise NotEnded
    change_state(participation=participation, to=_before(participation), reason=reason, by=by)
    if state == State.REMOVED:
        batches = _submitted(participation).filter(annotations__excluded_reason=end.reason)
        undo(assignments=batches.distinct(), by=by)
    subject = participation.pseudonym
    log_change(study=participation.study, by=by, action="worker.reinstated", subject=subject)
    return True


@transaction.atomic
def undo_withdrawal(*, participation: Participation) -> None:
    """Put a participation back into the state before its withdrawal, as if that had never been: no
    rule and no pay may take this for a change of state."""
    _lock(participation)
    withdrawn = participation.state_changes.filter(after=State.WITHDRAWN).latest("pk")
    Participation.objects.filter(pk=participation.pk).update(state=withdrawn.before)
    participation.state = withdrawn.before
    withdrawn.delete()


def _before(participation: Participation) -> Participation.State:
    """The last state in which the worker could go on."""
    changes = participation.state_changes.exclude(before__in=Participation.ENDED)
    return State(changes.values_list("before", flat=True).last() or State.CONSENTED)


def _submitted(participation: Participation) -> QuerySet[Assignment]:
    return participation.assignments.filter(state=Assignment.State.SUBMITTED)


# --- The rules ----------------------------------------------------------------------------------


def apply_rules(*, participation: Participation) -> Round | None:
    """Apply the rules of the worker's round to what they have submitted; their round after that.

    Called after every submission, and again before every lease, to finish what an interrupted
    process left undone. Doing it twice changes nothing.
    """
    # Most rounds have no rules: then nothing is locked.
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
    result = standing(participation, round_)
    if not _may_stay(result, round_):
        reason = _score(result, round_)
        remove_worker(participation=participation, reason=reason, round_=round_)
    elif _has_table(participation, round_):
        _end_table(participation, round_)
    elif round_.gates:
        _pass_or_fail(participation, round_, result)
    elif result.n_batches >= round_.batch_limit:
        _go_on(participation, round_)


def _has_table(participation: Participation, round_: Round) -> bool:
    return participation.study.has_team and not round_.shows_answers


def _end_table(participation: Participation, round_: Round) -> None:
    """Lead on who has answered all of their table; after a calibration, once it is released."""
    if round_.following is None or not progress_in(participation, round_).is_complete:
        return
    if round_.calibration_sources:
        change_state(
            participation=participation, to=State.QUALIFIED, reason=CALIBRATED, round_=round_
        )
    if not waits_for_invitation(participation, round_):
        _go_on(participation, round_)


def _has_rules(round_: Round) -> bool:
    return round_.keep_accuracy is not None or round_.following is not None


def _may_stay(result: RoundProgress, round_: Round) -> bool:
    if round_.keep_accuracy is None or result.n_controls < round_.min_controls:
        return True
    return reaches(result.n_right, result.n_controls, round_.keep_accuracy)


def _pass_or_fail(participation: Participation, round_: Round, result: RoundProgress) -> None:
    """Decide at the last batch, or as soon as the pass mark is out of reach."""
    mark = round_.pass_accuracy or 0
    ahead = max(round_.batch_limit - result.n_batches, 0) * round_.n_graded_per_batch
    if not reaches(result.n_right + ahead, result.n_controls + ahead, mark):
        failing = round_.failing == Round.Failing.SCREEN_OUT
        to = State.SCREENED_OUT if failing else State.NOT_QUALIFIED
        change_state(
            participation=participation, to=to, reason=_score(result, round_), round_=round_
        )
    elif not ahead and result.n_batches:
        change_state(
            participation=participation,
            to=State.QUALIFIED,
            reason=_score(result, round_),
            round_=round_,
        )
        if not waits_for_invitation(participation, round_):
            _go_on(participation, round_)


def _go_on(participation: Participation, round_: Round) -> None:
    if round_.following is not None:
        enter_round(participation=participation, round_=round_.following)


CALIBRATED = "calibration finished"
# The end of reasons that the rules of a round give; `messages.reasons` recognises them by it.
RIGHT = "controls right"


def _score(result: RoundProgress, round_: Round) -> str:
    return f"{round_.name}: {result.n_right} of {result.n_controls} {RIGHT}"


def has_passed(participation: Participation, round_: Round) -> bool:
    """Whether the worker has passed that round."""
    return participation.state_changes.filter(after=State.QUALIFIED, round=round_).exists()


def waits_for_invitation(participation: Participation, round_: Round) -> bool:
    """Whether the worker has passed that round, and the study invites to the next one; or has
    answered a calibration that is not released."""
    if round_.calibration_sources:
        waits = round_.released_at is None
    else:
        by_invitation = bool(participation.study.recruitment.get("invite_qualified", False))
        waits = by_invitation and round_.gates
    return waits and has_passed(participation, round_)
