"""The pages of results: who sees them, what they say, and at which cost."""

import io
import re
import zipfile
from html import unescape

import pytest
from django.contrib.staticfiles import finders
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.models import Annotation, Member, Study, User
from estimates.report.cache import report_of
from estimates.report.live import as_shown
from judges.definitions.versions import define_judge
from judges.models import Call, Chunk, JudgeRun
from results.reading.wording import number_text
from tests.cast import join, make_study
from tests.results.answers import asked_in, choose, make_rater, questions, rate
from tests.results.dashboard.pages import panel_of
from tests.sessions import as_user


def pages(study: Study) -> list[str]:
    unit = questions(study)[0].unit_id
    return [
        reverse("results:dashboard", args=[study.slug]),
        reverse("results:figure", args=[study.slug]) + "?facet=recovery",
        reverse("results:units", args=[study.slug]) + "?facet=recovery&raters=humans",
        reverse("desk:unit", args=[study.slug, unit]),
    ]


@pytest.fixture
def answered(study: Study) -> Study:
    """Two people, a judge and a simulated rater, who do not agree."""
    for name, kind, sentences in (
        ("worker-1", "human", (0, 2)),
        ("worker-2", "human", (0,)),
        ("lexical", "judge", (2,)),
        ("program", "simulated", ()),
    ):
        rater = make_rater(study, name, kind)
        for question in questions(study):
            choose(rater, question, *sentences)
        for question in questions(study, block=1):
            rate(rater, question, 30 + 10 * len(sentences))
    return study


def test_an_outsider_sees_none_of_it(answered: Study, outsider: User) -> None:
    client = as_user(outsider)
    addresses = [*pages(answered), reverse("results:export", args=["small"]) + "?format=csv"]
    assert [client.get(page).status_code for page in addresses] == [404] * 5


def test_without_signing_in_one_is_sent_to_the_sign_in(answered: Study) -> None:
    answers = [Client().get(page) for page in pages(answered)]
    assert all(answer.status_code == 302 for answer in answers)
    assert all("/sign-in/" in answer["Location"] for answer in answers)


def test_a_viewer_sees_every_page_but_exports_nothing(answered: Study, colleague: User) -> None:
    client = as_user(colleague)
    assert [client.get(page).status_code for page in pages(answered)] == [200] * 4
    assert client.get(reverse("results:export", args=["small"]) + "?format=csv").status_code == 403
    assert "Export" not in client.get(pages(answered)[0]).content.decode()


def test_a_reviewer_downloads_an_archive(answered: Study, outsider: User) -> None:
    join(answered, outsider, Member.Role.REVIEWER)
    client = as_user(outsider)

    answer = client.get(reverse("results:export", args=["small"]) + "?format=jsonl")

    archive = zipfile.ZipFile(io.BytesIO(b"".join(answer)))
    assert archive.testzip() is None
    assert [name.rpartition("/")[2] for name in archive.namelist()] == [
        *("README.txt", "items.jsonl", "answers.jsonl")
    ]
    assert client.get(reverse("results:export", args=["small"]) + "?format=x").status_code == 404


def test_people_judges_and_simulated_raters_stand_side_by_side(
    answered: Study, colleague: User
) -> None:
    page = as_user(colleague).get(pages(answered)[0])
    text = page.content.decode()

    assert "lexical with humans" in text
    assert "lexical with simulated raters" in text
    assert "A program plays simulated raters" in text
    scores = panel_of(page.context["sections"], "scores-recovery").grid
    assert [line.title for line in scores.lines] == ["Humans", "Simulated raters", "lexical"]
    f1 = scores.lines[0].cells[2]
    assert f1 is not None
    assert f1.value == number_text((1 + 2 / 3) / 2)
    assert "−" not in f1.value
    assert "style=" not in text


def test_empty_states_say_why_there_is_no_number(study: Study, colleague: User) -> None:
    text = as_user(colleague).get(pages(study)[0]).content.decode()

    assert "no human answers" in text
    assert reverse("results:figure", args=["small"]) not in text
    assert b"there are no figures" in as_user(colleague).get(pages(study)[1]).content


def test_the_page_is_narrowed_to_a_subset_and_a_system(answered: Study, colleague: User) -> None:
    page = as_user(colleague).get(pages(answered)[0], {"setting": "full", "system": "Birch"})
    scores = panel_of(page.context["sections"], "scores-recovery").grid

    assert [line.units for line in scores.lines] == [2, 2, 2]
    assert "setting=full&amp;system=Birch" in page.content.decode()


def test_what_does_not_exist_is_not_narrowed_to(answered: Study, colleague: User) -> None:
    page = as_user(colleague).get(pages(answered)[0], {"setting": "elsewhere"})
    assert page.context["choice"].group == {}


