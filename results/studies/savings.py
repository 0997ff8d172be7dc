"""What each judge would save of people's answers, and what a cheaper allocation costs."""

from dataclasses import dataclass

from agreement.systems.allocation import Allocations, allocations_from
from estimates.catalogue.judges import SOURCE_CORRELATION
from estimates.data.parties import HUMANS
from estimates.report.cache import Report
from results.reading.rows import RowIndex


@dataclass(frozen=True)
class Savings:
    """The allocations with a judge."""

    judge: str
    allocations: Allocations


def savings_of(report: Report, facet: str) -> list[Savings]:
    """For the newest version of every judge that answered with people in a facet of numbers or two
    labels."""
    rows = RowIndex(report.rows).of(facet).where(SOURCE_CORRELATION, group={})
    return [
        Savings(row.second, allocations_from(row.estimate))
        for row in rows
        if row.first == HUMANS and row.second in report.versions
    ]
