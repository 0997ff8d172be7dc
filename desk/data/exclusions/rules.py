"""Exclusion rules: whom one describes, what it would change, applying and undoing it."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from annotation.models import (
    Annotation,
    Assignment,
    ExclusionRule,
    Participation,
    Review,
    Study,
    User,
    log_change,
)
from annotation.work.review import accept, exclude, undo
from desk.data.exclusions.conditions import Conditions
from desk.worker_records.beside_judges import beside_judges
from desk.worker_records.record import Record, records_of
from results.adjudication.left_out import Effects, effects_of

Verdict = Assignment.Verdict


class Changed(Exception):
    """The rule describes other batches than those that were looked at; nothing was excluded."""


class AppliedAlready(Exception):
    """The rule was applied or undone meanwhile."""


@dataclass(frozen=True)
class Described:
    """A worker whom a rule describes, why, and their batches that are not excluded yet."""

    participation: Participation
    reasons: Sequence[str]
    assignments: Sequence[int]


@dataclass(frozen=True)
class Preview:
    """What a rule would do at present. answers: counted answers that it would exclude."""

    described: Sequence[Described]
    answers: int
    effects: Effects

    @property
    def assignments(self) -> list[int]:
        """The batches (by id), ascending."""
        return sorted(key for each in self.described for key in each.assignments)

    @property
    def concerned(self) -> list[Described]:
        """Those who have batches to be excluded."""
        return [each for each in self.described if each.assignments]

    @property
    def seen(self) -> str:
        """What tells these batches from others: applying excludes what was looked at."""
        return hashlib.sha256(repr(self.assignments).encode()).hexdigest()[:16]

    def as_json(self) -> dict[str, Any]:
        """The outcome as it is kept with the rule."""
        return {
            "workers": len(self.concerned),
            "batches": len(self.assignments),
            "answers": self.answers,
            "facets": [
                {
                    "facet": effect.facet.name,
                    "metric": effect.metric,
                    "before": _bounds(effect.before),
                    "after": _bounds(effect.after),
                }
                for effect in self.effects.facets
            ],
        }


def _bounds(estimate: Any) -> list[float | None]:
    return [estimate.value, estimate.low, estimate.high]


def preview(study: Study, conditions: Conditions) -> Preview:
    """What the rule would do, computed from the current answers without writing anything."""
    described = _described(study, conditions)
    batches = [key for each in described for key in each.assignments]
    answers = list(
        Annotation.objects.filter(study=study, assignment__in=batches)
        .counted()
        .values_list("rater_id", "question_id")
    )
    return Preview(described, len(answers), effects_of(study, set(answers)))


def _described(study: Study, conditions: Conditions) -> list[Described]:
    """In the order of the workers' numbers; a constant number of queries."""
    submitted = Assignment.objects.filter(
        participation__study=study, state=Assignment.State.SUBMITTED
    )
    open_batches: dict[int, list[int]] = {}
    for participation, key, verdict in submitted.order_by("pk").values_list(
        "participation", "pk", "verdict"
    ):
        batches = open_batches.setdefault(participation, [])
        if verdict != Verdict.EXCLUDED:
            batches.append(key)
    came = study.participations.filter(pk__in=open_batches).order_by("number")
    close = _close_to_judges(study, conditions)
    return [
        Described(record.participation, reasons, open_batches[record.participation.pk])
        for record in records_of(study, list(came))
        for reasons in [list(_reasons(record, conditions, close))]
        if reasons
    ]


def _close_to_judges(study: Study, conditions: Conditions) -> Mapping[str, float]:
    """Name of a worker -> the lowest q of being closer to a judge than expected."""
    compared = beside_judges(study) if conditions.likeness_q is not None else None
    if compared is None:
        return {}
    lowest = {name: compared.furthest(name) for name in compared.by_rater}
    return {
        name: each.q
        for name, each in lowest.items()
        if each is not None and each.q is not None and (each.excess.value or 0) > 0
    }


def _reasons(record: Record, rule: Conditions, close: Mapping[str, float]) -> Iterator[str]:
    """Why the rule describes the worker, with the worker's own figure."""
    if _misses_controls(record, rule):
        yield f"{record.controls.right} of {record.controls.met} controls right"
    if rule.seconds is not None and record.pace and record.pace.seconds < rule.seconds:
        yield f"{record.pace.seconds:.1f} s per answer"
    run = record.longest_run
    if rule.longest_run is not None and run is not None and run.longest > rule.longest_run:
        yield f"the same answer {run.longest} times in a row"
    q = close.get(record.participation.pseudonym)
    if rule.likeness_q is not None and q is not None and q < rule.likeness_q:
        yield f"closer to a judge than expected (q {q:.2g})"
    if rule.rejected is not None and record.excluded >= rule.rejected:
        yield f"{record.excluded} batches excluded"
    if record.participation.number in rule.workers:
        yield "named"


