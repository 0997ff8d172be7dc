"""How many answers a study has, of whom, and how many of them count."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count

from annotation.models import Annotation, Rater, Study


@dataclass(frozen=True)
class AnswerCount:
    """Raters of one kind, and their answers that enter estimates."""

    kind: str
    raters: int
    answers: int


def answer_counts(study: Study) -> Sequence[AnswerCount]:
    """One count per kind of rater, zero included; one query."""
    rows = (
        Annotation.objects.filter(study=study)
        .counted()
        .order_by()
        .values("rater__kind")
        .annotate(raters=Count("rater", distinct=True), answers=Count("pk"))
    )
    found = {row["rater__kind"]: (row["raters"], row["answers"]) for row in rows}
    return [AnswerCount(kind, *found.get(kind, (0, 0))) for kind in Rater.Kind.values]
