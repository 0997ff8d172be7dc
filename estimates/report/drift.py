"""Drift of judges as rows of a report, from the askings of their probe sets.

The answers to probes are in no sample of a study. What an asking came to was computed once, when it
had ended, so a report only takes it over: the newest asking of each series that goes on.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from agreement import Estimate
from annotation.models import Study
from estimates.data.rows import POOLED, Row
from judges.models import DriftCheck
from judges.probes.drift import ACCURACY_P, Drift, Measure


def drift_rows(study: Study, versions: Mapping[str, int]) -> Iterator[Row]:
    """A row for each measure of each judge with a probe set that was asked again. versions: which
    version of a judge its plain name stands for in the report. One query."""
    checks = DriftCheck.objects.filter(run__study=study, run__probe_set__ended_at=None)
    newest: dict[str, DriftCheck] = {}
    for check in checks.exclude(found=None).select_related("run__judge").order_by("run_id"):
        judge = check.run.judge
        named_plainly = versions.get(judge.name, judge.version) == judge.version
        newest[judge.name if named_plainly else str(judge)] = check
    for name, check in newest.items():
        drift = Drift.from_json(check.figures)
        for measure in drift.measures:
            yield from _rows(name, measure, drift.look)


def _rows(judge: str, measure: Measure, look: int) -> Iterator[Row]:
    method = measure.estimate.interval_method
    at_look = f"{method}; look {look}" if method else None
    estimate = replace(measure.estimate, interval_method=at_look)
    yield _row(judge, measure.name, measure.facet, estimate)
    if measure.p_value is not None:
        p_value = Estimate(value=measure.p_value, n_units=estimate.n_units)
        yield _row(judge, ACCURACY_P, measure.facet, p_value)


def _row(judge: str, metric: str, facet: str, estimate: Estimate) -> Row:
    return Row(metric=metric, facet=facet, raters=judge, aggregation=POOLED, estimate=estimate)
