"""How far a worker has come, and how long batches and the way to the first of them take, for the
pages before and after a batch."""

from django.db.models import Count, OuterRef, Subquery

from annotation.models import Assignment, Block, Participation
from annotation.queries.compiled import CompiledQuery, Param, Row, as_moment

_SUBMITTED = Assignment.State.SUBMITTED
# The latest batches or people, whose times are looked at.
RECENT = 50

_times = CompiledQuery(
    lambda: (
        Assignment.objects.filter(round=Param("round"), state=_SUBMITTED, late=False)
        .exclude(submitted_at=None)
        .order_by("-pk")
        .values_list("leased_at", "submitted_at")[:RECENT]
    )
)
_first_batch = Assignment.objects.filter(participation=OuterRef("pk")).order_by("pk")
_began = CompiledQuery(
    lambda: (
        Participation.objects.filter(study=Param("study"))
        .annotate(began_at=Subquery(_first_batch.values("leased_at")[:1]))
        .exclude(began_at=None)
        .order_by("-number")
        .values_list("arrived_at", "began_at")[:RECENT]
    )
)
_by_round = CompiledQuery(
    lambda: (
        Assignment.objects.filter(participation=Param("participation"), state=_SUBMITTED)
        .values_list("round")
        .annotate(n=Count("pk"))
        .order_by("round")
    )
)
_blocks = CompiledQuery(lambda: Block.objects.filter(study=Param("study")).values_list("pk"))


def recent_minutes(round_: int) -> list[float]:
    """How many minutes each of the latest batches of a round took that were submitted in time."""
    return _minutes(_times.all(round=round_))


def recent_ways_in(study: int) -> list[float]:
    """How many minutes lay between arrival and first batch of each of those who began last."""
    return _minutes(_began.all(study=study))


def _minutes(times: list[Row]) -> list[float]:
    """Without those between which the clock was set back."""
    moments = [(as_moment(start), as_moment(end)) for start, end in times]
    return [(end - start).total_seconds() / 60 for start, end in moments if end >= start]


def submitted_counts(participation: int) -> dict[int, int]:
    """How many batches were submitted in each round that has any, by its key."""
    return dict(_by_round.all(participation=participation))


def count_blocks(study: int) -> int:
    """How many questions a study asks about each unit."""
    return len(_blocks.all(study=study))
