"""The paragraph on results: what the cards of the first screen say, for every facet, with what
their figures mean."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from annotation.models import Study
from estimates.catalogue import alpha_of, metric
from estimates.catalogue.judges import KENDALL_TAU_B, PEARSON, SPEARMAN
from estimates.catalogue.scorecard import TRUE_POSITIVE_RATE
from estimates.catalogue.scores import STRENGTH
from estimates.catalogue.systems import DIFFERENCE_P_HOLM
from estimates.report.cache import Report
from estimates.report.main_facet import facets_of
from results.paper.citations import of_metric
from results.paper.paragraphs import Paragraph, Sentence
from results.reading import judges, people, systems
from results.reading.bounds import defined
from results.reading.judge_sentences import answer_about, beside_baselines
from results.reading.judge_verdicts import JudgeVerdict, verdict_on
from results.reading.people_sentences import answer_about_people
from results.reading.rows import FacetRows, RowIndex
from results.reading.system_sentences import MISSING_REASONS, answer_about_systems
from results.reading.wording import interval, listed, named, number, sized
from results.summary.published import published_cards
from tasktypes.facets import Facet

CITED = ("krippendorff2011", "krippendorff2004")
# Judges with a sentence each in one facet; tables have all.
MOST_JUDGES = 5
NOTHING = (people.PeopleVerdict.NOBODY, people.PeopleVerdict.ONE_PERSON)
CORRELATED = (JudgeVerdict.FOLLOWS, JudgeVerdict.AGAINST)
DIFFERENCE = (
    "How much more people agree with each other than with a judge is a mean over units, leaving "
    "one person out at a time; ε is the largest such difference that is allowed."
)
RANKS = (
    "A correlation is 1 where a judge orders texts as people do, and 0 where its order has nothing "
    "to do with theirs; its scores are no ratings on people’s scale."
)
FINDS = "A judge finds a label in a share of the units to which people together give that label."


def results_of(report: Report) -> Paragraph:
    """The results of every facet that people answered; nothing where nothing can be said."""
    study = report.study
    if study.has_published_figures:
        return Paragraph(
            [Sentence(card.answer.sentence) for card in published_cards(RowIndex(report.rows))]
        )
    facets = facets_of(study)
    said = [sentence for facet in facets for sentence in _of_facet(report, facet, len(facets))]
    if not said:
        return Paragraph([])
    meanings = list(_meanings(report, facets))
    if any(sentence.head for sentence in said):  # before the facets, rather than within the last
        return Paragraph([*_before(study, report), *meanings, *said])
    return Paragraph([*_before(study, report), *said, *meanings])


def _before(study: Study, report: Report) -> Iterator[Sentence]:
    if study.state == Study.State.OPEN:
        yield Sentence("The study is still open, so these figures are preliminary.")
    level = f"{100 * report.options.confidence:g} %"
    yield Sentence(
        f"Each figure is followed by its {level} interval, where it has one, and by n, the number "
        "of units, or of sources where systems are compared."
    )


def _of_facet(report: Report, facet: Facet, facets: int) -> Iterator[Sentence]:
    """People, then judges, then systems; a paragraph of its own where there are several facets."""
    rows = _rows(report, facet)
    said = [*_people(rows), *_judges(rows, report.epsilon), *_systems(rows)]
    if said and facets > 1:
        said[0] = replace(said[0], head=facet.title)
    yield from said


def _rows(report: Report, facet: Facet) -> FacetRows:
    return FacetRows(facet, report.rows, report.versions)


def _people(rows: FacetRows) -> Iterator[Sentence]:
    answer = answer_about_people(rows)
    if answer.verdict not in NOTHING:
        alpha = alpha_of(rows.facet.distance)
        first, stop, rest = answer.sentence.partition(". ")
        keys = of_metric(alpha) if defined(rows.get(alpha)) else ()
        yield Sentence(f"{first}{stop.strip()}", keys)
        if rest:
            yield Sentence(rest)


def _judges(rows: FacetRows, epsilon: float) -> Iterator[Sentence]:
    """A sentence for each; those whose scores are correlated with people's share one."""
    ranked: dict[str, list[judges.Judge]] = {}
    for judge in _shown(rows):
        answer = answer_about(judge, epsilon)
        if answer.verdict in CORRELATED:
            ranked.setdefault(judge.follows_by, []).append(judge)
            if text := beside_baselines(judge):
                yield Sentence(text)
        else:
            yield Sentence(answer.sentence)
    for name, those in ranked.items():
        yield Sentence(_correlations(name, those), of_metric(name))


def _correlations(name: str, those: Sequence[judges.Judge]) -> str:
    """The correlation of each with people's answers, with its interval; n is that of the first
    where all have the same."""
    found = [(judge.name, judge.follows) for judge in those if judge.follows is not None]
    sizes = {sized(follows) for _name, follows in found}
    each = [
        f"{number(float(follows))} ({interval(follows)}"
        f"{f', {sized(follows)}' if len(sizes) > 1 else ''}) for {named(judge)}"
        for judge, follows in found
    ]
    size = f" ({', '.join(filter(None, sizes))})" if len(sizes) == 1 and any(sizes) else ""
    title = str(metric(name).title)
    return f"{title} with people’s answers is {listed(each, len(each))}{size}."


def _shown(rows: FacetRows) -> Sequence[judges.Judge]:
    return judges.judges_of(rows)[:MOST_JUDGES] if rows.answered else ()


def _systems(rows: FacetRows) -> Iterator[Sentence]:
    answer = answer_about_systems(rows)
    if answer.verdict not in MISSING_REASONS:
        by = systems.systems_of(rows).by
        yield Sentence(answer.sentence, of_metric(STRENGTH) if by == STRENGTH else ())


def _meanings(report: Report, facets: Sequence[Facet]) -> Iterator[Sentence]:
    """What the figures mean that were named."""
    every = [_rows(report, facet) for facet in facets]
    if any(defined(rows.get(alpha_of(rows.facet.distance))) for rows in every):
        yield Sentence(
            "α is 1 for perfect agreement and 0 for agreement by chance. It counts as reliable "
            f"from {people.FIRM:g} on, and as enough for tentative conclusions from "
            f"{people.TENTATIVE:g} on.",
            CITED,
        )
    yield from _meanings_of_judges(every, report.epsilon)
    if tests_systems(report, facets):
        text = "p-values and intervals of systems are Holm-corrected for all pairs of systems."
        yield Sentence(text, of_metric(DIFFERENCE_P_HOLM))


def tests_systems(report: Report, facets: Sequence[Facet]) -> bool:
    """Whether the results of some facet rest on tests of systems."""
    return any(systems.systems_of(_rows(report, facet)).pairs for facet in facets)


def _meanings_of_judges(every: Sequence[FacetRows], epsilon: float) -> Iterator[Sentence]:
    shown = [judge for rows in every for judge in _shown(rows)]
    if any(defined(judge.difference) for judge in shown):
        yield Sentence(DIFFERENCE, ("nili2014",))
    if any(judge.worst is not None for judge in shown):
        yield Sentence(FINDS, of_metric(TRUE_POSITIVE_RATE))
    follows = {judge.follows_by for judge in shown} & {PEARSON, SPEARMAN, KENDALL_TAU_B}
    if follows and any(verdict_on(judge, epsilon) in CORRELATED for judge in shown):
        yield Sentence(RANKS)
