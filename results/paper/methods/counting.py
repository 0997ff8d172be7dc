"""How figures are computed: coefficients, intervals, tests, and the program."""

import re
from collections.abc import Iterator, Sequence

from annotation.models import Study
from annotation.rounds.collection import Standing
from estimates.catalogue import alpha_of, metric
from estimates.catalogue.judges import ALT_WINNING_RATE
from estimates.catalogue.systems import DIFFERENCE_P_HOLM
from estimates.data.options import SCORES
from estimates.data.parties import HUMANS, SIMULATED
from estimates.data.rows import Row
from estimates.report.cache import Report
from estimates.report.main_facet import facets_of
from judges.runs.provenance import code_version
from results.paper.citations import of_intervals, of_metric
from results.paper.findings import tests_systems
from results.paper.paragraphs import Sentence
from results.reading.bounds import generalises
from results.reading.rows import RowIndex
from results.reading.wording import listed, named
from tasktypes.facets import Facet

DRAWS = re.compile(r"([\d,]+) resamples of .*seed (\d+)")
GROUPED = re.compile(r"^jackknife over .*seed (\d+)")
# How several answers became one, in words.
COMBINED = {"mean": "averaged", "majority": "combined by majority"}
# Why intervals hold at every look.
AT_LOOKS = {
    Standing.COLLECTING: "While answers come in",
    Standing.STOPPED: "As the study was closed before all planned answers were in",
    Standing.BEYOND: "As more answers were counted than had been planned",
}
# Distances that are called after somebody, or by an abbreviation.
NAMES = {"jaccard": "Jaccard", "masi": "MASI", "kendall": "Kendall"}


def counting(report: Report) -> Iterator[Sentence]:
    """Sentences on the statistics that the report holds values of."""
    rows = [row for row in report.rows if row.estimate.value is not None]
    yield from _agreement(report.study, rows)
    yield from _consensus(rows)
    yield from _intervals(report, rows)
    yield from tests(report)
    yield from _replacement(report, rows)
    when = f"{report.computed_at:%Y-%m-%d}"
    yield Sentence(
        f"All figures were computed by Jurybox {code_version()} on {when}, from revision "
        f"{report.revision} of the answers.",
        ("jurybox",),
    )


def _agreement(study: Study, rows: Sequence[Row]) -> Iterator[Sentence]:
    """The coefficient of each facet that people answered, facets of one distance together."""
    by_distance: dict[str, list[Facet]] = {}
    for facet in (facet for block in study.blocks.all() for facet in block.facets):
        name = alpha_of(facet.distance)
        if RowIndex(rows).of(facet.name).where(name):
            by_distance.setdefault(facet.distance, []).append(facet)
    for distance, facets in by_distance.items():
        of = (
            ""
            if len(by_distance) == 1
            else f" for {listed([named(f.title) for f in facets], len(facets))}"
        )
        yield Sentence(
            f"Agreement is Krippendorff’s α with the {NAMES.get(distance, distance)} distance{of}.",
            of_metric(alpha_of(distance)),
        )


def _consensus(rows: Sequence[Row]) -> Iterator[Sentence]:
    beside = (row for row in rows if row.consensus and row.raters.startswith(f"{HUMANS}~"))
    names = sorted({str(row.consensus) for row in beside})
    if names:
        yield Sentence(
            "For comparisons of a judge with people together, people’s answers were "
            f"{' or '.join(COMBINED.get(name, f'combined by {name}') for name in names)}."
        )


def _intervals(report: Report, rows: Sequence[Row]) -> Iterator[Sentence]:
    bounded = [row for row in rows if row.estimate.low is not None and row.raters != SIMULATED]
    methods = {row.estimate.interval_method or "" for row in bounded}
    if not methods:
        return
    level = f"{100 * report.options.confidence:g} %"
    if any(method.startswith("jackknife") for method in methods):
        yield Sentence(
            f"Intervals ({level}) are by the jackknife over sources with Student’s t"
            f"{_seeded(methods)}.",
            ("mackinnon2023",),
        )
    yield from _of_whom(report, bounded)
    yield from _other_intervals(bounded)
    if report.standing in AT_LOOKS:
        yield Sentence(
            f"{AT_LOOKS[report.standing]}, intervals of headline figures hold at all looks "
            "together.",
            of_intervals([row for row in bounded if metric(row.metric).live]),
        )


def _of_whom(report: Report, bounded: Sequence[Row]) -> Iterator[Sentence]:
    """Whether intervals speak of other people as well."""
    drawn = [row for row in bounded if generalises(row.estimate)]
    if drawn:
        which = "people’s scores" if report.options.resample == SCORES else "people together"
        keys = [key for key in of_intervals(drawn) if key != "mackinnon2023"]
        text = f"Those of {which} hold for new sources and raters like these, the others for new "
        yield Sentence(f"{text}sources and these raters.", keys)
    else:
        yield Sentence("They hold for new sources and these raters.")


def _method(row: Row) -> str:
    return row.estimate.interval_method or ""


def _seeded(methods: set[str]) -> str:
    """The seed by which sources of a large study were put into groups."""
    seeds = {found.group(1) for method in methods if (found := GROUPED.search(method))}
    return f", leaving out random groups of them (seed {', '.join(sorted(seeds))})" if seeds else ""


def _other_intervals(bounded: Sequence[Row]) -> Iterator[Sentence]:
    for row in bounded:
        if found := DRAWS.search(_method(row)):
            resamples, seed = found.groups()
            yield Sentence(
                f"Those of quartiles are percentiles of {int(resamples.replace(',', '')):,} "
                f"bootstrap resamples of sources (seed {seed}).",
                ("efron1979",),
            )
            break
    for name, what in (("Wilson", "rates"), ("Newcombe", "differences of rates")):
        if own := [row for row in bounded if _method(row).startswith(name)]:
            yield Sentence(f"Those of {what} of single units are {name}’s.", of_intervals(own[:1]))


def tests(report: Report) -> Iterator[Sentence]:
    """How systems are compared, as people see them; nothing where they are not."""
    if tests_systems(report, facets_of(report.study)):
        yield Sentence(
            "Two systems are compared on the sources that both have: for these raters by the "
            "paired t test over sources, for raters like them by a mixed model in which sources "
            "and raters differ in how they take to a system, with Satterthwaite’s degrees of "
            "freedom. p and intervals are corrected over all pairs of systems by Holm’s method.",
            of_metric(DIFFERENCE_P_HOLM),
        )


def _replacement(report: Report, rows: Sequence[Row]) -> Iterator[Sentence]:
    if RowIndex(rows).where(ALT_WINNING_RATE):
        epsilon = report.epsilon
        yield Sentence(
            "Who is nearer to people, a judge or another person, was asked by the alternative "
            f"annotator test (ε = {epsilon:g}; p-values corrected over people by Benjamini and "
            "Yekutieli’s method).",
            of_metric(ALT_WINNING_RATE),
        )
