"""Give workers all that is stored about them in a study: theirs alone, and as they gave it.

Right answers and the roles of units stay out: they say nothing about the worker.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from annotation.models import (
    Annotation,
    Assignment,
    AssignmentUnit,
    ComprehensionTry,
    Draft,
    Participation,
)

Record = dict[str, Any]


def stored_about(participation: Participation) -> Record:
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
            "said_by_the_panel": participation.panel_session,
        },
        "invitations": _rows(worker.invitation_set.filter(study=study), "created_at", "note"),
        "consents": _consents(participation),
        "states": _rows(participation.state_changes.all(), "before", "after", "reason", "at"),
        "comprehension": [_try(one) for one in participation.comprehension_tries.all()],
        "batches": [_batch(one) for one in batches],
        "pay": _rows(
            participation.ledger.order_by("pk"),
            *("kind", "amount", "currency", "note", "created_at", "exported_at"),
        ),
    }


def _rows(found: Iterable[Any], *names: str) -> list[Record]:
    return [{name: getattr(row, name) for name in names} for row in found]


def _consents(participation: Participation) -> list[Record]:
    """Each with the words that were agreed to, where they were kept."""
    kept = participation.study.consent_texts.all()
    words = {(one.version, one.text_hash): (one.text, one.ethics) for one in kept}
    rows = participation.consents.order_by("pk")
    found = _rows(rows, "version", "text_hash", "of_age", "given_at")
    for one in found:
        one["text"], one["ethics"] = words.get((one["version"], one["text_hash"]), (None, None))
    return found


def _try(taken: ComprehensionTry) -> Record:
    asked = [{name: one.get(name) for name in ("question", "chosen")} for one in taken.answers]
    return {"number": taken.number, "passed": taken.passed, "at": taken.at, "answers": asked}


def _batch(batch: Assignment) -> Record:
    names = ("leased_at", "lease_until", "submitted_at", "late", "state", "comment", "feedback")
    units = list(batch.assignment_units.order_by("position"))
    places = {one.unit_id: one.position for one in units}
    return {
        "round": batch.round.name,
        **{name: getattr(batch, name) for name in names},
        "feedback_seen_at": batch.feedback_seen_at,
        "verdict": batch.verdict,
        "reviews": _rows(batch.reviews.all(), "verdict", "reason", "at"),
        "problems": [_problem(one) for one in units if one.problem],
        "drafts": _drafts(batch, places),
        "answers": _answers(batch, places),
    }


def _problem(one: AssignmentUnit) -> Record:
    return {"position": one.position, "text": one.problem}


def _drafts(batch: Assignment, places: Mapping[int, int]) -> list[Record]:
    names = ("posted", "complete", "first_shown_at", "saved_at", "active_seconds", "frozen_at")
    rows = batch.drafts.select_related("question__block").order_by("pk")
    return [_about(one, places) | _rows([one], *names)[0] for one in rows]


def _answers(batch: Assignment, places: Mapping[int, int]) -> list[Record]:
    names = ("answer", "created_at", "active_seconds", "superseded_at", "withdrawn_at")
    rows = batch.annotations.select_related("question__block").order_by("pk")
    return [_about(one, places) | _rows([one], *names, "excluded_reason")[0] for one in rows]


def _about(one: Draft | Annotation, places: Mapping[int, int]) -> Record:
    """Where in the batch the question stood."""
    block = one.question.block
    return {"position": places.get(one.question.unit_id), "block": block.position + 1}
