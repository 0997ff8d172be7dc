"""A worker's comment about a batch, before it is submitted."""

from annotation.models import Assignment

LONGEST = 2_000


def comment_on(*, assignment: Assignment, text: str) -> None:
    """Store a worker's comment about an open batch. A closed one keeps its comment."""
    text = text.strip()[:LONGEST]
    opened = Assignment.objects.filter(pk=assignment.pk, submitted_at=None)
    opened.exclude(state=Assignment.State.RETURNED).update(comment=text)
    assignment.comment = text
