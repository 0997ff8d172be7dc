"""What came of the links that a run looked up."""

from collections import Counter

from django.db.models import Count

from judges.models import JudgeRun
from judges.retrieval.page import PageOutcome

# The step of the calls that hold retrievals, a line per link: its number, and the outcome.
STEP = "pages"


def pages_by_outcome(run: JudgeRun) -> list[tuple[str, int]]:
    """How many links had which outcome, in the order of the outcomes; those that occurred.

    One query, however large the run: links of different questions have the same few replies.
    """
    rows = run.calls.filter(step=STEP).order_by().values_list("reply").annotate(n=Count("pk"))
    counts: Counter[str] = Counter()
    for reply, n in rows:
        for line in reply.splitlines():
            counts[line.partition(": ")[2]] += n
    return [(one.value, counts[one.value]) for one in PageOutcome if counts[one.value]]
