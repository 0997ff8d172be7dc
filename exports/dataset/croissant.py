"""Croissant metadata of a published dataset, JSON-LD in format 1.0.

Source: Akhtar et al. (2024), "Croissant: A Metadata Format for ML-Ready Datasets".
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils import timezone

from exports.dataset.publication import PublishedTable
from exports.dataset.rows import Dataset
from exports.tables.columns import Column, Kind

CONFORMS_TO = "http://mlcommons.org/croissant/1.0"
_ABOUT = "{title}: answers of people and machines to the same questions about the same texts."
TYPES: dict[Kind, str] = {
    "text": "sc:Text",
    "number": "sc:Float",
    "whole": "sc:Integer",
    "time": "sc:DateTime",
}
# The words of Croissant. All of them, used here or not: its validator compares the whole context.
TERMS = (
    *("citeAs", "column", "dataBiases", "dataCollection", "equivalentProperty", "extract", "field"),
    *("fileObject", "fileProperty", "fileSet", "format", "includes", "isLiveDataset", "jsonPath"),
    *("key", "md5", "parentField", "path", "personalSensitiveInformation", "recordSet"),
    *("references", "regex", "repeated", "replace", "samplingRate", "separator", "source"),
    *("subField", "transform"),
)
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    **{term: f"cr:{term}" for term in TERMS},
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
}


def croissant_lines(
    dataset: Dataset, parts: Sequence[PublishedTable], sums: Mapping[str, str]
) -> Iterator[str]:
    """The metadata. sums: SHA-256 by the name of each file. A licence and an address are for the
    publisher to add."""
    study = dataset.study
    controller = study.ethics.get("controller")
    record = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": study.slug,
        "alternateName": study.title,
        "description": " ".join(filter(None, [_ABOUT.format(title=study.title), study.caution])),
        "version": f"{dataset.moment.revision}.0.0",
        "datePublished": timezone.now().date().isoformat(),
        **({"creator": {"@type": "Organization", "name": controller}} if controller else {}),
        "distribution": [_file(part, sums[part.path]) for part in parts],
        "recordSet": [_record_set(part) for part in parts],
    }
    yield json.dumps(record, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _file(part: PublishedTable, digest: str) -> dict[str, str]:
    return {
        "@type": "cr:FileObject",
        "@id": part.path,
        "name": part.path,
        "contentUrl": part.path,
        "encodingFormat": "application/x-parquet",
        "sha256": digest,
    }


def _record_set(part: PublishedTable) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": part.name,
        "name": part.name,
        "description": part.meaning,
        "field": [_field(part, column) for column in part.columns],
    }


def _field(part: PublishedTable, column: Column) -> dict[str, Any]:
    return {
        "@type": "cr:Field",
        "@id": f"{part.name}/{column.name}",
        "name": column.name,
        **({"description": column.meaning} if column.meaning else {}),
        "dataType": TYPES[column.part],
        **({"repeated": True} if column.is_list else {}),
        "source": {"fileObject": {"@id": part.path}, "extract": {"column": column.name}},
    }
