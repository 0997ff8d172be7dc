"""Deciding by hand what is right: cases for adjudicators, audit samples and gold answers."""

from datetime import datetime
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models.accounts import User
from annotation.models.answers import Annotation
from annotation.models.material import Question
from annotation.models.study import Block, Study
from tasktypes.schemas import Schema


class CaseQuerySet(models.QuerySet["AdjudicationCase"]):
    """Selections of cases, and the conditional UPDATEs by which they are claimed."""

    def open(self) -> Self:
        """Cases that nobody has decided or set aside."""
        return self.filter(state=AdjudicationCase.State.OPEN)

    def free(self, *, by: User, now: datetime) -> Self:
        """Open cases that this adjudicator may take: nobody else holds them at the moment."""
        nobody = Q(holder=None) | Q(held_until__lte=now) | Q(holder=by)
        return self.open().filter(nobody)

    def held(self, *, by: User, now: datetime) -> Self:
        """Open cases that this adjudicator holds."""
        return self.open().filter(holder=by, held_until__gt=now)

    def take(self, *, by: User, now: datetime, until: datetime) -> int:
        """Claim these cases. Fewer rows than expected: somebody else was quicker."""
        return self.free(by=by, now=now).update(holder=by, held_until=until)


class AdjudicationCase(models.Model):
    """A question that somebody is to decide, with what its holder has entered so far."""

    class Why(models.TextChoices):
        DISAGREEMENT = "disagreement"
        AUDIT = "audit"
        ASKED = "asked"

    class State(models.TextChoices):
        OPEN = "open"
        DECIDED = "decided"
        # Nobody could tell: it leaves the queue without a gold answer.
        SET_ASIDE = "set_aside"

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="adjudication_cases")
    question = models.ForeignKey(
        Question, on_delete=models.CASCADE, related_name="adjudication_cases"
    )
    why = models.CharField(max_length=12, choices=Why.choices)
    state = models.CharField(max_length=9, choices=State.choices, default=State.OPEN)
    # How contested the question is, from 0 to 1; empty where that is not known.
    score = models.FloatField(null=True, blank=True)
    # A seeded random number: the order among cases of one score, and of an audit sample.
    shuffle = models.PositiveIntegerField(default=0)
    # Who works on it, and until when nobody else can take it.
    holder = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    held_until = models.DateTimeField(null=True, blank=True)
    # {field: [values]} exactly as the form posts it, and the reason so far.
    posted = models.JSONField(default=dict, blank=True)
    reason = models.TextField(blank=True)
    # The answer that its holder began with, until whoever gave it withdraws.
    begun_with = models.ForeignKey(
        Annotation, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    # Counts saves, to detect a form that was loaded before another tab saved.
    revision = models.PositiveIntegerField(default=0)
    # Who first asked to see who had given which answer; empty: it was decided blind.
    revealed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    revealed_at = models.DateTimeField(null=True, blank=True)
    # Empty where the account is gone.
    sent_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = CaseQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["question"], condition=Q(state="open"), name="one_open_case"
            ),
            models.CheckConstraint(
                condition=Q(holder__isnull=True) | Q(held_until__isnull=False),
                name="held_case_has_its_end",
            ),
        ]
        indexes = [models.Index(fields=["study", "state"], name="case_by_state")]

    def __str__(self) -> str:
        return f"case {self.pk}"

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN

    @property
    def is_blind(self) -> bool:
        """Whether its pages still hide who wrote and who answered what."""
        return self.is_open and self.revealed_at is None

    def is_held_by(self, user: User, now: datetime) -> bool:
        """Whether the case is this adjudicator's at the moment."""
        return self.holder_id == user.pk and self.held_until is not None and self.held_until > now


class AuditSample(models.Model):
    """Questions drawn at random among those with a consensus, to estimate how often that errs."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="audits")
    block = models.ForeignKey(Block, on_delete=models.CASCADE, related_name="+")
    seed = models.BigIntegerField()
    # {stratum: {"population": N, "drawn": n}} as of the draw.
    strata = models.JSONField()
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"audit {self.pk}"


class AuditedQuestion(models.Model):
    """A question in an audit sample, and the probability with which it was drawn."""

    audit = models.ForeignKey(AuditSample, on_delete=models.CASCADE, related_name="questions")
    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="+")
    stratum = models.CharField(max_length=20)
    inclusion = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["audit", "question"], name="audited_once"),
            models.CheckConstraint(
                condition=Q(inclusion__gt=0, inclusion__lte=1), name="inclusion_a_probability"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.question_id} in {self.audit_id}"


class GoldQuerySet(models.QuerySet["GoldAnswer"]):
    """Selections of gold answers."""

    def current(self) -> Self:
        """The newest of each question."""
        return self.filter(superseded_at=None)


class GoldAnswer(models.Model):
    """What an adjudicator decided to be right. Never edited: a correction is a new row."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="gold_answers")
    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="gold_answers")
    answer = models.JSONField()
    reason = models.TextField(blank=True)
    # Whether it was decided without being told who had given which answer.
    blind = models.BooleanField(default=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    at = models.DateTimeField(auto_now_add=True)
    case = models.ForeignKey(
        AdjudicationCase, on_delete=models.SET_NULL, null=True, blank=True, related_name="gold"
    )
    # The answer that the adjudicator began with, until whoever gave it withdraws.
    begun_with = models.ForeignKey(
        Annotation, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    supersedes = models.OneToOneField(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="superseded_by"
    )
    superseded_at = models.DateTimeField(null=True, blank=True)

    objects = GoldQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["question"],
                condition=Q(superseded_at__isnull=True),
                name="one_current_gold_answer",
            )
        ]
        indexes = [
            models.Index(
                fields=["study"], name="gold_current", condition=Q(superseded_at__isnull=True)
            )
        ]

    def __str__(self) -> str:
        return f"gold {self.pk}"

    @property
    def typed_answer(self) -> Schema:
        return self.question.typed_answer(self.answer)
