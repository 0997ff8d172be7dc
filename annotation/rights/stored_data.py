"""A worker's data in a study, as handed out on request.

Right answers and roles of units stay out: they are not about the worker, and give controls away.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from annotation.models import (
    Annotation,
    Assignment,
    ComprehensionTry,
    Draft,
    PanelSubmission,
    Participation,
    Rater,
    Seat,
    Withdrawal,
)
from annotation.rights.set_aside import EMPTIED

StoredEntry = dict[str, Any]


def stored_about(participation: Participation) -> StoredEntry:
    """Everything about the worker in this study, ready to be written as JSON."""
    worker, study = participation.worker, participation.study
    batches = participation.assignments.select_related("round").order_by("pk")
    return {
        "study": {"slug": study.slug, "title": study.title},
        "worker": {
            "panel": worker.panel,
            "id_on_the_panel": worker.external_id,
            "known_since": worker.created_at,
            "erased_at": worker.erased_at,
        },
        "participation": {
            "pseudonym": participation.pseudonym,
            "state": participation.state,
            "arrived_at": participation.arrived_at,
            "introduced_at": participation.introduced_at,
            "keys": participation.keys,
            "said_by_the_panel": participation.panel_session,
            "told_by_a_file": _properties(participation),
            "seat": _rows(Seat.objects.filter(participation=participation), "number", "name"),
            "questionnaire": participation.questionnaire,
        },
        "submissions_on_the_panel": [
            _submission(entry) for entry in participation.panel_submissions.order_by("pk")
        ],
        "invitations": _rows(worker.invitation_set.filter(study=study), "created_at", "note"),
        "consents": _consents(participation),
        "states": _rows(participation.state_changes.all(), "before", "after", "reason", "at"),
        "comprehension": [_try(entry) for entry in participation.comprehension_tries.all()],
        "batches": [_batch(entry) for entry in batches],
        "withdrawn": _withdrawn(participation),
        "pay": _rows(
            participation.ledger.order_by("pk"),
            *("kind", "amount", "currency", "note", "created_at", "exported_at"),
        ),
    }


def _withdrawn(participation: Participation) -> StoredEntry | None:
    """What a withdrawal has set aside, as long as it is not erased."""
    kept = Withdrawal.objects.filter(participation=participation).first()
    if kept is None:
        return None
    words = {name: [row[1] for row in kept.content.get(name, ())] for name in EMPTIED}
    return {"at": kept.at, "erased_at_latest": kept.erase_at, "kept_until_then": words}


def _properties(participation: Participation) -> StoredEntry:
    """What an imported file says of the worker."""
    told = Rater.objects.filter(participation=participation).values_list("metadata", flat=True)
    return told.first() or {}


def _rows(rows: Iterable[Any], *names: str) -> list[StoredEntry]:
    return [{name: getattr(row, name) for name in names} for row in rows]


def _consents(participation: Participation) -> list[StoredEntry]:
    """Each consent with the text that was agreed to, where it is stored."""
    texts = participation.study.consent_texts.all()
    words = {(entry.version, entry.text_hash): (entry.text, entry.ethics) for entry in texts}
    rows = participation.consents.order_by("pk")
    consents = _rows(rows, "version", "text_hash", "of_age", "given_at")
    for entry in consents:
        entry["text"], entry["ethics"] = words.get(
            (entry["version"], entry["text_hash"]), (None, None)
        )
    return consents


def _submission(submission: PanelSubmission) -> StoredEntry:
    decisions = submission.decisions.order_by("pk")
    return {
        "id": submission.external_id,
        "status": submission.status,
        "code": submission.code,
        "started_at": submission.started_at,
        "completed_at": submission.completed_at,
        "decisions": _rows(decisions, "kind", "category", "message", "state", "created_at"),
        "bonuses": [
            {"minor_units": line.minor, "currency": line.payment.currency, "paid_at": line.paid_at}
            for line in submission.bonuses.select_related("payment").order_by("pk")
        ],
    }


def _try(try_: ComprehensionTry) -> StoredEntry:
    answers = [
        {name: answer.get(name) for name in ("question", "chosen")} for answer in try_.answers
    ]
    return {"number": try_.number, "passed": try_.passed, "at": try_.at, "answers": answers}


def _batch(batch: Assignment) -> StoredEntry:
    names = ("leased_at", "lease_until", "submitted_at", "late", "state", "comment", "feedback")
    units = list(batch.assignment_units.order_by("position"))
    places = {unit.unit_id: unit.position for unit in units}
    return {
        "round": batch.round.name,
        **{name: getattr(batch, name) for name in names},
        "feedback_seen_at": batch.feedback_seen_at,
        "verdict": batch.verdict,
        "reviews": _rows(batch.reviews.all(), "verdict", "reason", "at"),
        "problems": [
            {"position": unit.position, "text": unit.problem} for unit in units if unit.problem
        ],
        "drafts": _drafts(batch, places),
        "answers": _answers(batch, places),
    }


def _drafts(batch: Assignment, places: Mapping[int, int]) -> list[StoredEntry]:
    names = ("posted", "complete", "first_shown_at", "saved_at", "active_seconds", "paradata")
    rows = batch.drafts.select_related("question__block").order_by("pk")
    return [_about(draft, places) | _rows([draft], *names, "frozen_at")[0] for draft in rows]


def _answers(batch: Assignment, places: Mapping[int, int]) -> list[StoredEntry]:
    names = (
        *("answer", "reasons", "created_at", "active_seconds", "paradata", "metadata"),
        *("superseded_at", "withdrawn_at"),
    )
    rows = batch.annotations.select_related("question__block").order_by("pk")
    return [
        _about(annotation, places) | _rows([annotation], *names, "excluded_reason")[0]
        for annotation in rows
    ]


def _about(answer: Draft | Annotation, places: Mapping[int, int]) -> StoredEntry:
    """The question's position in the batch."""
    block = answer.question.block
    return {"position": places.get(answer.question.unit_id), "block": block.position + 1}
