"""What the cells of a criterion mean: numbers, words on a scale, labels."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from files.columns.cells import MOST_POINTS, is_number
from files.columns.words import NO_ANSWERS, SCALES
from files.reading.evidence.choices import ChoiceWords
from files.reading.model import AnswersReading
from files.reading.sentence import shortened

_NUMBER_IN_FRONT = re.compile(
    r"[(\[]?\s*([+-]?\d{1,3})\s*[)\]]?\s*(?:[:.)=–—-]|\s)\s*\S.{0,300}", re.S
)
_NUMBER_BEHIND = re.compile(r"[^\d]{1,80}[(\[=:]\s*([+-]?\d{1,3})\s*[)\]]?")
_COMMA = re.compile(r"[+-]?\d{1,12},\d{1,12}")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")
# The name of a point of a scale.
_LONGEST_NAME = 80
# Rarely met beside others, a value is off the scale.
_RARE = 0.02
# A slip beside the end of a scale is rarer still.
_STRAY = 0.005
# What the highest points of scales are.
_TOPS = (3, 4, 5, 7, 10)
_LABELS_ALONE = frozenset(("n/a", "na", "nan", "null", "-", "–", "—", "#n/a", "k.a.", "-9"))


def scale_of(criterion: str, values: Counter[str], *, title: str = "") -> AnswersReading:
    """How the answers to a criterion are read, by the values that stand in its cells."""
    common = Counter({v: n for v, n in values.items() if v})
    said = {v: n for v, n in common.items() if v.casefold() not in NO_ANSWERS}
    numeric = sum(n for v, n in said.items() if _is_number(v))
    if said and numeric >= 0.85 * sum(said.values()):
        return _numbers(criterion, title, common)
    front = _numbered_words(common)
    if front:
        return AnswersReading(criterion=criterion, title=title, level="ordinal", words=front)
    ordered = _ordered(common)
    if ordered:
        return AnswersReading(criterion=criterion, title=title, level="ordinal", words=ordered)
    labels = _short(_labels(common), common)
    return AnswersReading(criterion=criterion, title=title, level="nominal", words=labels)


def choice_of(criterion: str, words: Sequence[ChoiceWords], *, title: str = "") -> AnswersReading:
    """How cells that choose one of two are read."""
    every: dict[str, float | str | None] = {}
    for each in words:
        every.update(each.words)
    return AnswersReading(
        criterion=criterion,
        title=title,
        form="choice",
        level="nominal",
        words=every,
        names_system=all(each.names_system for each in words),
    )


def _is_number(value: str) -> bool:
    return is_number(value) or bool(_COMMA.fullmatch(value))


def _numbers(criterion: str, title: str, values: Counter[str]) -> AnswersReading:
    comma = any(_COMMA.fullmatch(value) for value in values)
    numbers: Counter[float] = Counter()
    words: dict[str, float | str | None] = {}
    for value, n in values.items():
        number = _as_number(value)
        if number is None:
            if value.casefold() in NO_ANSWERS:
                words[value] = None
        else:
            numbers[number] += n
    codes = _no_answer_codes(numbers)
    words |= {v: None for v in values if _as_number(v) in codes}
    kept = Counter({number: n for number, n in numbers.items() if number not in codes})
    low, high = _ends(kept)
    inside = [x for x in kept if (low is None or x >= low) and (high is None or x <= high)]
    whole = all(x.is_integer() for x in inside)
    few = len(inside) <= MOST_POINTS and max(inside) - min(inside) < MOST_POINTS
    return AnswersReading(
        criterion=criterion,
        title=title,
        level="ordinal" if whole and few else "interval",
        words=words,
        low=low,
        high=high,
        decimal_comma=comma,
    )


def are_thousands(values: Iterable[str]) -> bool:
    """Whether commas may stand before thousands."""
    return all(_THOUSANDS.fullmatch(value) for value in values if _COMMA.fullmatch(value))


def _as_number(value: str) -> float | None:
    if _COMMA.fullmatch(value):
        return float(value.replace(",", "."))
    return float(value) if is_number(value) else None


def _no_answer_codes(numbers: Counter[float]) -> set[float]:
    """-9, 99 and the like, far from all others."""
    found: set[float] = set()
    for code in (-9.0, -99.0, -999.0, 99.0, 999.0, -1.0):
        rest = [number for number in numbers if number not in (code, *found)]
        if code not in numbers or len(rest) < 2 or not all(x.is_integer() for x in rest):
            continue
        span = max(rest) - min(rest)
        gap = min(rest) - code if code < 0 else code - max(rest)
        enough = gap > max(3, span) if code != -1.0 else gap > 1 and span >= 1
        if enough:
            found.add(code)
    return found


def _ends(numbers: Counter[float]) -> tuple[float | None, float | None]:
    """The ends of a scale of few points, where rare values lie beyond them."""
    total = numbers.total()
    often = [x for x, n in numbers.items() if n > _RARE * total or n > 20]
    rare = [x for x in numbers if x not in often]
    if not rare or len(often) < 2 or len(often) > 11 or not all(x.is_integer() for x in often):
        return None, None
    low, high = min(often), max(often)
    slip = _STRAY * total
    # Beside 1, a 0 is no point as a rule; beside the highest point may be a higher one.
    most = {low - 1: max(1.0, slip) if low == 1 else 0.0, high + 1: slip if high in _TOPS else 0.0}
    top = max(high + 1, next((end for end in _TOPS if end >= high), high))
    is_run = high - low + 1 == len(often)
    beyond = [
        x
        for x in rare
        if x < low - 1
        or x > top
        or not x.is_integer()
        or (is_run and numbers[x] <= most.get(x, 0.0))
    ]
    if not beyond or sum(numbers[x] for x in beyond) > _RARE * total:
        return None, None
    near = [x for x in rare if x not in beyond]
    if len(often) + len(near) > MOST_POINTS:
        return None, None  # a slider, on which every place is rare
    return min([low, *near]), max([high, *near])


def _numbered_words(values: Counter[str]) -> dict[str, float | str | None]:
    """`2: Yes, …`, `1 - very poor`, `good (4)`: the number; other cells are no answer."""
    found: dict[str, float | str | None] = {}
    for value in values:
        match = _NUMBER_IN_FRONT.fullmatch(value) or _NUMBER_BEHIND.fullmatch(value)
        if match or re.fullmatch(r"[+-]?\d{1,3}", value):
            found[value] = float(match[1] if match else value)
    known = sum(values[value] for value in found)
    if len({*found.values()}) < 2 or known < 0.3 * sum(values.values()):
        return {}
    words = {v for v in found if not is_number(v)}
    if len(words) < 2:
        return {}
    return found | {value: None for value in values if value not in found}


def _ordered(values: Counter[str]) -> dict[str, float | str | None]:
    folded = {" ".join(v.casefold().split()) for v in values if v.casefold() not in _LABELS_ALONE}
    if len(folded) < 3:
        return {}
    for scale in sorted(SCALES, key=len):
        if folded <= {*scale} and len(folded) >= min(3, len(scale)):
            place = {word: float(number) for number, word in enumerate(scale, 1)}
            return {v: place.get(" ".join(v.casefold().split())) for v in values}
    return {}


def _labels(values: Counter[str]) -> dict[str, float | str | None]:
    """Spellings of one label joined, rare ones left off; nothing where all are as they stand."""
    total = values.total()
    by_fold: dict[str, list[str]] = {}
    for value in values:
        by_fold.setdefault(value.casefold(), []).append(value)
    best = {fold: max(each, key=lambda v: values[v]) for fold, each in by_fold.items()}
    missing = {v for v in values if v.casefold() in _LABELS_ALONE}
    rare = {v for v in values if is_number(v) and values[v] <= _RARE * total and v not in missing}
    if len(best) == len(values) and not missing and not rare:
        return {}
    return {
        value: None if value in missing else best[value.casefold()]
        for value in values
        if value not in rare
    }


def _short(
    words: Mapping[str, float | str | None], values: Iterable[str]
) -> dict[str, float | str | None]:
    """The same with labels that are as short as the names of points have to be."""
    meant: Mapping[str, float | str | None] = words or {value: value for value in values}
    if all(len(str(label)) <= _LONGEST_NAME for label in meant.values()):
        return {**words}
    found: dict[str, float | str | None] = {}
    for value, label in meant.items():
        name = str(label)
        if label is None or len(name) <= _LONGEST_NAME:
            found[value] = label
            continue
        begun = shortened(name, _LONGEST_NAME - 6)
        found[value] = f"{begun} {len(found)}" if begun in found.values() else begun
    return found


def off_scale(answers: AnswersReading, values: Mapping[str, int]) -> dict[str, int]:
    """The cells that the reading leaves out since they mean nothing, with how often they stand."""
    found = {}
    for value, n in values.items():
        if not value or value in answers.words:
            continue
        number = _as_number(value) if answers.form == "scale" else None
        if answers.form == "set" or (answers.form == "choice" and answers.names_system):
            continue
        closed = bool(answers.words) and answers.level == "nominal"
        beyond = number is not None and (
            (answers.low is not None and number < answers.low)
            or (answers.high is not None and number > answers.high)
        )
        unread = answers.form == "scale" and answers.level != "nominal" and number is None
        if closed or beyond or unread:
            found[value] = n
    return found


def merged(one: AnswersReading, other: AnswersReading) -> AnswersReading:
    """How answers to one criterion are read that stand in two tables."""
    if one.form != other.form:
        return one
    levels = {one.level, other.level}
    level = "nominal" if "nominal" in levels else "interval" if "interval" in levels else one.level
    return one.model_copy(
        update={
            "words": {**other.words, **one.words},
            "level": level,
            "low": None if None in (one.low, other.low) else min(one.low or 0, other.low or 0),
            "high": None if None in (one.high, other.high) else max(one.high or 0, other.high or 0),
            "decimal_comma": one.decimal_comma or other.decimal_comma,
        }
    )


def others_beside(answers: AnswersReading, values: Counter[str]) -> bool:
    """Whether many answers have no number where others have one in front."""
    if answers.form != "scale" or answers.level != "ordinal" or not _has_sentences(answers):
        return False
    none = sum(n for v, n in values.items() if answers.words.get(v, "") is None)
    return none > 0.05 * values.total()


def as_labels(answers: AnswersReading, values: Counter[str]) -> AnswersReading:
    """The same as labels without an order: all that stands in cells."""
    if not _has_sentences(answers):
        return answers
    words = {value: value for value in values if value.casefold() not in _LABELS_ALONE}
    return answers.model_copy(update={"level": "nominal", "words": _short(words, values)})


def _has_sentences(answers: AnswersReading) -> bool:
    return any(isinstance(v, float) and not is_number(word) for word, v in answers.words.items())