def _misses_controls(record: Record, rule: Conditions) -> bool:
    share = record.controls.share
    if rule.control_accuracy is None or share is None:
        return False
    return record.controls.met >= rule.least_controls and share < rule.control_accuracy


def look_at(*, study: Study, conditions: Conditions, by: User) -> ExclusionRule:
    """Keep that somebody looked at this rule, and what it would have done.

    The same rule looked at again is the same row as long as it was not applied.
    """
    # Outside of the transaction: what takes seconds must not keep SQLite's other writers waiting.
    outcome, revision = preview(study, conditions).as_json(), study.revision
    return _keep_preview(study, conditions, by, outcome=outcome, revision=revision)


@transaction.atomic
def _keep_preview(
    study: Study, conditions: Conditions, by: User, *, outcome: dict[str, Any], revision: int
) -> ExclusionRule:
    rows = ExclusionRule.objects.filter(study=study, digest=conditions.digest, applied_at=None)
    rule = rows.order_by("pk").first()
    if rule is None:
        return ExclusionRule.objects.create(
            study=study,
            conditions=conditions.as_json(),
            digest=conditions.digest,
            text=conditions.text,
            outcome=outcome,
            revision=revision,
            by=by,
        )
    rule.outcome, rule.revision = outcome, revision
    rule.save(update_fields=["outcome", "revision"])
    return rule


def apply_rule(*, rule: ExclusionRule, seen: str, by: User) -> int:
    """Exclude the answers that the preview showed, with the rule as their reason; how many batches.

    Nothing is deleted, work stays paid, and `undo_rule` takes it back. Changed where the rule by
    now describes other batches than were looked at.
    """
    # Outside of the transaction, as in `look_at`.
    effect = preview(rule.study, Conditions.from_json(rule.conditions))
    if effect.seen != seen:
        raise Changed
    return _apply(rule, effect, by)


@transaction.atomic
def _apply(rule: ExclusionRule, effect: Preview, by: User) -> int:
    rows = ExclusionRule.objects.filter(pk=rule.pk, applied_at=None)
    if not rows.update(applied_at=timezone.now(), applied_by=by, outcome=effect.as_json()):
        raise AppliedAlready
    rule.assignments.set(effect.assignments)
    log_change(
        study=rule.study,
        by=by,
        action="exclusions.applied",
        subject=rule.text,
        detail={"rule": rule.pk, **effect.as_json()},
    )
    batches = Assignment.objects.filter(pk__in=effect.assignments)
    return len(exclude(assignments=batches, reason=rule.text, by=by))


@transaction.atomic
def undo_rule(*, rule: ExclusionRule, by: User) -> int:
    """Count the answers again that the rule excluded, where there is room; how many batches.

    Batches that were decided otherwise since stay as they are.
    """
    rows = ExclusionRule.objects.filter(pk=rule.pk, undone_at=None).exclude(applied_at=None)
    if not rows.update(undone_at=timezone.now(), undone_by=by):
        raise AppliedAlready
    detail = {"rule": rule.pk}
    log_change(
        study=rule.study, by=by, action="exclusions.undone", subject=rule.text, detail=detail
    )
    before = _verdicts_before(rule)
    accepted = [batch for batch, verdict in before if verdict == Verdict.ACCEPTED]
    others = [batch for batch, verdict in before if verdict != Verdict.ACCEPTED]
    return len(accept(assignments=accepted, by=by)) + len(undo(assignments=others, by=by))


def _verdicts_before(rule: ExclusionRule) -> list[tuple[Assignment, str]]:
    """The batches that are still excluded, each with the verdict that it had before."""
    earlier = Review.objects.filter(assignment=OuterRef("pk")).exclude(verdict=Verdict.EXCLUDED)
    newest = Subquery(earlier.order_by("-pk").values("verdict")[:1])
    still = rule.assignments.filter(verdict=Verdict.EXCLUDED).annotate(verdict_before=newest)
    return [(batch, batch.verdict_before or Verdict.OPEN) for batch in still]


def looked_at(study: Study) -> int:
    """How many different rules somebody has looked at."""
    rows = ExclusionRule.objects.filter(study=study).order_by()
    return rows.values("digest").distinct().count()
