"""A report with more of everything than a screen can list, and names that are hard to show."""

from itertools import combinations

from django.utils import timezone

from agreement import Estimate
from annotation.models import Study
from estimates.data.options import Options
from estimates.data.rows import Row
from estimates.report.cache import Report
from tasktypes.facets import Facet
from tests.results.reading.made import about, row

PEOPLE, SYSTEMS, JUDGES = 400, 30, 12
LONG = "a name of two hundred letters " * 6
ARABIC = "نظام طويل الاسم يكتب من اليمين إلى اليسار"


def name_of(at: int, kind: str) -> str:
    """Half of the names have 200 letters, the others run from right to left."""
    return f"{ARABIC} {kind} {at}" if at % 2 else f"{LONG}{kind} {at}"[:200]


def crowded_report(study: Study, facet: Facet) -> Report:
    """400 people, 12 judges and 30 systems (20 of them tested), each with figures of its own."""
    judges = [name_of(at, "judge") for at in range(JUDGES)]
    rows = [
        row("krippendorff_alpha_interval", about(0.7, 0.6, 0.8, 900, n_raters=PEOPLE), facet=facet),
        *(_person(at, facet) for at in range(PEOPLE)),
        *(of for at, judge in enumerate(judges) for of in _judge(judge, at, facet)),
        *(_system(at, facet) for at in range(SYSTEMS)),
        *(of for two in combinations(range(20), 2) for of in _pair(*two, facet)),
    ]
    versions = dict.fromkeys(judges, 1)
    return Report(study, study.revision, timezone.now(), Options(), tuple(rows), versions)


def _person(at: int, facet: Facet) -> Row:
    own = Estimate(value=at / PEOPLE, n_units=50)
    return row("agreement_with_others", own, name_of(at, "worker"), facet=facet)


def _judge(name: str, at: int, facet: Facet) -> list[Row]:
    figures = {
        "alt_gap": about(0.05, -0.02, 0.12 + at / 100, 900),
        "alt_winning_rate": Estimate(value=0.6),
        "alt_advantage_probability": about(0.8 - at / 100, 0.7, 0.9),
        "agreement_gap": about(0.05, -0.01, 0.11),
        "agreement_among_people": about(0.8, 0.78, 0.82),
        "agreement_with_people": about(0.75, 0.7, 0.8),
        "rate_bias": about(3.2, 1.1, 5.3),
    }
    unanswered = row("no_answer_share", about(0.34, 0.3, 0.38), name, facet=facet)
    return [unanswered, *(row(m, of, f"humans~{name}", facet=facet) for m, of in figures.items())]


def _system(at: int, facet: Facet) -> Row:
    return row(
        "mean", about(90.0 - at, 85.0 - at, 95.0 - at), facet=facet, system=name_of(at, "system")
    )


def _pair(first: int, second: int, facet: Facet) -> list[Row]:
    """Of systems in the order of their names, as in a report; only far ones differ."""
    names = {name_of(at, "system"): at for at in (first, second)}
    upper, lower = sorted(names)
    apart = float(names[lower] - names[upper])
    group = {"system": upper, "other_system": lower}
    p = Estimate(value=0.001 if abs(apart) > 4 else 0.6, n_units=12)
    difference = about(apart, apart - 4, apart + 4, 12)
    return [
        row("mean_difference", difference, facet=facet, **group),
        row("difference_p_these_holm", p, facet=facet, **group),
        row("difference_p_holm", p, facet=facet, **group),
    ]
