"""Ratings as packed columns in the database: read in one piece instead of one by one.

A page that looks at every rating of a large study reads these. They are as of the revision they
were kept at, written together with the report of that revision, and lie in the database so that
every process finds them and a backup never brings back others than the answers beside them.
"""

import io
import json
import zlib
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
import numpy.typing as npt
from django.db import transaction

from annotation.models import Round, Study
from results.data.ratings import COLUMNS, Ratings, ratings_of
from results.data.table import ITEM_FIELDS, IntArray, Material, Names, Table
from results.models import KeptRatings
from tasktypes.contract import Facet

Arrays = Mapping[str, npt.NDArray[np.generic]]

MATERIAL = ""
# Most of the gain for a tenth of the time.
LEVEL = 1
CODED = ("code", "reference")


@dataclass(frozen=True)
class Kept:
    """The counted ratings of one facet as of a revision. Of their material there is only what
    groups them: `unit_items` and `questions` are empty."""

    ratings: Ratings
    revision: int
    computed_at: datetime


def keep_ratings(study: Study, revision: int, table: Table) -> None:
    """Put the ratings of every facet in the place of those kept before, unless these are newer."""
    packed = {MATERIAL: _pack_material(table.material)}
    for name in table.material.facets:
        packed[name] = _pack_ratings(ratings_of(table, name))
    with transaction.atomic():
        if KeptRatings.objects.filter(study=study, revision__gt=revision).exists():
            return
        KeptRatings.objects.filter(study=study).delete()
        KeptRatings.objects.bulk_create(
            KeptRatings(study=study, revision=revision, facet=name, columns=columns)
            for name, columns in packed.items()
        )


def kept_ratings(study: Study, facet: Facet) -> Kept | None:
    """The ratings of a facet as they were kept last; None where they never were."""
    rows = KeptRatings.objects.filter(study=study, facet__in=[MATERIAL, facet.name])
    by_name = {row.facet: row for row in rows}
    if len(by_name) < 2:
        return None
    row = by_name[facet.name]
    material = _material(study, facet, _unpack(by_name[MATERIAL].columns))
    ratings = _ratings(facet, material, _unpack(row.columns))
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
    return _pack({**columns, "domain": _text(domain)})


def _ratings(facet: Facet, material: Material, arrays: Arrays) -> Ratings:
    nothing = np.full(len(arrays["place"]), -1, dtype=np.int64)
    columns: dict[str, Any] = {name: _wide(arrays.get(name, nothing)) for name in COLUMNS}
    domain = tuple(_value(plain) for plain in json.loads(str(arrays["domain"])))
    return Ratings(facet=facet, material=material, domain=domain, **columns)


def _is_kept(column: str, facet: Facet) -> bool:
    return column != "side" or facet.names_items


def _pack_material(material: Material) -> bytes:
    named = {"verdict": material.verdict, **material.item_names}
    subsets = list(material.subsets)
    masks = {f"subset {at}": np.packbits(material.subsets[name]) for at, name in enumerate(subsets)}
    return _pack(
        {
            "unit_ids": np.array(material.unit_ids, dtype=np.int64),
            "unit_source": material.unit_source,
            "item_ids": np.array(material.item_ids, dtype=np.int64),
            "item_source": material.item_source,
            **{f"codes of {key}": names.codes for key, names in named.items()},
            **masks,
            "texts": _text(
                {
                    "sources": material.sources,
                    "names": {key: names.names for key, names in named.items()},
                    "subsets": subsets,
                }
            ),
        }
    )


def _material(study: Study, facet: Facet, arrays: Arrays) -> Material:
    texts = json.loads(str(arrays["texts"]))
    names = {
        key: Names(_wide(arrays[f"codes of {key}"]), tuple(texts["names"][key]))
        for key in ("verdict", *ITEM_FIELDS)
    }
    n_units = len(arrays["unit_ids"])
    return Material(
        unit_ids=tuple(arrays["unit_ids"].tolist()),
        unit_source=_wide(arrays["unit_source"]),
        sources=texts["sources"],
        verdict=names.pop("verdict"),
        item_ids=tuple(arrays["item_ids"].tolist()),
        item_source=_wide(arrays["item_source"]),
        item_names=names,
        unit_items={},
        subsets={
            name: np.unpackbits(arrays[f"subset {at}"], count=n_units).astype(bool)  # type: ignore[arg-type]  # bytes
            for at, name in enumerate(texts["subsets"])
        },
        questions={},
        facets={facet.name: facet},
        rounds=dict(Round.objects.filter(study=study).values_list("pk", "name")),
    )


def _pack(arrays: Mapping[str, npt.NDArray[np.generic]]) -> bytes:
    out = io.BytesIO()
    np.savez(out, allow_pickle=False, **{name: _narrow(one) for name, one in arrays.items()})
    return zlib.compress(out.getvalue(), LEVEL)


def _unpack(columns: bytes | memoryview) -> Arrays:
    with np.load(io.BytesIO(zlib.decompress(columns)), allow_pickle=False) as found:
        return dict(found)


def _narrow(array: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
    """Integers in as few bytes as hold them all."""
    if array.dtype != np.int64 or not array.size:
        return array
    low, high = int(array.min()), int(array.max())
    fits = (kind for kind in (np.int8, np.int16, np.int32) if _holds(kind, low, high))
    return array.astype(next(fits, np.int64))


def _holds(kind: type[np.signedinteger], low: int, high: int) -> bool:
    return bool(np.iinfo(kind).min <= low and high <= np.iinfo(kind).max)


def _wide(array: npt.NDArray[np.generic]) -> IntArray:
    return np.asarray(array, dtype=np.int64 if array.dtype.kind == "i" else None)


def _text(content: object) -> npt.NDArray[np.str_]:
    return np.array(json.dumps(content))


def _plain(value: Hashable) -> object:
    """JSON knows no sets; nothing else that a facet holds is a list there."""
    return sorted(value, key=str) if isinstance(value, frozenset) else value


def _value(plain: object) -> Hashable:
    return frozenset(plain) if isinstance(plain, list) else plain
