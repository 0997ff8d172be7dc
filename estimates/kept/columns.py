"""A study's data as packed columns in the database: read in one piece instead of row by row.

Pages and reports of a large study read these. They are as of the revision they were kept at,
written together with the report of that revision, and lie in the database so that every process
finds them and a backup never restores columns that differ from its answers.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from django.db import transaction

from annotation.models import Round, Study
from estimates.data.database import DatabaseRecords, block_records, rater_records
from estimates.data.ratings import COLUMNS, Ratings
from estimates.data.records import ITEM_NAMES
from estimates.data.study_data import StudyData
from estimates.data.table import Material, Names, rater_groups
from estimates.kept.arrays import Arrays, as_text, from_text, pack, unpack, wide
from estimates.kept.facts import pack_facts, unpack_facts
from estimates.models import KeptRatings
from tasktypes.facets import Facet

# In place of a facet's name: what groups the ratings of every facet, and all other data.
MATERIAL, FACTS = "", "*"
CODED = ("code", "reference")


@dataclass(frozen=True)
class Kept:
    """The counted ratings of one facet as of a revision. Of their material there is only what
    groups them: `unit_items` and `questions` are empty. What files tell of people is not kept, but
    read anew."""

    ratings: Ratings
    revision: int
    computed_at: datetime


def keep_columns(study: Study, revision: int, data: StudyData) -> None:
    """Put the data in the place of those kept before, unless these are newer."""
    packed = {MATERIAL: _pack_material(data.material), FACTS: pack_facts(data)}
    packed |= {name: _pack_ratings(ratings) for name, ratings in data.ratings.items()}
    with transaction.atomic():
        if KeptRatings.objects.filter(study=study, revision__gt=revision).exists():
            return
        KeptRatings.objects.filter(study=study).delete()
        KeptRatings.objects.bulk_create(
            KeptRatings(study=study, revision=revision, facet=name, columns=columns)
            for name, columns in packed.items()
        )


def from_kept_columns(study: Study, revision: int) -> StudyData | None:
    """The data of a study as of that revision; None where others are kept, or none at all, and
    where there are no columns but published figures."""
    if study.imported.get("published"):
        return None
    rows = KeptRatings.objects.filter(study=study, revision=revision)
    columns = {row.facet: row.columns for row in rows}
    if not columns:
        return None
    blocks = tuple(block_records(study))
    facets = {facet.name: facet for block in blocks for facet in block.facets}
    if not columns.keys() >= {MATERIAL, FACTS, *facets}:
        return None  # kept by an earlier version of the program
    material = _material(study, facets, unpack(columns[MATERIAL]))
    unpacked = unpack_facts(columns[FACTS], blocks, material)
    if unpacked is None:
        return None
    material, facts = unpacked
    return StudyData(
        epsilon=study.epsilon,
        overlap=study.overlap,
        margins=study.margins,
        blocks=blocks,
        published=(),
        raters=tuple(rater_records(study)),
        material=material,
        ratings={name: _ratings(f, material, unpack(columns[name])) for name, f in facets.items()},
        **facts,
    )


def kept_ratings(study: Study, facet: Facet) -> Kept | None:
    """The ratings of a facet as they were kept last; None where they never were."""
    rows = KeptRatings.objects.filter(study=study, facet__in=[MATERIAL, facet.name])
    by_name = {row.facet: row for row in rows}
    if len(by_name) < 2:
        return None
    row = by_name[facet.name]
    material = _material(study, {facet.name: facet}, unpack(by_name[MATERIAL].columns))
    ratings = _ratings(facet, material, unpack(row.columns))
    return Kept(ratings, row.revision, row.computed_at)


def drop_kept(study: Study, **_signal: object) -> None:
    """Keep no ratings of a study until they are counted anew."""
    KeptRatings.objects.filter(study=study).delete()


def _pack_ratings(ratings: Ratings) -> bytes:
    """The columns; of the domain only what comes up, in its order."""
    columns = {name: getattr(ratings, name) for name in COLUMNS if _is_kept(name, ratings.facet)}
    both = np.concatenate([columns[name] for name in CODED])
    used = np.unique(both[both >= 0])
    for name in CODED:
        codes = columns[name]
        columns[name] = np.where(codes >= 0, np.searchsorted(used, codes), -1)
    domain = [_plain(ratings.domain[code]) for code in used.tolist()]
    return pack({**columns, "domain": as_text(domain)})


def _ratings(facet: Facet, material: Material, arrays: Arrays) -> Ratings:
    nothing = np.full(len(arrays["place"]), -1, dtype=np.int64)
    columns: dict[str, Any] = {name: wide(arrays.get(name, nothing)) for name in COLUMNS}
    domain = tuple(_value(plain) for plain in from_text(arrays["domain"]))
    return Ratings(facet=facet, material=material, domain=domain, **columns)


def _is_kept(column: str, facet: Facet) -> bool:
    return column != "side" or facet.names_items


def _pack_material(material: Material) -> bytes:
    named = {"verdict": material.verdict, **material.item_names, **material.own}
    subsets = list(material.subsets)
    masks = {f"subset {at}": np.packbits(material.subsets[name]) for at, name in enumerate(subsets)}
    return pack(
        {
            "unit_ids": np.array(material.unit_ids, dtype=np.int64),
            "unit_source": material.unit_source,
            "item_ids": np.array(material.item_ids, dtype=np.int64),
            "item_source": material.item_source,
            **{f"codes of {key}": names.codes for key, names in named.items()},
            **masks,
            "texts": as_text(
                {
                    "sources": material.sources,
                    "names": {key: names.names for key, names in named.items()},
                    "subsets": subsets,
                }
            ),
        }
    )


def _material(study: Study, facets: Mapping[str, Facet], arrays: Arrays) -> Material:
    texts = from_text(arrays["texts"])
    names = {
        key: Names(wide(arrays[f"codes of {key}"]), tuple(named))
        for key, named in texts["names"].items()
    }
    n_units = len(arrays["unit_ids"])
    return Material(
        unit_ids=tuple(arrays["unit_ids"].tolist()),
        unit_source=wide(arrays["unit_source"]),
        sources=texts["sources"],
        verdict=names.pop("verdict"),
        item_ids=tuple(arrays["item_ids"].tolist()),
        item_source=wide(arrays["item_source"]),
        item_names={key: names.pop(key) for key in ITEM_NAMES},
        unit_items={},
        subsets={
            name: np.unpackbits(arrays[f"subset {at}"], count=n_units).astype(bool)  # type: ignore[arg-type]  # bytes
            for at, name in enumerate(texts["subsets"])
        },
        questions={},
        facets=facets,
        rounds=dict(Round.objects.filter(study=study).values_list("pk", "name")),
        own=names,
        of_raters=rater_groups(DatabaseRecords(study)),
    )


def _plain(value: Hashable) -> object:
    """JSON knows no sets; nothing else that a facet holds is a list there."""
    return sorted(value, key=str) if isinstance(value, frozenset) else value


def _value(plain: object) -> Hashable:
    return frozenset(plain) if isinstance(plain, list) else plain
