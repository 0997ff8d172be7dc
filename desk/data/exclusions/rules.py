"""Exclusion rules: keeping that one was looked at, applying and undoing it."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from annotation.models import Assignment, ExclusionRule, Review, Study, User, log_change
from annotation.work.review import accept, exclude, undo
from desk.data.background.kinds import JobRefused
from desk.data.exclusions.conditions import Conditions
from desk.data.exclusions.previews import Preview

Verdict = Assignment.Verdict
CHANGED = "New answers came in after you looked, so nothing was excluded. Please look again."
APPLIED, NOT_APPLIED = "This rule has been applied already.", "This rule is not applied."


@transaction.atomic
def keep_rule(*, study: Study, conditions: Conditions, by: User) -> ExclusionRule:
    """The row of a rule whose effect somebody asks for: the same row for the same rule as long as
    it was not applied."""
    rows = ExclusionRule.objects.filter(study=study, digest=conditions.digest, applied_at=None)
    rule = rows.order_by("pk").first()
    if rule is not None:
        return rule
    return ExclusionRule.objects.create(
        study=study,
        conditions=conditions.as_json(),
        digest=conditions.digest,
        text=conditions.text,
        by=by,
    )


def keep_outcome(
    study: Study, conditions: Mapping[str, Any], outcome: Mapping[str, Any], revision: int
) -> None:
    """Keep with a rule that is not applied what it would do as of that revision."""
    digest = Conditions.from_json(conditions).digest
    summary = Preview.from_json(study, outcome).summary()
    rows = ExclusionRule.objects.filter(study=study, digest=digest, applied_at=None)
    rows.update(outcome=summary, revision=revision)


@transaction.atomic
def apply_rule(*, rule: ExclusionRule, effect: Preview, seen: str, by: User) -> int:
    """Exclude the answers that the preview showed, with the rule as their reason; how many batches.

    Nothing is deleted, work stays paid, and `undo_rule` takes it back. effect: what the rule would
    do now; Refused where it describes other batches than were looked at.
    """
    if effect.seen != seen:
        raise JobRefused(CHANGED)
    rows = ExclusionRule.objects.filter(pk=rule.pk, applied_at=None)
    if not rows.update(applied_at=timezone.now(), applied_by=by, outcome=effect.summary()):
        raise JobRefused(APPLIED)
    rule.assignments.set(effect.assignments)
    log_change(
        study=rule.study,
        by=by,
        action="exclusions.applied",
        subject=rule.text,
        detail={"rule": rule.pk, **effect.summary()},
    )
    batches = Assignment.objects.filter(pk__in=effect.assignments)
    return len(exclude(assignments=batches, reason=rule.text, by=by))


@transaction.atomic
def undo_rule(*, rule: ExclusionRule, by: User) -> int:
    """Count the answers again that the rule excluded, where there is room; how many batches.
    Refused where it is not applied.

    Batches that were decided otherwise since stay as they are.
    """
    rows = ExclusionRule.objects.filter(pk=rule.pk, undone_at=None).exclude(applied_at=None)
    if not rows.update(undone_at=timezone.now(), undone_by=by):
        raise JobRefused(NOT_APPLIED)
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
