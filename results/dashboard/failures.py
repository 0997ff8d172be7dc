"""How the calls of a study's judges ended."""

from django.db.models import Count

from annotation.models import Rater, Study
from estimates.data.report_names import report_names
from judges.models import Call


def judge_calls(study: Study) -> dict[str, dict[Call.Status, int]]:
    """Name of a judge in reports -> status -> number of calls, in the order of the statuses;
    without judges that have no calls in this study. Two queries."""
    names = report_names(study, list(study.raters.filter(kind=Rater.Kind.JUDGE).order_by("name")))
    rows = (
        Call.objects.filter(run__study=study, run__probe_set=None)
        .order_by()
        .values_list("run__rater_id", "status")
        .annotate(n=Count("pk"))
    )
    counts = {(rater, status): n for rater, status, n in rows}
    used = [status for status in Call.Status if any(status == counted for _, counted in counts)]
    return {
        name: {status: counts.get((rater, status.value), 0) for status in used}
        for rater, name in names.items()
        if any(rater == counted for counted, _ in counts)
    }
