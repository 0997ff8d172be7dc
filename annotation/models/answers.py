"""Annotations, and their ratings for statistics."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Self

from django.db import models
from django.db.models import Q

from annotation.models.material import Question, Unit
from annotation.models.people import Rater
from annotation.models.rounds import Round
from annotation.models.study import Study
from annotation.models.work import Assignment
from tasktypes.facets import Value


@dataclass(frozen=True)
class Moment:
    """Which answers were stored at one moment (`annotation.answers.moments`), for whoever reads
    them for a while: those with keys up to `through`, but in none of these ranges, whose
    transactions had not committed. Whether they are excluded or withdrawn is as it is when they
    are read. revision: of the study that they are read of."""

    through: int
    revision: int
    open: tuple[tuple[int, int], ...] = ()

    def later(self, prefix: str = "") -> Q:
        """Of answers that came later. prefix: how the query's rows name their answer."""
        later, gaps = Q((f"{prefix}pk__gt", self.through)), Q()
        for first, last in self.open:
            gaps |= Q((f"{prefix}pk__gte", first), (f"{prefix}pk__lte", last))
        if self.open:  # nearly all answers are older, and need not be compared with each of them
            later |= Q((f"{prefix}pk__gte", self.open[0][0])) & gaps
        return later

    def unreplaced(self, prefix: str = "") -> Q:
        """Of answers that were there, and that no later one had replaced by then."""
        since = Annotation.objects.filter(self.later(), supersedes__isnull=False)
        not_then = Q((f"{prefix}superseded_at", None))
        replaced_since = Q((f"{prefix}pk__in", since.values("supersedes")))
        return ~self.later(prefix) & (not_then | replaced_since)


def unreplaced(moment: Moment | None, prefix: str = "") -> Q:
    """Of answers that no later one has replaced, now or at a moment."""
    return Q((f"{prefix}superseded_at", None)) if moment is None else moment.unreplaced(prefix)


class AnnotationQuerySet(models.QuerySet["Annotation"]):
    """Selections of answers: standing, counted, of one round; now, or as of a moment."""

    def unsealed(self, *, but: Collection[int] = ()) -> Self:
        """Without those of judges about the sealed half of a study. but: of raters whose answers
        there were published."""
        sealed = Question.objects.sealed().order_by().values("pk")
        others = Rater.objects.filter(kind=Rater.Kind.JUDGE).exclude(pk__in=but)
        judges = others.order_by().values("pk")
        # No joins: where no study has a sealed half, the first of the two lists is empty.
        return self.exclude(question__in=sealed, rater__in=judges)

    def standing(
        self, *, excluded: bool = False, moment: Moment | None = None, sealed: bool = False
    ) -> Self:
        """Answers that are not superseded, withdrawn or surplus. `excluded`: with excluded ones;
        `sealed`: with those of judges about the sealed half."""
        answers = self.filter(unreplaced(moment), withdrawn_at=None, surplus=False)
        answers = answers if sealed else answers.unsealed()
        return answers if excluded else answers.filter(excluded_reason="")

    def counted(
        self, *, excluded: bool = False, moment: Moment | None = None, sealed: bool = False
    ) -> Self:
        """The answers behind estimates: standing, normal units, imported or of counting rounds."""
        return self.standing(excluded=excluded, moment=moment, sealed=sealed).filter(
            Q(round=None) | Q(round__counts=True), question__unit__role=Unit.Role.NORMAL
        )

    def of_round(self, round_: Round, moment: Moment | None = None) -> Self:
        """Standing answers of one round, such as a pilot that enters no estimate."""
        standing = self.standing(moment=moment)
        return standing.filter(round=round_, question__unit__role=Unit.Role.NORMAL)


class Annotation(models.Model):
    """One answer of one rater to one question. Never edited: a correction is a new row."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="annotations")
    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="annotations")
    rater = models.ForeignKey(Rater, on_delete=models.CASCADE, related_name="annotations")
    replicate = models.PositiveSmallIntegerField(default=0)
    answer = models.JSONField()
    round = models.ForeignKey(Round, on_delete=models.SET_NULL, null=True, blank=True)
    assignment = models.ForeignKey(
        Assignment, on_delete=models.SET_NULL, null=True, blank=True, related_name="annotations"
    )
    active_seconds = models.FloatField(null=True, blank=True)
    # How often something was done at the question, as its draft had it; empty: not recorded.
    paradata = models.JSONField(null=True, blank=True)
    # A list of texts: what the study asked for beside the answer, or what an imported file says why
    # the rater answered so. Those of judges that run here are with their calls. Never scored.
    reasons = models.JSONField(null=True, blank=True)
    # Own columns of that file.
    metadata = models.JSONField(default=dict, db_default={}, blank=True)
    surplus = models.BooleanField(default=False)
    excluded_reason = models.CharField(max_length=200, blank=True)
    supersedes = models.OneToOneField(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="superseded_by"
    )
    superseded_at = models.DateTimeField(null=True, blank=True)
    # The worker withdrew: the content is erased, and this row is the tombstone.
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = AnnotationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["question", "rater", "replicate"],
                condition=Q(superseded_at__isnull=True),
                name="one_standing_answer",
            )
        ]
        indexes = [
            models.Index(fields=["study", "rater"], name="annotation_by_rater"),
            # The last answer of each study on a page of many, and how many came in a day.
            models.Index(fields=["study", "created_at"], name="annotation_by_time"),
        ]

    def __str__(self) -> str:
        return f"annotation {self.pk}"

    @property
    def values(self) -> dict[tuple[str, str], Value]:
        """Facet and element -> value, of its ratings, which were prefetched."""
        return {(rating.facet, rating.element): rating.value for rating in self.ratings.all()}


class Rating(models.Model):
    """One value of an answer: a number, a label or a set, on one facet of one element."""

    annotation = models.ForeignKey(Annotation, on_delete=models.CASCADE, related_name="ratings")
    # Copied from the annotation, so that reading a study's ratings is one indexed range scan.
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="+")
    facet = models.CharField(max_length=80)
    element = models.CharField(max_length=200, blank=True)
    number = models.FloatField(null=True)
    label = models.CharField(max_length=200, null=True)  # noqa: DJ001 (null = another kind)
    members = models.JSONField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["annotation", "facet", "element"], name="rating_once"),
            models.CheckConstraint(
                condition=(
                    Q(number__isnull=False, label__isnull=True, members__isnull=True)
                    | Q(number__isnull=True, label__isnull=False, members__isnull=True)
                    | Q(number__isnull=True, label__isnull=True, members__isnull=False)
                ),
                name="rating_holds_one_value",
            ),
        ]
        indexes = [models.Index(fields=["study", "facet"], name="rating_table")]

    def __str__(self) -> str:
        return f"{self.facet} of {self.annotation_id}"

    @property
    def value(self) -> Value:
        """The number, the label or the set."""
        if self.number is not None:
            return self.number
        return self.label if self.label is not None else frozenset(self.members or ())
