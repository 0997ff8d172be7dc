"""The pages of results for every kind of question, with and without answers."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from annotation.models import Annotation, Study, User
from tasktypes.contract import TaskType
from tasktypes.registry import TASK_TYPES, task_type
from tests.results.answers import asked_in
from tests.results.dashboard.pages import NO_NUMBER, QUESTIONS, address
from tests.results.examples import answer, make_example
from tests.sessions import as_user

AnyType = TaskType[Any, Any, Any]
NOBODY = "nobody has answered this question"
PEOPLE = (("ada", "human"), ("bob", "human"))
JUDGE = ("machine", "judge")

every_type = pytest.mark.parametrize("kind", TASK_TYPES, ids=lambda kind: kind.slug)


def nobody(study: Study) -> None:
    """No answers."""


def one_person(study: Study) -> None:
    answer(study, PEOPLE[0])


def only_a_judge(study: Study) -> None:
    answer(study, JUDGE)


def only_excluded(study: Study) -> None:
    answer(study, *PEOPLE)
    Annotation.objects.update(excluded_reason="failed the controls")
    Study.objects.filter(pk=study.pk).update(revision=99)


def two_people(study: Study) -> None:
    answer(study, *PEOPLE)


def people_and_a_judge(study: Study) -> None:
    answer(study, *PEOPLE, JUDGE)


@every_type
@pytest.mark.parametrize(
    "given", [nobody, one_person, only_a_judge, only_excluded, two_people, people_and_a_judge]
)
def test_the_page_has_numbers_or_says_why_not(
    kind: AnyType, given: Callable[[Study], None], owner: User
) -> None:
    study = make_example(kind, owner)
    given(study)

    shown = as_user(owner).get(address(study))

    text = re.sub(r"<svg.*?</svg>|<[^>]*>", " ", shown.content.decode(), flags=re.DOTALL)
    assert all(question in text for question in QUESTIONS)
    assert not NO_NUMBER.search(text), NO_NUMBER.search(text)
    answered = given not in (nobody, only_excluded)
    findings = shown.context["sections"][2]
    for part in findings.parts:
        assert part.panels or part.drawings or part.missing_reason
        assert not (answered and NOBODY in part.missing_reason)


@every_type
def test_the_page_of_a_unit_names_what_each_answer_is_about(kind: AnyType, owner: User) -> None:
    study = make_example(kind, owner, units=1)
    answer(study, *PEOPLE, JUDGE)

    shown = as_user(owner).get(reverse("desk:unit", args=[study.slug, study.units.get().pk]))

    (question,) = asked_in(shown)
    payload = study.questions.get().typed_payload
    for element in question.elements:
        assert not element.name.isdecimal()
        assert all(len(values) == 3 for _facet, values in element.facets)
    assert len(question.whole_heads) <= len({facet.name for facet in study.blocks.get().facets})
    page = shown.content.decode()
    for texts in (getattr(payload, name, ()) for name in ("claims", "nuggets", "links")):
        assert all(text.replace("&", "&amp;") in page for text in texts)


def test_people_have_scores_of_the_whole_study_where_systems_are_told_apart(owner: User) -> None:
    study = make_example(task_type("slider"), owner)
    answer(study, *PEOPLE)

    findings = as_user(owner).get(address(study)).context["sections"][2]

    panels = {panel.key: panel.grid for part in findings.parts for panel in part.panels}
    facet = study.blocks.get().facets[0].name
    assert panels[f"together-{facet}"].lines[0].title == "Humans"
    by_system = panels[f"systems-mean-{facet}"]
    assert [head.rpartition(" ")[2] for head in by_system.heads] == ["Mean", "Median"]
    mean, median = by_system.lines[0].cells
    assert mean is not None
    assert median is not None
    assert (mean.n, mean.sd) == ("n = 3", "0.0")
    assert median.value == mean.value


def test_who_wins_comparisons_is_shown_by_system(owner: User) -> None:
    study = make_example(task_type("pairwise"), owner)
    answer(study, *PEOPLE, JUDGE)

    shown = as_user(owner).get(address(study)).context["sections"][2]

    (part,) = [part for part in shown.parts if part.key == "findings-preference"]
    panels = {panel.key: panel.grid for panel in part.panels}
    by_system = panels["systems-win_share-preference"]
    assert [line.title for line in by_system.lines] == ["Larch", "Maple"]
    assert "systems" in [drawing.kind for drawing in part.drawings]
