"""Ratings as a wide table: a row per unit and what was rated of it, a column per rater."""

import json
from collections.abc import Iterator, Sequence
from itertools import groupby

from annotation.answers.moments import moment_of
from annotation.models import Annotation, Rater, Study
from annotation.models.answers import Moment
from exports.choice import WHOLE, ExportChoice
from exports.csv_text import csv_line
from exports.tables import ratings
from exports.tables.answers import names_of_raters
from imports.demonstration import kind_outside

PLACE = ("unit", "role", "item", "system", "block", "facet", "element")
HEAD = (*PLACE, "n_counted", "not_counted")
_AT = {name: at for at, name in enumerate(ratings.HEAD)}


def wide_lines(
    study: Study, choice: ExportChoice = WHOLE, *, moment: Moment | None = None
) -> Iterator[str]:
    """The head, then a line for each unit, facet and element with a value of every rater who has
    answered. `not_counted` names the columns whose value enters no estimate, each with its reason.

    Columns and values are of one moment (None: when the head is read): who answers first while the
    lines are written has no column, and is counted in none of them.
    """
    moment = moment or moment_of(study)
    columns = _columns(study, moment)
    yield csv_line([*HEAD, *columns])
    rows = ratings.rating_rows(study, choice, by_unit=True, moment=moment)
    for _unit, of_unit in groupby(rows, key=lambda row: row[_AT["unit"]]):
        places: dict[tuple[object, ...], list[tuple[object, ...]]] = {}
        for row in of_unit:
            places.setdefault(tuple(row[_AT[name]] for name in PLACE), []).append(row)
        for place, answers in places.items():
            yield csv_line([*place, *_cells(answers, columns)])


def _cells(answers: Sequence[tuple[object, ...]], columns: Sequence[str]) -> Iterator[object]:
    values, reasons = {}, {}
    for row in answers:
        name, replicate = row[_AT["rater"]], row[_AT["replicate"]]
        column = _column(str(row[_AT["kind"]]), str(name), int(str(replicate)))
        values[column] = row[_AT["value"]]
        if row[_AT["counted"]] == "no":
            reasons[column] = str(row[_AT["why_not_counted"]])
    yield len(values) - len(reasons)
    yield json.dumps(reasons, ensure_ascii=False) if reasons else ""
    yield from (values.get(column) for column in columns)


def _columns(study: Study, moment: Moment) -> list[str]:
    """A column for each rater with answers (and for each repetition of its answers): people,
    judges, then simulated raters."""
    names = names_of_raters(study)
    given = Annotation.objects.filter(moment.unreplaced(), study=study)
    answered = given.order_by("rater_id", "replicate").values_list(
        "rater_id", "rater__kind", "replicate", "rater__origin"
    )
    kinds = list(Rater.Kind.values)
    told = [
        (rater, kind_outside(study, kind, origin), replicate)
        for rater, kind, replicate, origin in answered.distinct()
    ]
    ordered = sorted(told, key=lambda row: (kinds.index(row[1]), row[0], row[2]))
    return [_column(kind, names[rater], replicate) for rater, kind, replicate in ordered]


def _column(kind: str, name: str, replicate: int) -> str:
    return f"{kind}_{name}#{replicate}" if replicate else f"{kind}_{name}"
