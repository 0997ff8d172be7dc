"""Why an answer is not counted."""

from annotation.models import Annotation, Unit


def why_not_counted(annotation: Annotation) -> str:
    """The reason why an answer enters no estimate, empty where it does.

    The same rule for one row as `AnnotationQuerySet.counted` for a query.
    """
    if annotation.superseded_at is not None:
        return "replaced by a later answer"
    round_ = annotation.round
    return reason_not_counted(
        withdrawn=annotation.withdrawn_at is not None,
        excluded_reason=annotation.excluded_reason,
        surplus=annotation.surplus,
        uncounted_round="" if round_ is None or round_.counts else round_.name,
        role=annotation.question.unit.role,
    )


def reason_not_counted(
    *, withdrawn: bool, excluded_reason: str, surplus: bool, uncounted_round: str, role: str
) -> str:
    """The same of an answer that no later one replaced. uncounted_round: the name of its round
    where that enters no estimate."""
    if withdrawn:
        return "withdrawn"
    if excluded_reason:
        return f"excluded: {excluded_reason}"
    if surplus:
        return "surplus"
    if uncounted_round:
        return f"round {uncounted_round} does not count"
    return "" if role == Unit.Role.NORMAL else f"{role} unit"
