"""A study beside another one, and the plan of the next."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page

from annotation.models import Annotation, Member, Round, Study, User
from tests.cast import join, make_study, make_user
from tests.results.answers import make_rater, questions, rate
from tests.services.browser import axe_violations, scrolls_sideways
from tests.sessions import as_user, sign_in


def rated(study: Study, shift: float = 0.0) -> Study:
    """Two people rate every text, whose systems alternate."""
    for at, name in enumerate(("ada", "bob")):
        rater = make_rater(study, name)
        block = study.blocks.count() - 1
        for number, question in enumerate(questions(study, block=block)):
            rate(rater, question, 20 + shift + 15 * (number % 2) + 4 * number + 3 * at)
    return study


@pytest.fixture
def original(db: None, owner: User) -> Study:
    """Another study of the same systems, of the owner's alone."""
    statement = {"metric": "mean", "better": "Alder", "worse": "Birch"}
    study = make_study("original", conclusions=[{"text": "Alder is better", **statement}])
    join(study, owner, Member.Role.OWNER)
    return rated(study, 5)


def beside(study: Study, other: Study) -> str:
    return reverse("results:against", args=[study.slug, other.slug])


def test_two_studies_stand_side_by_side_with_the_verdict(
    study: Study, original: Study, owner: User
) -> None:
    rated(study)
    Study.objects.update(state=Study.State.CLOSED)  # too few sources for intervals before
    page = as_user(owner).get(beside(study, original))

    grids = {named.key: named.grid for named in page.context["grids"]}
    assert grids["compared-0"].heads == ["small", "original", "CV*"]
    assert [line.title for line in grids["compared-0"].lines] == ["Alder", "Birch"]
    # Two texts by each, none of them on a shared source: the means' intervals overlap.
    assert [cell.value for cell in grids["conclusions"].lines[0].cells] == ["not settled"] * 3
    assert "utility, α, interval" in [line.title for line in grids["alphas"].lines]
    birch = grids["compared-0"].lines[1].cells
    assert all("too few sources" in cell.no_interval for cell in birch[:2])
    assert all(cell.n == "n = 2" for cell in birch[:2])
    file = as_user(owner).get(beside(study, original) + "?panel=compared-0&format=csv")
    assert file.content.decode().startswith("System,note,small,small: ")


def test_who_is_a_member_of_one_study_only_does_not_see_it_beside_the_other(
    study: Study, original: Study, colleague: User
) -> None:
    client = as_user(colleague)
    assert client.get(beside(study, original)).status_code == 404
    assert client.get(beside(original, study)).status_code == 404
    choose = reverse("results:choose-against", args=["small"])
    assert "original" not in client.get(choose).content.decode().replace("the original", "")
    assert client.get(choose, {"other": "original"}).status_code == 404


def test_the_other_study_is_chosen_by_a_form(study: Study, original: Study, owner: User) -> None:
    choose = reverse("results:choose-against", args=["small"])
    assert 'value="original"' in as_user(owner).get(choose).content.decode()
    answer = as_user(owner).get(choose, {"other": "original"})
    assert answer["Location"] == beside(study, original)


def test_studies_with_nothing_in_common_say_so(study: Study, owner: User) -> None:
    other = make_study("other", blocks=[("slider", {})])
    join(other, owner, Member.Role.OWNER)
    text = as_user(owner).get(beside(other, study)).content.decode()
    assert "nan" not in text.lower().split()
    assert "no human answers" in text or "in common" in text


def test_a_plan_rests_on_this_study_as_its_pilot(study: Study, owner: User) -> None:
    rated(study)
    asked = {"facet": "utility", "width": "0.6"}
    page = as_user(owner).get(reverse("results:planning", args=["small"]), asked)

    sizes = page.context["plan"].sizes
    assert [size.raters for size in sizes] == [2, 3, 4, 5]
    assert sizes[0].units.value >= sizes[-1].units.value
    assert str(sizes[0].answers) in page.content.decode()


def test_a_round_that_does_not_count_is_a_pilot_where_it_is_chosen(
    study: Study, owner: User
) -> None:
    rated(study)
    pilot = Round.objects.create(study=study, position=1, name="pilot", counts=False)
    Annotation.objects.update(round=pilot)
    Study.objects.filter(pk=study.pk).update(revision=99)
    asked = {"facet": "utility", "width": "0.6"}
    address = reverse("results:planning", args=["small"])

    counted, piloted, unknown = (
        as_user(owner).get(address, {**asked, "stage": stage}).context
        for stage in ("", "pilot", "nothing")
    )

    assert "no pilot" in counted["plan"].reason
    assert piloted["plan"].sizes
    assert unknown["form"].errors


def test_a_plan_says_what_each_judge_saves(owner: User) -> None:
    study = make_study("thirty", sources=30)
    join(study, owner, Member.Role.OWNER)
    raters = [make_rater(study, "ada"), make_rater(study, "lexical", "judge")]
    for number, question in enumerate(questions(study, block=1)):
        for at, rater in enumerate(raters):
            rate(rater, question, 30 + 4 * (number % (7 + at)))
    page = as_user(owner).get(
        reverse("results:planning", args=["thirty"]), {"facet": "utility", "width": "0.6"}
    )
    [saving] = page.context["savings"]
    assert (saving.judge, [each.answered for each in saving.allocations.each]) == (
        "lexical",
        [15, 23, 30],
    )
    text = page.content.decode()
    assert "people answer some and lexical all" in text
    assert "about a tenth" in text


def test_a_plan_without_a_pilot_says_why_there_is_none(study: Study, owner: User) -> None:
    asked = {"facet": "utility", "width": "0.2"}
    page = as_user(owner).get(reverse("results:planning", args=["small"]), asked)
    assert "No pilot: no human answers." in page.content.decode()


def test_a_plan_from_assumptions_needs_no_answers(study: Study, owner: User) -> None:
    asked = {"facet": "", "width": "0.5", "agreement": "0.6", "share": "0.5"}
    page = as_user(owner).get(reverse("results:planning", args=["small"]), asked)
    assert page.context["plan"].agreement == 0.6
    assert all(size.units.value for size in page.context["plan"].sizes)


def test_a_width_that_is_none_is_asked_for_again(study: Study, owner: User) -> None:
    asked = {"facet": "utility", "width": "-1"}
    page = as_user(owner).get(reverse("results:planning", args=["small"]), asked)
    assert page.context["form"].errors
    assert "plan" not in page.context


def test_both_pages_can_be_read_by_everybody(transactional_db: None, page: Page) -> None:
    user = make_user("owner")
    studies = [make_study(), make_study("original")]
    for shift, study in enumerate(studies):
        join(study, user, Member.Role.OWNER)
        rated(study, shift)
    sign_in(page, user)
    page.set_viewport_size({"width": 360, "height": 740})
    for address in (
        beside(*studies),
        reverse("results:planning", args=["small"]) + "?facet=utility&width=0.9",
        reverse("results:choose-against", args=["small"]),
    ):
        page.goto(address)
        assert axe_violations(page) == []
        assert not scrolls_sideways(page)
