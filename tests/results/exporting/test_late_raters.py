"""Whoever answers for the first time while an export is written stands in it under their name."""

import csv
import json
from io import StringIO
from typing import Any

import pytest

from annotation.models import Study
from results.exporting import answers, ratings
from tests.results.answers import disagree

pytestmark = pytest.mark.django_db


@pytest.fixture
def nobody_at_first(study: Study, monkeypatch: pytest.MonkeyPatch) -> Study:
    """A study of which the names were read before anybody had answered."""
    before: list[dict[int, str]] = [{}]
    now = answers._names_now

    def names(study: Study) -> Any:
        return before.pop() if before else now(study)

    monkeypatch.setattr(answers, "_names_now", names)
    return disagree(study)


def test_ratings_have_the_name_of_a_rater_who_came_late(nobody_at_first: Study) -> None:
    text = "".join(ratings.rating_lines(nobody_at_first))
    rows = list(csv.DictReader(StringIO(text)))
    assert rows
    assert {row["rater"] for row in rows} == set(answers.names_of_raters(nobody_at_first).values())


def test_answers_have_the_name_of_a_rater_who_came_late(nobody_at_first: Study) -> None:
    lines = [json.loads(line) for line in answers.answer_lines(nobody_at_first)]
    assert lines
    assert all(line["rater"] for line in lines)
