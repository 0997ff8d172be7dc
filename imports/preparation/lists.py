"""Verbs on prepared lists: propose, edit, accept, reject, reopen.

A list is changed by one person at a time: whoever has seen an older version is told.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from annotation.models import Block, Preparation, Study, User, log_change
from imports.preparation.targets import Target, can_be_prepared, items_of, list_for
from imports.preparation.units import Applied, NotPossible, apply_lists, refuse_work, units_of
from tasktypes.prepared_lists import PREPARED, PreparedList

State = Preparation.State


class JustChanged(NotPossible):
    """Somebody else changed or decided the list after it was read."""


@transaction.atomic
def propose(
    *,
    block: Block,
    target: Target,
    entries: Sequence[Any],
    provenance: Mapping[str, Any],
    by: User | None = None,
) -> Preparation:
    """A list that waits for a decision. ValueError names the entry that is wrong.

    NotPossible where there is nothing to prepare, or a list stands already.
    """
    prepared = _checked_list(block, target)
    checked = prepared.checked(entries)
    try:
        with transaction.atomic():
            return Preparation.objects.create(
                study_id=block.study_id,
                block=block,
                source=target.source,
                item=target.item,
                entries=checked,
                proposed=checked,
                provenance=dict(provenance),
                edited_by=by,
            )
    except IntegrityError as error:
        raise NotPossible(_standing_in_words(block, target)) from error


def _checked_list(block: Block, target: Target) -> PreparedList:
    """The list that the target is for; NotPossible where none can be proposed for it."""
    key = target.key
    try:
        prepared = list_for(block, target)
    except ValueError as error:
        raise NotPossible(str(error)) from error
    of = {target.source.study_id} | ({target.item.study_id} if target.item else set())
    if of != {block.study_id}:
        raise NotPossible(f"{key}: belongs to another study")
    if current_list(block, target) is not None:
        raise NotPossible(_standing_in_words(block, target))
    if not can_be_prepared(block, target):
        raise NotPossible(
            f"{key}: nothing to prepare (it has its {prepared.name} already, is shown beside other "
            "items, or has a control)"
        )
    return prepared


def current_list(block: Block, target: Target) -> Preparation | None:
    """The list that is accepted or waits for a decision."""
    rows = Preparation.objects.standing().filter(block=block, source=target.source)
    return rows.filter(item=target.item).with_names().first()


def _standing_in_words(block: Block, target: Target) -> str:
    row = current_list(block, target)
    if row is not None and row.state == State.ACCEPTED:
        return f"{target.key}: a list is accepted already (reopen it to change it)"
    return f"{target.key}: a list waits for a decision already"


@transaction.atomic
def edit(
    *, preparation: Preparation, entries: Sequence[Any], version: int, by: User | None
) -> Preparation:
    """Replace the entries of a list that waits for a decision. ValueError names a wrong entry."""
    checked = preparation.prepared_list.checked(entries)
    _change(preparation, version, (State.PROPOSED,), entries=checked, edited_by=by)
    return preparation


@transaction.atomic
def reject(*, preparation: Preparation, version: int, by: User | None, now: datetime) -> None:
    """Decide that the list is not to be used; another can be proposed."""
    in_use = {f"focus__{PREPARED}__has_key": preparation.prepared_list.name}
    if items_of([preparation]).filter(**{f"units__{key}": value for key, value in in_use.items()}):
        raise NotPossible(f"{preparation.key}: units were made by the list; change and accept it")
    decided = {"state": State.REJECTED, "decided_by": by, "decided_at": now}
    _change(preparation, version, (State.PROPOSED,), **decided)
    subject = preparation.key
    log_change(study=preparation.study, by=by, action="list.rejected", subject=subject)


@transaction.atomic
def accept(*, preparation: Preparation, version: int, by: User | None, now: datetime) -> Applied:
    """Accept a list as it was seen in that version, and make the units of its items."""
    preparation.version = version
    return accept_lists(study=preparation.study, preparations=[preparation], by=by, now=now)


@transaction.atomic
def accept_lists(
    *, study: Study, preparations: Sequence[Preparation], by: User | None, now: datetime
) -> Applied:
    """Accept lists as they were read, all of them or, with NotPossible, none."""
    decided = {"state": State.ACCEPTED, "decided_by": by, "decided_at": now}
    for row in preparations:
        prepared = row.prepared_list
        if not row.entries and not prepared.may_be_empty:
            raise NotPossible(f"{row.key}: the list of {prepared.name} is empty")
        _change(row, row.version, (State.PROPOSED,), **decided)
    applied = apply_lists(study=study, preparations=preparations)
    if preparations:
        keys = [row.key for row in preparations[:100]]
        detail = {"number": len(preparations), "lists": keys}
        log_change(study=study, by=by, action="lists.accepted", detail=detail)
    # Last: it locks the study's row until the commit.
    study.touch()
    return applied


@transaction.atomic
def reopen(*, preparation: Preparation, version: int, by: User | None = None) -> None:
    """Let a decided list be edited and decided again. Units keep theirs until then."""
    if preparation.state == State.ACCEPTED:
        items = items_of([preparation]).values_list("pk", flat=True)
        refuse_work([unit for unit, _ in units_of(items)])
    states = (State.ACCEPTED, State.REJECTED)
    undecided = {"state": State.PROPOSED, "decided_by": None, "decided_at": None}
    try:
        with transaction.atomic():
            _change(preparation, version, states, **undecided)
    except IntegrityError as error:
        raise NotPossible(f"{preparation.key}: another list stands in its place") from error
    subject = preparation.key
    log_change(study=preparation.study, by=by, action="list.reopened", subject=subject)


def _change(preparation: Preparation, version: int, states: Sequence[str], **fields: Any) -> None:
    """Change the row and this object; JustChanged where it is no longer as it was seen."""
    rows = Preparation.objects.filter(pk=preparation.pk)
    if not rows.change(version=version, of=states, **fields):
        raise JustChanged(
            f"{preparation.key}: somebody else changed or decided this list in the meantime"
        )
    for name, value in fields.items():
        setattr(preparation, name, value)
    preparation.version = version + 1
