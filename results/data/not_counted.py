"""Why an answer is not counted."""

from annotation.models import Annotation, Unit


def why_not_counted(annotation: Annotation) -> str:
    """The reason why an answer enters no estimate, empty where it does.

    The same rule for one row as `AnnotationQuerySet.counted` for a query.
    """
    if annotation.superseded_at is not None:
        return "replaced by a later answer"
    if annotation.withdrawn_at is not None:
        return "withdrawn"
    if annotation.excluded_reason:
        return f"excluded: {annotation.excluded_reason}"
    if annotation.surplus:
        return "surplus"
    if annotation.round is not None and not annotation.round.counts:
        return f"round {annotation.round.name} does not count"
    role = annotation.question.unit.role
    return "" if role == Unit.Role.NORMAL else f"{role} unit"
