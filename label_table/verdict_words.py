"""Verdicts in other words than people's: true or 1 for pass, or JSON that holds one."""

import json
import re
from collections.abc import Collection, Mapping

from label_table.labels import JUDGE, LabelTable
from label_table.scales import NEGATIVE, word_of_label

# Of each pair the first says yes. Those of programs say of which only beside others.
OF_PEOPLE = (("pass", "fail"), ("correct", "incorrect"), ("yes", "no"))
OF_PROGRAMS = (("true", "false"), ("1", "0"))
_KEYS = ("verdict", "label", "pass", "passed", "correct", "answer", "result", "judgement", "grade")
_FENCED = re.compile(r"```(?:json)?\s*(.*?)\s*```", re.DOTALL)
LONGEST = 40


def take_words_of_people(table: LabelTable) -> None:
    """Put people's words for a judge's labels where none of these is one of people's and all are
    understood; a note says so."""
    people = {word_of_label(x.value) for x in table.labels if table.raters[x.rater] != JUDGE}
    for judge in table.of_kind(JUDGE):
        own = {word_of_label(x.value) for x in table.labels if x.rater == judge}
        if not people or own & people:
            continue
        if meant := _meant(own, people, (judge, table.facet)):
            table.said[judge] = meant
            table.notes.append(f"{judge}: {_told(meant)}.")
    if table.said:
        table.labels = [
            x._replace(value=table.said_by(x.rater, word_of_label(x.value)))
            if x.rater in table.said
            else x
            for x in table.labels
        ]


def _meant(own: Collection[str], people: Collection[str], names: Collection[str]) -> dict[str, str]:
    """A judge's labels in people's words; none where some of them is not understood. names: of the
    judge and of what is labelled; where one names a failure, nobody knows which of two labels is
    the good one."""
    inner = {word: _inside(word) for word in own}
    if {*inner.values()} <= {*people}:
        return inner
    ours, theirs = _pair({*inner.values()}), _pair(people)
    if not ours or not theirs or not {ours, theirs} & {*OF_PROGRAMS} or _names_failure(names):
        return {}
    said = {word.casefold(): word for word in people}
    meant = dict(zip(ours, (said.get(word, word) for word in theirs), strict=True))
    return {word: meant[within.casefold()] for word, within in inner.items()}


def _told(meant: Mapping[str, str]) -> str:
    """`true is taken for pass, false for fail`, of JSON only that it is read."""
    if any(word.lstrip("` ").startswith(("{", "json")) for word in meant):
        return "the verdict is read from JSON"
    first, *others = sorted(meant.items(), key=lambda pair: pair[1].casefold() in NEGATIVE)
    return f"{first[0]} is taken for {first[1]}" + "".join(f", {a} for {b}" for a, b in others)


def _pair(words: Collection[str]) -> tuple[str, str] | None:
    folded = {word.casefold() for word in words}
    return next((pair for pair in (*OF_PEOPLE, *OF_PROGRAMS) if folded and folded <= {*pair}), None)


def _names_failure(names: Collection[str]) -> bool:
    said = {word for name in names for word in re.split(r"[^a-z]+", name.casefold())}
    long = tuple(word for word in NEGATIVE if len(word) > 4)
    return any(word in NEGATIVE or word.startswith(long) for word in said)


def _inside(word: str) -> str:
    """The verdict in a JSON object; the word itself where it holds none."""
    fenced = _FENCED.fullmatch(word.strip())
    text = fenced[1] if fenced else word.strip()
    if not text.startswith("{"):
        return word
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return word
    told = {str(key).casefold(): value for key, value in content.items()}
    value = next((told[key] for key in _KEYS if isinstance(told.get(key), str | int)), None)
    if value is None or len(str(value)) > LONGEST:
        return word
    return str(value).casefold() if isinstance(value, bool) else str(value)
