"""The tables of a published dataset."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from exports import frames
from exports.dataset.rows import Dataset
from exports.dataset.tables import parquet_pieces
from exports.tables.columns import Column
from exports.tables.own_columns import OwnColumns
from exports.tables.ratings import count_ratings

FOLDER = "data"


@dataclass(frozen=True)
class PublishedTable:
    """One table of a published dataset, in a file of its own. n_rows: how many it has."""

    name: str
    meaning: str
    columns: Sequence[Column]
    n_rows: int
    pieces: Callable[[], Iterator[bytes]]

    @property
    def path(self) -> str:
        """Its file, from where the card lies."""
        return f"{FOLDER}/{self.name}.parquet"


def parts_of(dataset: Dataset) -> Sequence[PublishedTable]:
    """Labels, then the ratings behind them."""
    study = dataset.study
    return (
        PublishedTable(
            "labels",
            "One row per item or element and facet: texts, people's consensus, and what each judge "
            "said",
            dataset.columns,
            len(dataset),
            partial(parquet_pieces, dataset),
        ),
        PublishedTable(
            "ratings",
            "Every value of every stored answer; `counted` says which enter estimates",
            frames.rating_columns(OwnColumns.of(study)),
            count_ratings(study, dataset.choice, moment=dataset.moment),
            partial(frames.rating_pieces, study, dataset.choice, moment=dataset.moment),
        ),
    )
