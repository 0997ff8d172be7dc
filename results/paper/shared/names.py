"""Results without the names of people."""

from collections.abc import Mapping
from dataclasses import replace

from annotation.models import Rater, Study
from annotation.rater_names import BETWEEN
from estimates.data.rows import Row
from estimates.report.cache import Report


def new_names(study: Study) -> dict[str, str]:
    """The names of people whose answers were imported -> what they are called instead. Those who
    answered here have pseudonyms already."""
    people = study.raters.filter(kind=Rater.Kind.HUMAN, origin=Rater.Origin.IMPORTED)
    judges = study.raters.filter(kind=Rater.Kind.JUDGE).values("name")
    names = people.exclude(name__in=judges).order_by("pk").values_list("name", flat=True)
    return {name: f"person {at}" for at, name in enumerate(dict.fromkeys(names), 1)}


def without_names(report: Report, names: Mapping[str, str]) -> Report:
    """The report under the new names."""
    return replace(report, rows=tuple(_renamed(row, names) for row in report.rows))


def _renamed(row: Row, names: Mapping[str, str]) -> Row:
    parties = row.raters.split(BETWEEN)
    raters = BETWEEN.join(names.get(name, name) for name in parties)
    estimate = row.estimate
    if estimate.undefined:
        reason = estimate.undefined
        for name in parties:
            if name in names:
                reason = reason.replace(f"answers of {name}", f"answers of {names[name]}")
        estimate = replace(estimate, undefined=reason)
    return replace(row, raters=raters, estimate=estimate)