def test_the_figure_is_an_svg_without_styles_in_both_themes(
    answered: Study, colleague: User
) -> None:
    client = as_user(colleague)
    light = client.get(pages(answered)[1] + "&theme=light")
    dark = client.get(pages(answered)[1] + "&theme=dark")

    assert light["Content-Type"] == "image/svg+xml"
    assert b"<svg" in light.content
    assert b"style" not in light.content
    assert b"<text" not in light.content  # letters are outlines: no font is needed
    assert light.content != dark.content
    assert light.content == client.get(pages(answered)[1] + "&theme=light").content


def test_units_are_listed_with_the_most_disagreed_first(study: Study, colleague: User) -> None:
    ada, bob = make_rater(study, "ada"), make_rater(study, "bob")
    same, near, far = questions(study)
    for question, first, second in ((same, (0,), (0,)), (near, (0, 2), (0,)), (far, (0,), (1,))):
        choose(ada, question, *first)
        choose(bob, question, *second)

    page = as_user(colleague).get(pages(study)[2])

    lines = page.context["lines"]
    assert [line.unit_id for line in lines] == [far.unit_id, near.unit_id, same.unit_id]
    assert [line.disagreement for line in lines] == [1, 0.5, 0]
    assert reverse("desk:unit", args=["small", far.unit_id]) in page.content.decode()


def test_the_units_page_shows_the_number_that_they_are_behind(
    answered: Study, colleague: User
) -> None:
    client = as_user(colleague)
    page = client.get(pages(answered)[0]).content.decode()
    (url,) = {
        unescape(url)
        for url in re.findall(r'href="([^"]*units/[^"]*)"', page)
        if "metric=f1&" in unescape(url) and unescape(url).count("=") == 4
        if "raters=humans&" in unescape(url)
    }

    shown = client.get(url)

    (row,) = [
        row
        for row in as_shown(report_of(answered)).rows
        if (row.metric, row.facet, row.raters, row.group) == ("f1", "recovery", "humans", {})
    ]
    assert row.estimate.value is not None
    assert shown.context["number"].cell.exact == row.estimate
    assert f"<strong>{row.estimate.value:.3f}</strong>" in shown.content.decode()
    assert "95 % interval" in shown.content.decode()


def test_a_unit_has_its_neighbours_in_the_list_that_the_reader_comes_from(
    study: Study, colleague: User
) -> None:
    ada, bob = make_rater(study, "ada"), make_rater(study, "bob")
    same, near, far = questions(study)
    for question, first, second in ((same, (0,), (0,)), (near, (0, 2), (0,)), (far, (0,), (1,))):
        choose(ada, question, *first)
        choose(bob, question, *second)
    client, query = as_user(colleague), {"facet": "recovery", "raters": "humans"}

    def beside(unit: int) -> tuple[int | None, int | None]:
        shown = client.get(reverse("desk:unit", args=["small", unit]), query)
        return shown.context["behind"].before, shown.context["behind"].after

    assert beside(near.unit_id) == (far.unit_id, same.unit_id)
    assert beside(far.unit_id) == (None, near.unit_id)


def test_units_of_a_pair_are_those_that_both_have_answered(study: Study, colleague: User) -> None:
    ada, judge = make_rater(study, "ada"), make_rater(study, "lexical", "judge")
    first, second, third = questions(study)
    choose(ada, first, 0)
    choose(ada, second, 0)
    choose(judge, second, 2)
    choose(judge, third, 2)

    address = reverse("results:units", args=["small"])
    page = as_user(colleague).get(address, {"facet": "recovery", "raters": "humans~lexical"})

    assert [line.unit_id for line in page.context["lines"]] == [second.unit_id]
    assert page.context["lines"][0].disagreement == 1


def test_units_of_one_person_are_ordered_by_the_distance_to_the_others(
    study: Study, colleague: User
) -> None:
    ada, bob, cyd = (make_rater(study, name) for name in ("ada", "bob", "cyd"))
    near, far, alone = questions(study)
    for rater, sentence in ((ada, 0), (bob, 0), (cyd, 1)):
        choose(rater, near, sentence)
    for rater, sentence in ((ada, 0), (bob, 1), (cyd, 1)):
        choose(rater, far, sentence)
    choose(ada, alone, 0)
    for rater, value in ((ada, 10), (bob, 30), (cyd, 40)):
        rate(rater, questions(study, block=1)[0], value)

    address = reverse("results:units", args=["small"])
    page = as_user(colleague).get(address, {"facet": "recovery", "raters": "ada"})

    lines = page.context["lines"]
    assert [(line.unit_id, line.disagreement) for line in lines] == [
        (far.unit_id, 1),
        (near.unit_id, 0.5),
        (alone.unit_id, None),
    ]
    page = as_user(colleague).get(address, {"facet": "utility", "raters": "ada"})
    assert [line.disagreement for line in page.context["lines"]] == [25]


