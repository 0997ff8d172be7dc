"""Likert criteria as a spreadsheet: a column per criterion, a row per text or sentence."""

from collections.abc import Mapping

from tasktypes.likert.schema import Answer, Payload, PointValue, Scale
from tasktypes.pages.sheets import (
    CellError,
    Row,
    SheetCell,
    Table,
    asked,
    distinct_names,
    surrounding_texts,
)


def tables(payload: Payload) -> tuple[Table, ...]:
    """One table, with a row for every part of the material that is judged by itself."""
    about = tuple(line for scale in payload.criteria for line in (*asked(scale), *_points(scale)))
    return (Table("Ratings", about, _rows(payload)),)


def _rows(payload: Payload) -> tuple[Row, ...]:
    around = surrounding_texts(payload)
    return tuple(
        Row(around | {"Text": text}, _cells(payload, number), part=part)
        for number, (part, text) in enumerate(_parts(payload))
    )


def _parts(payload: Payload) -> list[tuple[str, str]]:
    if payload.candidates:
        return [(candidate.letter, candidate.text) for candidate in payload.candidates]
    if payload.per_sentence:
        return [(f"sentence {n}", text) for n, text in enumerate(payload.sentences, start=1)]
    return [("", payload.text)]


def _cells(payload: Payload, part: int) -> tuple[SheetCell, ...]:
    names = distinct_names(payload.criteria)
    return tuple(
        SheetCell(_key(scale, part), f"Rating: {names[scale.key]}", tuple(_words(scale)))
        for scale in payload.criteria
    )


def _points(scale: Scale) -> list[str]:
    """What every point means, where it says more than its value."""
    words = _words(scale)
    return [
        f"{word}: {'; '.join(meaning)}"
        for word, point in zip(words, scale.points, strict=True)
        if (meaning := [part for part in (point.label, point.definition) if part and part != word])
    ]


def _words(scale: Scale) -> list[str]:
    """What is entered for each point: its number, or what people read for a name."""
    values = [point.text for point in scale.points]
    if scale.distance != "nominal":
        return values
    labels = [point.label or point.text for point in scale.points]
    return labels if len({label.casefold() for label in labels}) == len(labels) else values


def answer_of(payload: Payload, cells: Mapping[str, str]) -> Answer:
    """The points entered; those of several texts in the order of the unit's items."""
    return Answer(scores={scale.key: _score(payload, scale, cells) for scale in payload.criteria})


def _score(
    payload: Payload, scale: Scale, cells: Mapping[str, str]
) -> PointValue | tuple[PointValue, ...]:
    values = [_value(scale, _key(scale, part), cells) for part in range(payload.size)]
    if payload.whole:
        return values[0]
    if payload.candidates:
        by_item = {
            candidate.item: v for candidate, v in zip(payload.candidates, values, strict=True)
        }
        values = [by_item[item] for item in range(len(by_item))]
    return tuple(values)


def _value(scale: Scale, key: str, cells: Mapping[str, str]) -> PointValue:
    text = cells.get(key, "")
    if not text:
        raise CellError(key, "missing")
    words, values = _words(scale), [point.text for point in scale.points]
    # Spreadsheets write TRUE for true, so capitals tell points apart only where both are there.
    for spellings in (
        words,
        [word.casefold() for word in words],
        [word.casefold() for word in values],
    ):
        sought = text if spellings is words else text.casefold()
        if sought in spellings:
            return scale.points[spellings.index(sought)].value
    raise CellError(key, f"{text[:40]} is not one of {', '.join(words)}")


def _key(scale: Scale, part: int) -> str:
    return f"{scale.key}.{part}"
