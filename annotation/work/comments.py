"""Say something about a whole batch, before it is submitted."""

from annotation.models import Assignment

LONGEST = 2_000


def comment_on(*, assignment: Assignment, text: str) -> None:
    """Keep what a worker says about an open batch; a closed one keeps what was said before."""
    text = text.strip()[:LONGEST]
    opened = Assignment.objects.filter(pk=assignment.pk, submitted_at=None)
    opened.exclude(state=Assignment.State.RETURNED).update(comment=text)
    assignment.comment = text