def test_units_of_controls_show_who_was_wrong(colleague: User) -> None:
    study = make_study(positive=2)
    join(study, colleague, Member.Role.VIEWER)
    ada = make_rater(study, "ada")
    right, wrong = questions(study, role="positive")
    choose(ada, right, 0, 2)
    choose(ada, wrong, 1)

    asked = {"facet": "recovery", "raters": "humans", "controls": "1"}
    page = as_user(colleague).get(reverse("results:units", args=["small"]), asked)

    assert [(one.unit_id, one.right) for one in page.context["lines"]] == [
        (wrong.unit_id, 0),
        (right.unit_id, 1),
    ]


@pytest.mark.parametrize("asked", ["facet=nothing&raters=humans", "facet=recovery&raters=nobody"])
def test_unknown_facets_and_raters_do_not_exist(
    answered: Study, colleague: User, asked: str
) -> None:
    address = reverse("results:units", args=["small"])
    assert as_user(colleague).get(f"{address}?{asked}").status_code == 404


def test_a_judge_whose_name_holds_an_at_sign_is_on_the_page(
    answered: Study, colleague: User
) -> None:
    """Model names do, with digits after it, as a version has."""
    for version, sentence in ((1, 0), (2, 2)):
        rater = make_rater(answered, "sonnet@20240620", "judge", version=version)
        for question in questions(answered):
            choose(rater, question, sentence)

    text = as_user(colleague).get(pages(answered)[0]).content.decode()

    assert "sonnet@20240620 with humans" in text
    assert "sonnet@20240620@1 with humans" in text


def test_a_unit_shows_every_answer_with_the_judges_raw_reply(
    answered: Study, colleague: User
) -> None:
    question = questions(answered)[0]
    annotation = question.annotations.get(rater__name="lexical")
    judge = define_judge(study=answered, name="lexical", method="lexical")
    run = JudgeRun.objects.create(study=answered, judge=judge, rater=annotation.rater)
    chunk = Chunk.objects.create(run=run, position=0)
    Call.objects.create(
        run=run,
        chunk=chunk,
        question=question,
        status=Call.Status.ANSWERED,
        reply="<b>2</b> it is",
        annotation=annotation,
    )

    text = as_user(colleague).get(pages(answered)[3]).content.decode()

    for name in ("worker-1", "worker-2", "lexical", "program", "Right answer"):
        assert name in text
    assert "&lt;b&gt;2&lt;/b&gt; it is" in text
    assert 'badge--simulated">simulated' in text
    assert "Bridge 0 carried traffic all year." in text


def test_a_unit_says_which_answers_do_not_count(study: Study, colleague: User) -> None:
    choose(make_rater(study, "ada"), questions(study)[0], 0, surplus=True)
    assert "surplus" in as_user(colleague).get(pages(study)[3]).content.decode()


def test_a_withdrawn_answer_leaves_a_row_without_content(study: Study, colleague: User) -> None:
    withdrawn = choose(make_rater(study, "ada"), questions(study)[0], 0)
    withdrawn.ratings.all().delete()
    Annotation.objects.filter(pk=withdrawn.pk).update(answer={}, withdrawn_at=timezone.now())

    page = as_user(colleague).get(pages(study)[3])

    asked = asked_in(page)
    (said,) = asked[0].answers
    assert (said.standing, said.f1, any(said.chosen)) == ("withdrawn", None, False)
    assert "no human answers" in as_user(colleague).get(pages(study)[0]).content.decode()


def test_a_unit_of_another_study_does_not_exist(study: Study, colleague: User) -> None:
    other = questions(make_study("other"))[0].unit_id
    address = reverse("desk:unit", args=["small", other])
    assert as_user(colleague).get(address).status_code == 404


def test_no_page_asks_more_of_the_database_when_there_is_more_to_show(owner: User) -> None:
    def queries(sources: int) -> list[int]:
        study = make_study(f"s{sources}", sources=sources)
        join(study, owner, Member.Role.OWNER)
        client = as_user(owner)
        for at in range(sources):
            rater = make_rater(study, f"worker-{at}")
            for question in questions(study):
                choose(rater, question, at % 3)
        client.get(pages(study)[0])  # computes the report
        counts = []
        for page in pages(study):
            with CaptureQueriesContext(connection) as captured:
                client.get(page)
            counts.append(len(captured))
        return counts

    assert queries(4) == queries(7) == [33, 11, 19, 27]


def test_every_style_sheet_of_the_pages_exists() -> None:
    for name in ("estimates", "figure", "units"):
        assert finders.find(f"css/{name}.css")
