"""How long a batch of a round takes."""

from statistics import median

from annotation.models import Assignment, Round

# The measured time is told from this many batches on.
ENOUGH = 5
RECENT = 25


def minutes_of(round_: Round) -> int | None:
    """How long a batch takes, as measured once enough people have done one, until then as the
    study file estimates it."""
    return _typical_minutes(round_) or round_.expected_minutes


def _typical_minutes(round_: Round) -> int | None:
    """The median of the latest batches submitted in time, rounded up."""
    submitted = Assignment.objects.filter(
        round=round_, state=Assignment.State.SUBMITTED, late=False
    )
    times = [
        (end - start).total_seconds() / 60
        for start, end in submitted.order_by("-pk").values_list("leased_at", "submitted_at")[
            :RECENT
        ]
        if end is not None
    ]
    return int(median(times)) + 1 if len(times) >= ENOUGH else None
