"""Records of sources, items and units on their way to a study."""

import re
from collections.abc import Callable, Sequence

from jurybox.client.bulk import Line, LineResult
from jurybox.client.problems import Refused

UNPROCESSABLE = 422
Post = Callable[[Sequence[Line]], object]


def add_or_raise(records: Sequence[Line], post: Post) -> list[LineResult]:
    """Add all of them, or none: Refused says why."""
    post(records)
    return [LineResult(number) for number in range(len(records))]


def add_fitting(records: Sequence[Line], post: Post) -> list[LineResult]:
    """Add those that fit; each of the others is refused by itself."""
    left = list(enumerate(records))
    results = add_or_raise(records, lambda _records: None)
    while left:
        try:
            post([record for _number, record in left])
        except Refused as refused:
            place = _place(refused)
            if place is None or place >= len(left):
                raise
            number, _record = left.pop(place)
            problem = refused.fields[0]
            field = problem.field.partition("].")[2]
            results[number] = LineResult(number, "refused", field, problem.detail)
        else:
            break
    return results


def _place(refused: Refused) -> int | None:
    """The number of the record that was refused; None where it is about all of them."""
    if refused.status != UNPROCESSABLE or not refused.fields:
        return None
    at = re.match(r"records\[(\d+)\]", refused.fields[0].field)
    return int(at[1]) if at else None
