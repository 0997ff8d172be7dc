"""The README of the labelled dataset."""

from collections.abc import Iterator

from exports.dataset.rows import Dataset
from exports.readme import readme_lines

FILES = """\
dataset.csv      a row per item or element and facet that somebody answered about
dataset.jsonl    the same rows as objects: numbers, labels and lists as they are
dataset.parquet  the same with typed columns
All three hold the same answers: those that enter estimates. Pilots, controls, excluded, surplus
and simulated answers are not among them. In CSV a list is written as a JSON list, and a text cell
that begins like a formula (= + - @) has an apostrophe before it.

"""
AGREEMENT = """\

agreement is 1 minus the mean distance between the answers of two people: of labels the share of
pairs that are equal; of sets their mean similarity; of numbers 1 minus the mean absolute
difference divided by the length of the scale, and empty where its ends are not known. Labels
without a majority have no consensus.
"""


def dataset_readme_lines(dataset: Dataset) -> Iterator[str]:
    """Which study, how labels were made, and what each column holds."""
    described = "".join([FILES, *column_lines(dataset), AGREEMENT])
    yield from readme_lines(
        dataset.study, described, "standing", named=False, moment=dataset.moment
    )


def column_lines(dataset: Dataset) -> Iterator[str]:
    """What each column holds."""
    width = max(len(column.name) for column in dataset.columns)
    for column in dataset.columns:
        yield f"{column.name:<{width}}  {column.meaning}\n"
