"""Own columns of the files that material and answers came from, as columns of exported tables.

Those of raters are personal data, and stand in no table.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.models import Annotation, Item, Source, Study, Unit
from annotation.queries.metadata import metadata_names
from exports.tables.columns import Column

OF = {"source": Source, "item": Item, "unit": Unit, "answer": Annotation}


@dataclass(frozen=True)
class OwnColumns:
    """The names of own columns by what they describe, each with whether it holds numbers alone."""

    names: Mapping[str, Mapping[str, bool]] = field(default_factory=dict)

    @classmethod
    def of(cls, study: Study) -> "OwnColumns":
        """Those of a study; a query for each kind of row."""
        return cls({of: metadata_names(model, study) for of, model in OF.items()})

    @property
    def columns(self) -> Sequence[Column]:
        """The columns `source.NAME`, `item.NAME`, `unit.NAME` and `answer.NAME`."""
        return [
            Column(f"{of}.{name}", "number" if is_number else "text", f"own column of the {of}")
            for of in OF
            for name, is_number in self.names.get(of, {}).items()
        ]

    def has(self, *of: str) -> bool:
        """Whether there is any column of these."""
        return any(self.names.get(each) for each in of)

    def cells(self, of: str, metadata: Mapping[str, Any]) -> Iterator[object]:
        """The cells of one row, of these columns."""
        return (_cell(metadata.get(name)) for name in self.names.get(of, {}))


NO_COLUMNS = OwnColumns()


def _cell(value: Any) -> object:
    return json.dumps(value) if isinstance(value, bool) else value
