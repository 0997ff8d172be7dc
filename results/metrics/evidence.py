"""Evidence: how well the passages chosen for a claim meet the chains that people chose."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Min

from agreement import Estimate, best_chain_scores_each, mean_by
from annotation.models import Item, Question, Source, Study, Unit
from annotation.models.rater_names import CHAINS, CHOSEN
from results.data.groups import EVIDENCE
from results.data.options import Options
from results.metrics.averages import POPULATION, SET_SCORES
from results.metrics.rows import Group, Row
from results.metrics.shares import units_apart

# Where people chose the passages, these are one of the chains they would be compared with.
PEOPLE = "human"
# Neither is anybody's answer: passages come marked as chosen, and chains with the sources.
FACET = "evidence"
AGGREGATION = "per_source"
CHUNK = 500


Passages = frozenset[int]


@dataclass(frozen=True)
class Evidence:
    """The passages that one machine chose for a source, and the source's human chains."""

    source: int
    chooser: str
    chosen: Passages
    chains: tuple[Passages, ...]


def retrieval_rows(study: Study, options: Options) -> Iterator[Row]:
    """Best-chain precision, recall and F1 of the passages that machines chose, and the size of
    both; as a whole and by who chose. No row without sources that have both."""
    found = _evidence(study)
    if not found:
        return
    groups: list[Group] = [{}, *({EVIDENCE: name} for name in sorted({e.chooser for e in found}))]
    for group in groups:
        own = [one for one in found if not group or group[EVIDENCE] == one.chooser]
        yield from _rows(own, group, options)


def _evidence(study: Study) -> list[Evidence]:
    """Every choice for a source once, however many items rest on it; the items of controls,
    training and examples do not count. Nothing more is read where there are no chains."""
    sources = Source.objects.filter(study=study).exclude(chains=[]).order_by("pk")
    rows = sources.values_list("pk", "chains", "passages").iterator(CHUNK)
    known = {pk: (_chains(chains), _selected(passages)) for pk, chains, passages in rows}
    if not known:
        return []
    items = Item.objects.filter(study=study).exclude(evidence_source__in=("", PEOPLE))
    items = items.exclude(units__in=units_apart(study)).order_by("source_id", "pk")
    choosers = list(items.values_list("pk", "key", "source_id", "evidence_source"))
    if not choosers:
        return []
    shown, unknown = _shown(study), set(_differing(study))
    found = dict[Evidence, None]()
    for pk, key, source, name in choosers:
        if source in known and (pk in shown or key not in unknown):
            chains, first = known[source]
            if chosen := shown.get(pk, first):
                found[Evidence(source, name, chosen, chains)] = None
    return list(found)


def _shown(study: Study) -> dict[int, Passages]:
    """Item -> the passages marked in the first normal question about it that shows any. A source
    keeps but the first selection of a file, and items of one source may have others."""
    showing = [b.pk for b in study.blocks.all() if "passages" in b.task_type.Payload.model_fields]
    normal = Question.objects.filter(
        study=study, block__in=showing, unit__role=Unit.Role.NORMAL
    ).exclude(payload__passages=[])
    firsts = normal.order_by().values("unit__items").annotate(first=Min("pk"))
    question_of = dict(firsts.values_list("unit__items", "first"))
    chosen = Question.objects.filter(pk__in=firsts.values("first"))
    rows = chosen.values_list("pk", "payload__passages").iterator(CHUNK)
    selected = {pk: _selected(passages) for pk, passages in rows}
    return {item: selected[question] for item, question in question_of.items()}


def _differing(study: Study) -> Sequence[str]:
    """Keys of the items that came with another selection than the source's own."""
    odd: Sequence[str] = study.imported.get("odd", {}).get("selected_passages_differ", [])
    return odd


def _selected(passages: Iterable[Mapping[str, Any]]) -> Passages:
    return frozenset(one["index"] for one in passages if one.get("selected"))


def _chains(chains: Iterable[Iterable[int]]) -> tuple[Passages, ...]:
    return tuple(frozenset(chain) for chain in chains)


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
