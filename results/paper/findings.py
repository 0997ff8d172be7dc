"""The paragraph on results: what the cards of the first screen say, for every facet, with what
their figures mean."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from annotation.models import Study
from estimates.catalogue import (
    ALT_GAP,
    DIFFERENCE_P_HOLM,
    KENDALL_TAU_B,
    PEARSON,
    SPEARMAN,
    STRENGTH,
    TRUE_POSITIVE_RATE,
    alpha_of,
)
from estimates.report.cache import Report
from results.paper.citations import of_metric
from results.paper.paragraphs import Paragraph, Sentence
from results.summary import judge_card, judges, people, people_card, system_card, systems
from results.summary.facets import facets_of
from results.summary.facts import FacetRows, defined
from results.summary.published import published_cards
from tasktypes.facets import Facet

CITED = ("krippendorff2011", "krippendorff2004")
# Judges with a sentence each in one facet; tables have all.
MOST_JUDGES = 5
NOTHING = (people.Standing.NOBODY, people.Standing.ONE_PERSON)
NO_SYSTEMS = frozenset(system_card.SILENCES)
CORRELATED = (judges.Standing.FOLLOWS, judges.Standing.AGAINST)
LEAD = (
    "People’s lead over a judge is how much nearer a person’s answers are to other people’s than "
    "the judge’s are; ε is the lead that is allowed."
)
FINDS = (
    "A judge finds a label where it gives it, as a share of the units to which people together "
    "give it."
)


def results_of(report: Report) -> Paragraph:
    """The results of every facet that people answered; nothing where nothing can be said."""
    study = report.study
    if study.has_published_figures:
        return Paragraph([Sentence(card.sentence) for card in published_cards(report.rows)])
    epsilon = study.epsilon if report.options.epsilon is None else report.options.epsilon
    facets = facets_of(study)
    said = [
        sentence for facet in facets for sentence in _of_facet(report, facet, epsilon, len(facets))
    ]
    if not said:
        return Paragraph([])
    return Paragraph([*_before(study, report), *said, *_meanings(report, facets, epsilon)])


def _before(study: Study, report: Report) -> Iterator[Sentence]:
    if study.state == Study.State.OPEN:
        yield Sentence("The study is still open, so these figures are preliminary.")
    level = f"{100 * report.options.confidence:g} %"
    yield Sentence(
        f"Each figure is followed by its {level} interval, where it has one, and by n, the number "
        "of units, or of sources where systems are compared."
    )


def _of_facet(report: Report, facet: Facet, epsilon: float, facets: int) -> Iterator[Sentence]:
    """People, then judges, then systems; the facet is named where there are several."""
    rows = FacetRows.of(report, facet)
    said = [*_people(rows), *_judges(rows, epsilon), *_systems(rows)]
    if said and facets > 1:
        said[0] = replace(said[0], text=f"{facet.title}: {said[0].text}")
    yield from said


def _people(rows: FacetRows) -> Iterator[Sentence]:
    facts = people.gather(rows)
    verdict = people.standing(facts)
    if verdict not in NOTHING:
        keys = of_metric(alpha_of(rows.facet.distance)) if defined(facts.alpha) else ()
        first, stop, rest = people_card.sentence(facts, verdict).partition(". ")
        yield Sentence(f"{first}{stop.strip()}", keys)
        if rest:
            yield Sentence(rest)


def _judges(rows: FacetRows, epsilon: float) -> Iterator[Sentence]:
    if not rows.people:
        return
    for judge in _shown(rows, epsilon):
        verdict = judges.standing(judge, epsilon)
        keys = of_metric(judge.follows_by) if verdict in CORRELATED else ()
        yield Sentence(judge_card.sentence(judge, verdict, epsilon), keys)


def _shown(rows: FacetRows, epsilon: float) -> Sequence[judges.Judge]:
    return judges.in_order(judges.judges_of(rows), epsilon)[:MOST_JUDGES]


def _systems(rows: FacetRows) -> Iterator[Sentence]:
    facts = systems.gather(rows)
    verdict = systems.standing(facts)
    if verdict not in NO_SYSTEMS:
        keys = of_metric(STRENGTH) if facts.by == STRENGTH else ()
        yield Sentence(system_card.sentence(facts, verdict, rows.facet), keys)


def _meanings(report: Report, facets: Sequence[Facet], epsilon: float) -> Iterator[Sentence]:
    """What the figures mean that were named."""
    every = [FacetRows.of(report, facet) for facet in facets]
    alphas = [rows for rows in every if defined(people.gather(rows).alpha)]
    if alphas:
        yield Sentence(
            f"α is 1 where people always agree and 0 where they agree as by chance; from "
            f"{people.FIRM:g} on it is taken as reliable, from {people.TENTATIVE:g} on as enough "
            "for tentative conclusions.",
            CITED,
        )
    yield from _meanings_of_judges(every, epsilon)
    if tests_systems(report, facets):
        text = "p values of systems are corrected for all pairs of systems."
        yield Sentence(text, of_metric(DIFFERENCE_P_HOLM))


def tests_systems(report: Report, facets: Sequence[Facet]) -> bool:
    """Whether the results of some facet rest on tests of systems."""
    return any(systems.gather(FacetRows.of(report, facet)).pairs for facet in facets)


def _meanings_of_judges(every: Sequence[FacetRows], epsilon: float) -> Iterator[Sentence]:
    shown = [judge for rows in every if rows.people for judge in _shown(rows, epsilon)]
    leads = [
        (judge, judges.deciding_lead(judge, judges.standing(judge, epsilon)))
        for judge in shown
        if defined(judge.short) or defined(judge.gap)
    ]
    if leads:
        by_gap = any(lead is judge.gap for judge, lead in leads)
        by_short = any(lead is judge.short for judge, lead in leads)
        keys = [*(("nili2014",) if by_short else ()), *(of_metric(ALT_GAP) if by_gap else ())]
        yield Sentence(LEAD, keys)
    if any(judge.worst is not None for judge in shown):
        yield Sentence(FINDS, of_metric(TRUE_POSITIVE_RATE))
    follows = {judge.follows_by for judge in shown} & {PEARSON, SPEARMAN, KENDALL_TAU_B}
    if follows and any(judges.standing(judge, epsilon) in CORRELATED for judge in shown):
        yield Sentence("Correlations are 1 where a judge orders texts as people do.")
