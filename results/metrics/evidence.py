"""Evidence: how well the passages chosen for a claim meet the chains that people chose."""

from collections.abc import Iterator, Sequence

from agreement import Estimate, best_chain_scores_each, mean_by
from annotation.models.rater_names import CHAINS, CHOSEN
from results.data.evidence import Evidence
from results.data.groups import EVIDENCE
from results.data.options import Options
from results.data.rows import Group, Row
from results.data.study_data import StudyData
from results.metrics.averages import POPULATION, SET_SCORES

# Neither is anybody's answer: passages come marked as chosen, and chains with the sources.
FACET = "evidence"
AGGREGATION = "per_source"


def retrieval_rows(data: StudyData, options: Options) -> Iterator[Row]:
    """Best-chain precision, recall and F1 of the passages that machines chose, and the size of
    both; as a whole and by who chose. No row without sources that have both."""
    found = data.evidence
    if not found:
        return
    groups: list[Group] = [{}, *({EVIDENCE: name} for name in sorted({e.chooser for e in found}))]
    for group in groups:
        own = [one for one in found if not group or group[EVIDENCE] == one.chooser]
        yield from _rows(own, group, options)


def _rows(found: Sequence[Evidence], group: Group, options: Options) -> Iterator[Row]:
    scores = best_chain_scores_each([one.chosen for one in found], [one.chains for one in found])
    for name in SET_SCORES:
        estimate = _mean(found, getattr(scores, name).tolist(), options)
        yield _row(f"retrieval_{name}", CHOSEN, group, estimate)
    chosen = _mean(found, [len(one.chosen) for one in found], options)
    yield _row("evidence_size", CHOSEN, group, chosen)
    # As published: of several chains the last one is taken.
    last = _mean(found, [len(one.chains[-1]) for one in found], options)
    yield _row("evidence_size", CHAINS, group, last)


def _mean(found: Sequence[Evidence], values: Sequence[float], options: Options) -> Estimate:
    return mean_by(
        values, [one.source for one in found], ddof=POPULATION, bootstrap=options.bootstrap
    )


def _row(metric: str, raters: str, group: Group, estimate: Estimate) -> Row:
    return Row(
        metric=metric,
        facet=FACET,
        raters=raters,
        group=group,
        aggregation=AGGREGATION,
        estimate=estimate,
    )
