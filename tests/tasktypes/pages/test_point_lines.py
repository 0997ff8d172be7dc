"""The points of a scale as one text, and back."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasktypes.likert.schema import Options, Point
from tasktypes.pages.point_lines import line_of, points_in

WORDS = st.text(max_size=12)
NAMES = st.text(min_size=1, max_size=12).filter(lambda name: bool(name.strip()))


def full(points: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [Point.model_validate(point).model_dump() for point in points]


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("1-3", [(1, "", ""), (2, "", ""), (3, "", "")]),
        ("1–3, bad … good", [(1, "bad", ""), (2, "", ""), (3, "good", "")]),
        ("0 to 2: bad ... good", [(0, "bad", ""), (1, "", ""), (2, "good", "")]),
        ("1 poor, 2, 3 = good", [(1, "poor", ""), (2, "", ""), (3, "good", "")]),
        ("yes = Yes, no = No", [("yes", "Yes", ""), ("no", "No", "")]),
        ("yes = Yes, mostly; no", [("yes", "Yes, mostly", ""), ("no", "", "")]),
        ("a = A: all of it\nb: none, really", [("a", "A", "all of it"), ("b", "", "none, really")]),
        ("0.5, 1", [(0.5, "", ""), (1, "", "")]),
    ],
)
def test_a_text_names_points(text: str, points: list[tuple[Any, str, str]]) -> None:
    names = ("value", "label", "definition")
    assert full(points_in(text)) == full([dict(zip(names, p, strict=True)) for p in points])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "such as"),
        ("good", "such as"),
        ("0–100", "more than 21"),
        ("5–1", "not ascending"),
        ("1–5, good", "name both ends"),
        ("1–999999, a … b", "more than 21"),
        (", ".join(map(str, range(22))), "from 2 to 21"),
    ],
)
def test_a_text_that_names_none_is_refused_with_the_remedy(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        points_in(text)


@pytest.mark.parametrize(
    "text", ["1–5, very poor … very good", "yes = Yes, no = No", "1, 2.5, 4", "-2–2"]
)
def test_a_text_is_written_as_shortly_as_it_was_typed(text: str) -> None:
    assert line_of(points_in(text)) == text


@given(st.lists(st.tuples(NAMES, WORDS, WORDS), min_size=2, max_size=21, unique_by=lambda p: p[0]))
def test_names_labels_and_definitions_come_back(points: list[tuple[str, str, str]]) -> None:
    named = [{"value": v, "label": label, "definition": d} for v, label, d in points]
    assert full(points_in(line_of(named))) == full(named)


@given(st.integers(-50, 50), st.lists(WORDS, min_size=2, max_size=21), st.booleans())
def test_numbers_with_labels_come_back(low: int, labels: list[str], halves: bool) -> None:
    step = 0.5 if halves else 1
    points = [{"value": low + step * n, "label": label} for n, label in enumerate(labels)]
    assert full(points_in(line_of(points))) == full(points)


def test_a_study_file_may_give_the_points_of_a_criterion_as_one_text() -> None:
    def criterion(points: str) -> Any:
        one = {"key": "fit", "question": "Does it fit?", "points": points}
        return Options.model_validate({"criteria": [one]}).criteria[0]

    assert criterion("1–5, badly … well").points[4] == Point(value=5, label="well")
    assert (criterion("yes, no").distance, criterion("1, 2").distance) == ("nominal", "ordinal")
