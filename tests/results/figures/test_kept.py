"""Figures within the page of results."""

import re
from html import unescape
from pathlib import Path

import pytest
from django.conf import settings

from annotation.models import Study, User
from annotation.rights.withdrawal import answers_erased
from results.figures.drawing import PAPER, THEMES
from results.models import KeptFigure
from results.tasks import recount
from tests.results.answers import disagree, make_rater, questions, rate
from tests.results.dashboard.pages import address
from tests.sessions import as_user


@pytest.fixture
def answered(study: Study) -> Study:
    return disagree(study)


def shown(study: Study, reader: User) -> str:
    return as_user(reader).get(address(study)).content.decode()


def svgs(page: str) -> list[str]:
    return re.findall(r"<svg .*?</svg>", page, flags=re.DOTALL)


def test_every_figure_is_an_svg_within_the_page_that_says_what_it_shows(
    answered: Study, colleague: User
) -> None:
    page = shown(answered, colleague)

    figures = svgs(page)
    assert len(figures) > 4
    assert len(figures) + page.count("figure__silence") == page.count("<figure ")
    assert "<img" not in page
    for svg in figures:
        assert 'role="img"' in svg
        title, text = (
            unescape(found)
            for tag in ("title", "desc")
            for found in re.findall(rf"<{tag}[^>]*>([^<]*)</{tag}>", svg)
        )
        assert title
        assert "Its numbers are in the table" in text or re.search(r"\d\.\d|minute|nobody", text)
    assert any("Alder" in svg for svg in figures)


def test_no_two_figures_of_a_page_share_an_id_and_none_points_outside_itself(
    answered: Study, colleague: User
) -> None:
    page = shown(answered, colleague)

    ids = re.findall(r'\sid="([^"]*)"', page)
    assert len(ids) == len(set(ids))
    for svg in svgs(page):
        own = set(re.findall(r'\sid="([^"]*)"', svg))
        assert set(re.findall(r'(?:href="#|url\(#)([^")]*)', svg)) <= own


def test_figures_of_a_page_hold_no_style_and_no_colour_of_their_own(
    answered: Study, colleague: User
) -> None:
    for svg in svgs(shown(answered, colleague)):
        assert "style" not in svg
        assert "<image" not in svg
        assert not re.findall(r'"#[0-9a-f]{6}"', svg)
        assert "var(--figure-ink)" in svg


def test_a_figure_is_drawn_once_per_revision_of_the_answers(
    answered: Study, colleague: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = svgs(shown(answered, colleague))

    def never(*_of: object, **_how: object) -> bytes:
        raise AssertionError("drawn again")

    with monkeypatch.context() as patch:
        patch.setattr("results.figures.kept.draw", never)
        assert svgs(shown(answered, colleague)) == first

    rate(make_rater(answered, "cyd"), questions(answered, block=1)[0], 90)
    recount(answered.pk)
    assert svgs(shown(answered, colleague)) != first
    assert KeptFigure.objects.values("revision").distinct().count() == 1


def test_a_figure_too_large_for_a_page_is_an_image(
    answered: Study, colleague: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("results.figures.kept.LARGEST", 10)
    page = shown(answered, colleague)

    assert not svgs(page)
    assert page.count("<img") + page.count("figure__silence") == page.count("<figure ")
    assert 'alt=""' not in page


def test_the_figures_of_a_large_study_are_drawn_in_the_background(
    answered: Study, colleague: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("results.report.newest.SMALL", 0)
    recount(answered.pk)
    monkeypatch.setattr("results.figures.kept.keep_figures", None)  # the page draws nothing itself

    page = shown(answered, colleague)

    assert svgs(page)
    assert "<img" not in page


def test_an_image_with_a_revision_may_be_kept_by_the_browser(
    answered: Study, colleague: User
) -> None:
    client = as_user(colleague)
    asked = {"kind": "heat", "facet": "utility"}

    assert (
        "max-age" in client.get(address(answered, "figure"), {**asked, "r": "3"})["Cache-Control"]
    )
    assert "max-age" not in client.get(address(answered, "figure"), asked).get("Cache-Control", "")


def test_files_have_the_colours_of_the_pages() -> None:
    css = (Path(settings.BASE_DIR) / "static/css/tokens.css").read_text()
    light, dark = (
        dict(re.findall(r"--figure-(\w+): (#\w+);", one)) for one in css.split("@media")[:2]
    )

    for theme, page in ((THEMES["light"], light), (THEMES["dark"], dark)):
        parties = {str(at): colour for at, colour in enumerate(theme.parties, 1)}
        assert {"ink": theme.ink, "line": theme.line, **parties}.items() <= page.items()
    assert THEMES["light"] == PAPER


def test_no_figure_is_kept_of_answers_that_are_erased(answered: Study, colleague: User) -> None:
    shown(answered, colleague)
    assert KeptFigure.objects.exists()

    answers_erased.send(sender=None, study=answered)

    assert not KeptFigure.objects.exists()
