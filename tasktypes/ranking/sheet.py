"""A ranking as a spreadsheet: a worksheet per criterion, a column per candidate."""

from collections.abc import Mapping

from tasktypes.pages.criteria import Criterion
from tasktypes.pages.sheets import (
    CellError,
    Row,
    SheetCell,
    Table,
    asked,
    distinct_names,
    surrounding_texts,
)
from tasktypes.ranking.schema import Answer, Payload


def tables(payload: Payload) -> tuple[Table, ...]:
    """One table per criterion, with a single row that holds a rank for every candidate."""
    names = distinct_names(payload.criteria)
    return tuple(_table(payload, criterion, names[criterion.key]) for criterion in payload.criteria)


def _table(payload: Payload, criterion: Criterion, name: str) -> Table:
    texts = surrounding_texts(payload)
    texts |= {f"Text {candidate.letter}": candidate.text for candidate in payload.candidates}
    ranks = tuple(str(rank) for rank in range(1, len(payload.candidates) + 1))
    cells = tuple(
        SheetCell(_key(criterion.key, candidate.letter), f"Rank of {candidate.letter}", ranks)
        for candidate in payload.candidates
    )
    about = (
        *asked(criterion),
        "1 is the best. Texts that are equally good get the same rank.",
        *(f"Verdict “{label}”: {meaning}" for label, meaning in payload.verdicts.items()),
    )
    return Table(name, about, (Row(texts, cells),))


def answer_of(payload: Payload, cells: Mapping[str, str]) -> Answer:
    """The ranks in the order of the unit's items, whatever the order shown."""
    return Answer(ranks={key: _by_item(payload, key, cells) for key in payload.keys})


def _by_item(payload: Payload, criterion: str, cells: Mapping[str, str]) -> tuple[int, ...]:
    """Read in the order shown, so that the first wrong cell is the leftmost."""
    size = len(payload.candidates)
    ranks = {
        candidate.item: _rank(cells, _key(criterion, candidate.letter), size)
        for candidate in payload.candidates
    }
    return tuple(ranks[item] for item in range(size))


def _rank(cells: Mapping[str, str], key: str, size: int) -> int:
    rank = cells.get(key, "")
    if not rank:
        raise CellError(key, "missing")
    if rank not in map(str, range(1, size + 1)):
        raise CellError(key, f"{rank[:40]} is not a rank from 1 to {size}")
    return int(rank)


def _key(criterion: str, letter: str) -> str:
    return f"{criterion}.{letter}"
