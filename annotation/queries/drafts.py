"""The two statements that keep what a worker types, in SQL that both databases understand."""

from datetime import datetime
from typing import Any

from django.db import connection

from annotation.models import Assignment, Draft
from annotation.queries.compiled import fetch

# The assignment's row is locked first, so that no save slips in behind a submission.
_SAVE = """
    UPDATE annotation_draft
    SET posted = %s, complete = %s, revision = revision + 1, saved_at = %s, active_seconds = %s,
        paradata = %s
    WHERE id = %s AND revision = %s AND frozen_at IS NULL AND assignment_id IN (
        SELECT id FROM annotation_assignment WHERE id = %s AND state IN ('active', 'expired') {lock}
    )
    RETURNING id
"""
_OPEN = """
    INSERT INTO annotation_draft
        (assignment_id, question_id, posted, complete, revision, first_shown_at, active_seconds)
    VALUES (%s, %s, %s, %s, 0, %s, 0)
    ON CONFLICT DO NOTHING
    RETURNING id
"""


def save_over(draft: Draft, revision: int) -> bool:
    """Store the draft over that revision of it, where the batch is open and the answer not
    frozen; False where nothing was stored."""
    lock = "FOR NO KEY UPDATE" if connection.features.has_select_for_no_key_update else ""
    changed = [
        _stored(name, getattr(draft, name))
        for name in ("posted", "complete", "saved_at", "active_seconds", "paradata")
    ]
    return bool(fetch(_SAVE.format(lock=lock), [*changed, draft.pk, revision, draft.assignment_id]))


def open_draft(assignment: Assignment, question: int, now: datetime) -> Draft | None:
    """The empty draft of a question that is shown for the first time; None where it has one."""
    values = [_stored("posted", {}), False, _stored("first_shown_at", now)]
    rows = fetch(_OPEN, [assignment.pk, question, *values])
    if not rows:
        return None
    draft = Draft(pk=rows[0][0], assignment=assignment, question_id=question, first_shown_at=now)
    draft._state.adding = False
    return draft


def _stored(name: str, value: object) -> Any:
    """A value as its field gives it to the database."""
    return Draft._meta.get_field(name).get_db_prep_save(value, connection)  # type: ignore[union-attr]
