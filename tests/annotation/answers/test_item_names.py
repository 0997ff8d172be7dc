"""Ratings get the names of items when they are stored, never before."""

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from pytest_django.fixtures import DjangoAssertNumQueries

from annotation.answers.item_names import name_items
from annotation.answers.record import GivenAnswer, record_answers
from annotation.models import Question, Rater, Rating, Study
from estimates.data.database import load_table
from estimates.data.facts.gold import rate_references
from tasktypes.facets import RatingValue

pytestmark = pytest.mark.django_db
EXAMPLES = Path(settings.BASE_DIR) / "examples"


def study(slug: str) -> Study:
    call_command("apply_study", str(EXAMPLES / slug / "study.yaml"), verbosity=0)
    return Study.objects.get()


def record(question: Question, answer: dict[str, Any]) -> list[Rating]:
    rater = Rater.objects.create(study=question.study, name="ada", kind=Rater.Kind.HUMAN)
    given = GivenAnswer(question=question, answer=question.typed_answer(answer))
    (annotation,) = record_answers(rater=rater, given=[given])
    return list(annotation.ratings.order_by("pk"))


def question(slug: str, unit: str, block: str) -> Question:
    return Question.objects.select_related("block").get(
        study=study(slug), unit__key=unit, block__key=block
    )


def test_ranks_are_stored_under_the_keys_of_their_items() -> None:
    asked = question("ranking", "oak-avenue", "ranks")
    names = ("coverage", "non_redundancy", "non_contradiction", "overall")
    ratings = record(asked, {"ranks": {name: [2, 1, 2] for name in names}})
    assert [(one.element, one.number) for one in ratings[:3]] == [
        ("oak-avenue/alder", 2.0),
        ("oak-avenue/birch", 1.0),
        ("oak-avenue/cedar", 2.0),
    ]


def test_labels_of_several_texts_are_stored_under_the_keys_of_their_items() -> None:
    asked = question("ranking", "oak-avenue", "verdict-from-text")
    ratings = record(asked, {"scores": {"verdict_from_text": ["half-true", "false", "unclear"]}})
    assert [(one.element, one.label) for one in ratings] == [
        ("oak-avenue/alder", "half-true"),
        ("oak-avenue/birch", "false"),
        ("oak-avenue/cedar", "unclear"),
    ]


def test_a_preference_is_stored_as_the_system_preferred() -> None:
    asked = question("pairwise", "lido/0-2", "pairwise")
    ratings = record(asked, {"preferred": {"preference": "second", "brevity": "tie"}})
    assert [(one.facet, one.label, one.element) for one in ratings] == [
        ("preference", "Cedar", ""),
        ("brevity", "tie", ""),
    ]


def test_a_right_answer_gets_the_same_names() -> None:
    asked = question("pairwise", "lido/0-2", "pairwise")
    asked.reference = {"preferred": {"preference": "second", "brevity": "tie"}}
    asked.save()
    assert [one.value for one in rate_references([asked])[0]] == ["Cedar", "tie"]
    references = load_table(asked.study).references
    assert references.get("preference") == {(asked.pk, ""): "Cedar"}


def test_what_is_about_no_item_of_several_is_left_alone_without_a_query(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    rated = [RatingValue("utility", 3.0), RatingValue("support", "yes", "0")]
    with django_assert_num_queries(0):
        assert name_items([(1, rated), (2, [])]) == [rated, []]


def test_no_stored_question_names_a_system() -> None:
    ranking = study("ranking")
    for stored in Question.objects.filter(study=ranking).values_list("payload", flat=True):
        assert not {"Alder", "Birch", "Cedar"} & set(str(stored).replace("'", " ").split())
