"""How many answers a study has, of whom, and how many of them count."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count

from annotation.models import Annotation, Rater, Study
from estimates.data.database import rater_records
from estimates.data.options import Options
from estimates.data.selection import left_out


@dataclass(frozen=True)
class AnswerCount:
    """Raters of one kind, and their answers that enter estimates. raters: None where these are
    numbers within a unit, so that nobody knows how many there are."""

    kind: str
    raters: int | None
    answers: int


def answer_counts(study: Study, options: Options) -> Sequence[AnswerCount]:
    """One count per kind of rater, zero included, of the answers that the options let count; one
    query, and one more where they leave out raters."""
    asked = options.only or options.without or study.numbers_raters
    raters = rater_records(study) if asked else []
    unknown = {rater.kind for rater in raters if rater.numbered}
    rows = (
        Annotation.objects.filter(study=study)
        .counted(excluded=options.excluded)
        .exclude(rater__in=left_out(raters, options))
        .order_by()
        .values("rater__kind")
        .annotate(raters=Count("rater", distinct=True), answers=Count("pk"))
    )
    counted = {
        kind: (None if kind in unknown else row["raters"], row["answers"])
        for row in rows
        for kind in [row["rater__kind"]]
    }
    return [AnswerCount(kind, *counted.get(kind, (0, 0))) for kind in Rater.Kind.values]
