"""Shares of items that a task type decides as a whole, such as transparent explanations."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import QuerySet

from agreement import Estimate, mean_by
from annotation.models import Block, Item, Source, Study, Unit
from results.data.options import Options
from results.data.parties import Party
from results.data.ratings import Ratings
from results.data.table import ITEM_FIELDS, Material
from results.metrics.averages import PER_ITEM, scores
from results.metrics.rows import Group, Row
from tasktypes import material as texts
from tasktypes.contract import ItemMetric

CHUNK = 500
NONE_COMPLETE = "no item with answers to all of its units"


@dataclass(frozen=True)
class WholeItem:
    """An item with its texts, how many units it has in the subset, and its groups."""

    pk: int
    source: texts.Source
    item: texts.Item
    source_pk: int
    n_units: int
    groups: tuple[Group, ...]


def share_rows(
    study: Study,
    block: Block,
    ratings: Ratings,
    parties: Iterable[Party],
    options: Options,
) -> Iterator[Row]:
    """The item metrics of a block for each party, as a whole and by group of items."""
    for metric in block.task_type.item_metrics:
        if metric.facet != ratings.facet.name or metric.subset not in ratings.material.subsets:
            continue
        items = list(_whole_items(study, ratings.material, metric.subset))
        for party in parties:
            theirs = ratings.by(party.raters)
            if len(theirs):
                decided = _decide(metric, items, _scores_by_item(theirs, metric.subset), block)
                yield from _rows(metric, party, decided, options)


def _whole_items(study: Study, material: Material, subset: str) -> Iterator[WholeItem]:
    """Every item that is no control's, units or none; two streamed queries."""
    n_units = _units_per_item(material, subset)
    sources = {source.pk: source for source in Source.objects.filter(study=study).iterator(CHUNK)}
    typed = {pk: source.material for pk, source in sources.items()}
    items = Item.objects.filter(study=study).exclude(units__in=units_apart(study)).order_by("pk")
    for item in items.iterator(CHUNK):
        yield WholeItem(
            pk=item.pk,
            source=typed[item.source_id],
            item=item.material,
            source_pk=item.source_id,
            n_units=n_units.get(item.pk, 0),
            groups=_groups(item, sources[item.source_id], subset),
        )


def units_apart(study: Study) -> QuerySet[Unit]:
    """Controls, examples and training: what they are about enters no figure of items."""
    apart: QuerySet[Unit] = study.units.exclude(role=Unit.Role.NORMAL)
    return apart.exclude(check_state__in=Unit.UNCHECKED)


def _units_per_item(material: Material, subset: str) -> dict[int, int]:
    counts: dict[int, int] = {}
    for unit in np.flatnonzero(material.subsets[subset]).tolist():
        for _, code in material.unit_items.get(unit, ()):
            pk = material.item_ids[code]
            counts[pk] = counts.get(pk, 0) + 1
    return counts


def _groups(item: Item, source: Source, subset: str) -> tuple[Group, ...]:
    fields = {key: getattr(item, name.removeprefix("item__")) for key, name in ITEM_FIELDS.items()}
    keys = {**fields, "label": source.verdict}
    single: list[Group] = [{key: name} for key, name in keys.items() if name]
    system, evidence = keys["system"], keys["evidence_source"]
    paired: list[Group] = []
    if system:
        paired.append({"setting": subset, "system": system})
    if system and evidence:
        paired.append({"system": system, "evidence_source": evidence})
    return ({}, {"setting": subset}, *single, *paired)


def _scores_by_item(ratings: Ratings, subset: str) -> dict[int, list[float]]:
    """Item id -> the F1 of each of its units in the subset, averaged over answers."""
    material = ratings.material
    f1 = scores(ratings)["f1"]
    used = material.subsets[subset][ratings.unit] & (ratings.item >= 0) & ~np.isnan(f1)
    units, which = np.unique(ratings.unit[used], return_inverse=True)
    means = np.bincount(which, weights=f1[used]) / np.bincount(which)
    by_item: dict[int, list[float]] = {}
    for unit, mean in zip(units.tolist(), means.tolist(), strict=True):
        for _, code in material.unit_items[unit]:
            by_item.setdefault(material.item_ids[code], []).append(mean)
    return by_item


def _decide(
    metric: ItemMetric,
    items: Sequence[WholeItem],
    known: Mapping[int, list[float]],
    block: Block,
) -> list[tuple[WholeItem, float]]:
    """Items with answers to all of their units. One that lacks answers is left out even when
    those it has already fail it, or the share would only ever sink on the way."""
    decided = []
    for item in items:
        given = known.get(item.pk, [])
        if len(given) == item.n_units:
            yes = metric.decide(given, item.source, item.item, block.typed_options)
            if yes is not None:
                decided.append((item, float(yes)))
    return decided


def _rows(
    metric: ItemMetric,
    party: Party,
    decided: Sequence[tuple[WholeItem, float]],
    options: Options,
) -> Iterator[Row]:
    by_group: dict[tuple[tuple[str, str], ...], list[tuple[WholeItem, float]]] = {(): []}
    for item, value in decided:
        for group in item.groups:
            by_group.setdefault(tuple(group.items()), []).append((item, value))
    for key, members in by_group.items():
        yield Row(
            metric=metric.name,
            facet=metric.facet,
            raters=party.name,
            group=dict(key),
            aggregation=PER_ITEM,
            estimate=_share(members, options),
        )


def _share(decided: Sequence[tuple[WholeItem, float]], options: Options) -> Estimate:
    if not decided:
        return Estimate.missing(NONE_COMPLETE, n_units=0)
    return mean_by(
        [value for _, value in decided],
        [item.pk for item, _ in decided],
        clusters=[item.source_pk for item, _ in decided],
        bootstrap=options.bootstrap,
    )
