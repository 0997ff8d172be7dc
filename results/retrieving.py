"""Evidence: how well the passages chosen for a claim meet the chains that people chose."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from agreement import Estimate, best_chain_scores_each, mean_by
from annotation.models import Item, Source, Study
from results.averaging import POPULATION, SET_SCORES
from results.groups import EVIDENCE
from results.options import Options
from results.rows import Group, Row

# Where people chose the passages, these are one of the chains they would be compared with.
PEOPLE = "human"
# Neither is anybody's answer: passages come marked as chosen, and chains with the sources.
FACET = "evidence"
CHOSEN, CHAINS = "selected", "chains"
AGGREGATION = "per_source"
CHUNK = 500


@dataclass(frozen=True)
class Evidence:
    """A source's chosen passages, its human chains, and the machines that chose, by its items."""

    source: int
    chosen: frozenset[int]
    chains: tuple[frozenset[int], ...]
    choosers: set[str] = field(default_factory=set)


def retrieval_rows(study: Study, options: Options) -> Iterator[Row]:
    """Best-chain precision, recall and F1 of the passages that machines chose, and the size of
    both; as a whole and by who chose. No row without sources that have both."""
    found = _evidence(study)
    if not found:
        return
    groups: list[Group] = [{}]
    names = {name for one in found for name in one.choosers}
    groups += [{EVIDENCE: name} for name in sorted(names)]
    for group in groups:
        own = [one for one in found if not group or group[EVIDENCE] in one.choosers]
        yield from _rows(own, group, options)


def _evidence(study: Study) -> list[Evidence]:
    """Two streamed queries; the second only where there are chains at all."""
    sources = Source.objects.filter(study=study).exclude(chains=[]).order_by("pk")
    found = {}
    for pk, chains, passages in sources.values_list("pk", "chains", "passages").iterator(CHUNK):
        chosen = frozenset(one["index"] for one in passages if one.get("selected"))
        if chosen:
            found[pk] = Evidence(pk, chosen, tuple(frozenset(chain) for chain in chains))
    if found:
        items = Item.objects.filter(study=study).exclude(evidence_source__in=("", PEOPLE))
        for source, name in items.values_list("source_id", "evidence_source").iterator(CHUNK):
            if source in found:
                found[source].choosers.add(name)
    return [one for one in found.values() if one.choosers]


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
    return mean_by(values, [one.source for one in found], ddof=POPULATION, **options.bootstrap)


def _row(metric: str, raters: str, group: Group, estimate: Estimate) -> Row:
    return Row(
        metric=metric,
        facet=FACET,
        raters=raters,
        group=group,
        aggregation=AGGREGATION,
        estimate=estimate,
    )
