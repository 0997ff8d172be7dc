"""Tables of ratings in memory: with gold as a rater, with gold in place of people's answers, and
without some answers. Nothing is stored."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from estimates.data.facts.gold import questions_of
from estimates.data.facts.references import References
from estimates.data.table import BoolArray, IntArray, Table
from tasktypes.facets import Value

# The rater that gold answers are given by; no row of the database has this key.
GOLD = -1
_COLUMNS = ("question", "rater", "replicate", "round", "facet", "place", "number", "code")


def take(table: Table, chosen: BoolArray | IntArray) -> Table:
    """The chosen ratings, in their order; places stay as they are."""
    columns: dict[str, Any] = {name: getattr(table, name)[chosen] for name in _COLUMNS}
    return replace(table, **columns)


def about(table: Table, questions: Collection[int]) -> Table:
    """The ratings of these questions."""
    return take(table, np.isin(table.question, list(questions)))


def without(table: Table, answers: Collection[tuple[int, int]]) -> Table:
    """The ratings of all answers but these pairs of rater and question."""
    if not answers:
        return table
    raters, questions = np.array(sorted(answers), dtype=np.int64).T
    width = int(max(table.question.max(initial=0), questions.max())) + 1
    out = np.isin(table.rater * width + table.question, raters * width + questions)
    return take(table, ~out)


def beside_gold(table: Table, gold: References) -> Table:
    """The ratings of questions with gold, and gold's own as those of the rater `GOLD`."""
    ours = about(table, questions_of(gold))
    added = list(_gold_rows(table, gold))
    wider = _with_values(ours, gold)
    facets = tuple(dict.fromkeys((*table.facet_names, *gold.of_facet)))
    places = {key: at for at, key in enumerate(_places(table))}
    codes = {value: at for at, value in enumerate(wider.domain)}
    columns: dict[str, list[Any]] = {name: [] for name in _COLUMNS}
    for facet, question, element, value in added:
        is_number = isinstance(value, float | int)
        row = {
            "question": question,
            "rater": GOLD,
            "replicate": 0,
            "round": 0,
            "facet": facets.index(facet),
            "place": places.setdefault((question, element), len(places)),
            "number": float(value) if isinstance(value, float | int) else np.nan,
            "code": -1 if is_number else codes[value],
        }
        for name in _COLUMNS:
            columns[name].append(row[name])
    joined: dict[str, Any] = {
        name: np.concatenate([getattr(ours, name), _like(getattr(ours, name), columns[name])])
        for name in _COLUMNS
    }
    return replace(
        wider,
        **joined,
        facet_names=facets,
        place_element=tuple(element for _, element in places),
        place_question=np.array([question for question, _ in places], dtype=np.int64),
    )


def overridden(table: Table, gold: References, raters: Collection[int]) -> Table:
    """With gold in place of whatever these raters answered to questions that have gold.

    Each keeps its place, so that counts of answers stay as they are; an answer about a part that
    gold says nothing of drops out.
    """
    wider = _with_values(table, gold)
    codes = {value: at for at, value in enumerate(wider.domain)}
    places = _places(table)
    theirs = np.isin(table.rater, list(raters)) & np.isin(table.question, list(questions_of(gold)))
    number, code, kept = table.number.copy(), table.code.copy(), np.ones(len(table), dtype=bool)
    for row in np.flatnonzero(theirs).tolist():
        facet = table.facet_names[table.facet[row]]
        value = gold.get(facet).get(places[table.place[row]])
        kept[row] = value is not None
        if isinstance(value, float | int):
            number[row] = float(value)
        elif value is not None:
            code[row] = codes[value]
    return take(replace(wider, number=number, code=code), kept)


def _with_values(table: Table, gold: References) -> Table:
    """With every label and set of gold in the domain."""
    codes = dict.fromkeys(table.domain)
    for _facet, _question, _element, value in _gold_rows(table, gold):
        if not isinstance(value, float | int):
            codes.setdefault(value)
    return replace(table, domain=tuple(codes))


def _gold_rows(table: Table, gold: References) -> Iterator[tuple[str, int, str, Value]]:
    values: Mapping[tuple[int, str], Value]
    for facet, values in gold.of_facet.items():
        for (question, element), value in values.items():
            if question in table.material.questions:
                yield facet, question, element, value


def _places(table: Table) -> list[tuple[int, str]]:
    return list(zip(table.place_question.tolist(), table.place_element, strict=True))


def _like(column: Any, values: list[Any]) -> Any:
    return np.array(values, dtype=column.dtype)
