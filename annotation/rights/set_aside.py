"""What a withdrawal empties in every table, and how it is put back where it is taken back."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.db.models import Model, Q, QuerySet

from annotation.models import (
    Annotation,
    Assignment,
    AssignmentUnit,
    ComprehensionTry,
    PanelDecision,
    Participation,
    Rater,
    Rating,
    Review,
    StateChange,
)

REASON = "withdrawn"
AT_ONCE = 500
RATED = ("annotation_id", "study_id", "facet", "element", "number", "label", "members")

Rows = list[Any]
Content = dict[str, Rows]


class _Emptied(NamedTuple):
    """Columns of a model with what stands in them afterwards, in the rows of a participation, which
    they name so."""

    model: type[Model]
    participation: str
    columns: Mapping[str, Any]
    where: Q = Q()

    def rows(self, participation: Participation) -> QuerySet[Any]:
        mine: QuerySet[Any] = self.model._default_manager.filter(
            self.where, **{self.participation: participation.pk}
        )
        return mine


# The answers, superseded ones as well, what the worker wrote, and what was written to them and
# about their answers.
EMPTIED = {
    "answer": _Emptied(
        Annotation,
        "rater__participation",
        {"answer": {}, "active_seconds": None, "paradata": None, "reasons": None, "metadata": {}},
    ),
    "rater": _Emptied(Rater, "participation", {"metadata": {}}),
    "questionnaire": _Emptied(Participation, "pk", {"questionnaire": {}}),
    "exclusion": _Emptied(
        Annotation, "rater__participation", {"excluded_reason": REASON}, ~Q(excluded_reason="")
    ),
    "batch": _Emptied(Assignment, "participation", {"comment": "", "feedback": ""}),
    "problem": _Emptied(AssignmentUnit, "assignment__participation", {"problem": ""}),
    "review": _Emptied(Review, "assignment__participation", {"reason": ""}),
    "state": _Emptied(StateChange, "participation", {"reason": ""}, Q(by__isnull=False)),
    "try": _Emptied(ComprehensionTry, "participation", {"answers": []}),
    # Others are still on their way.
    "decision": _Emptied(
        PanelDecision, "submission__participation", {"message": ""}, Q(ended_at__isnull=False)
    ),
}
RATINGS = "rating"


def set_aside(participation: Participation) -> Content:
    """Empty all that, and return what was there."""
    ratings = Rating.objects.filter(annotation__rater__participation=participation)
    content: Content = {RATINGS: [list(row) for row in ratings.order_by("pk").values_list(*RATED)]}
    ratings.delete()
    for name, emptied in EMPTIED.items():
        rows = emptied.rows(participation)
        found = [[row.pop("pk"), row] for row in rows.order_by("pk").values("pk", *emptied.columns)]
        content[name] = [entry for entry in found if entry[1] != emptied.columns]
        rows.update(**emptied.columns)
    return content


def restore_content(participation: Participation, content: Content) -> None:
    """Fill in again what is still empty. What was written since stays."""
    for name, emptied in EMPTIED.items():
        before: dict[int, Mapping[str, Any]] = dict(content.get(name, []))
        rows = emptied.rows(participation).filter(pk__in=list(before))
        filled = [_fill(row, emptied.columns, before[row.pk]) for row in rows]
        emptied.model._default_manager.bulk_update(filled, list(emptied.columns), AT_ONCE)
    ratings = [Rating(**dict(zip(RATED, row, strict=True))) for row in content[RATINGS]]
    Rating.objects.bulk_create(ratings, batch_size=AT_ONCE)


def _fill(row: Any, columns: Mapping[str, Any], before: Mapping[str, Any]) -> Any:
    for name, empty in columns.items():
        if getattr(row, name) == empty:
            setattr(row, name, before.get(name, empty))
    return row
