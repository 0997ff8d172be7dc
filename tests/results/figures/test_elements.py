"""Figures within the page of results."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from itertools import pairwise
from typing import Any

import pytest
from django.utils.translation import override

from agreement import Estimate
from annotation.models import Study, User
from estimates.report.recount import recount
from results.figures.drawing import PAPER, figure_of
from results.figures.elements import figure_element
from results.figures.layout import LAYOUTS, layout_of
from results.figures.layout.axes import cut_text, number_axis, text_width, time_axis
from results.figures.layout.shapes import FONT
from results.figures.plots import (
    Box,
    Boxes,
    Cloud,
    Curve,
    Matrix,
    Plot,
    Points,
    Range,
    Ranges,
    Series,
)
from tests.results.answers import make_rater, questions, rate
from tests.results.dashboard.pages import address
from tests.sessions import as_user

START = datetime(2026, 11, 20, 9, tzinfo=UTC)
LONG = "a rater whose name is far too long to stand before a row of any figure"
MANY = [f"rater-{n}" for n in range(40)]
PLOTS: dict[str, Plot] = {
    "points": Points(
        "Mean",
        ["Alder", LONG],
        [
            Series("Humans", [Estimate(value=0.5, low=0.4, high=0.6), None]),
            Series("lexical", [Estimate.missing("nothing"), Estimate(value=-0.2)]),
        ],
    ),
    "curve": Curve(
        "α",
        [START + timedelta(hours=7 * n) for n in range(4)],
        [Series("Humans", [None, *(Estimate(value=n / 3) for n in range(3))])],
    ),
    "cloud": Cloud("F1", "Humans", LONG, [0.0, 1.0], [0.0, 0.5], [1, 30], "2 of 9 pairs"),
    "boxes": Boxes("Utility", [Box("Alder", "Humans", 4, (1.0, 1.0, 1.0, 1.0, 1.0))]),
    "ranges": Ranges(
        "Closeness to people",
        [
            Range("People", Estimate(value=0.8, low=0.7, high=0.9)),
            Range(LONG, Estimate.missing("fewer than three people " * 4), 1),
            Range("cut…", Estimate(value=0.2), 1, LONG),
        ],
        marks=(0.667,),
    ),
    "matrix": Matrix("α", ["a", "b"], ["a", "b"], [[None, Estimate(value=-1.0)]] * 2, -1.0, 1.0),
    "large matrix": Matrix(
        "α", MANY, MANY, [[Estimate(value=n / 40) for n in range(40)]] * 40, -1.0, 1.0
    ),
}
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def shown(study: Study, reader: User) -> str:
    return as_user(reader).get(address(study)).content.decode()


def svgs(page: str) -> list[str]:
    return re.findall(r'<svg class="plot [^"]*" .*?</svg>', page, flags=re.DOTALL)


def drawn(plot: Plot) -> str:
    class Plotter:
        def plot(self, _asked: object) -> Plot:
            return plot

        def words(self, _asked: object) -> tuple[str, str]:
            return "A <title>", "A text"

    plotter: Any = Plotter()
    return figure_element(plotter, "kind=any")


def test_every_kind_of_plot_has_a_layout() -> None:
    assert {type(plot) for plot in PLOTS.values()} == set(LAYOUTS)


@pytest.mark.parametrize("plot", PLOTS.values(), ids=PLOTS)
def test_no_text_of_a_figure_touches_another_or_leaves_it(plot: Plot) -> None:
    layout = layout_of(plot)
    boxes = []
    for label in layout.labels:
        size = label.size or FONT
        width = text_width(label.text, size)
        starts = {"plot__before": width, "plot__middle": width / 2}.get(label.style, 0.0)
        if label.upwards:
            boxes.append((label.x - 0.7 * size, label.x, label.y - width, label.y, label))
        else:
            left = label.x - starts
            boxes.append((left, left + width, label.y - 0.7 * size, label.y, label))
    for left, right, top, bottom, label in boxes:
        assert -2 <= left <= right <= layout.width + 2, label
        assert -2 <= top <= bottom <= layout.height + 2, label
    for at, (left, right, top, bottom, label) in enumerate(boxes):
        for other in boxes[at + 1 :]:
            beside = right <= other[0] + 1 or other[1] <= left + 1
            apart = bottom <= other[2] + 1 or other[3] <= top + 1
            assert beside or apart, (label, other[-1])


@pytest.mark.parametrize("plot", PLOTS.values(), ids=PLOTS)
def test_every_shape_lies_within_the_figure(plot: Plot) -> None:
    layout = layout_of(plot)
    for shape in layout.shapes:
        for x, y in re.findall(r"M(-?[\d.]+) (-?[\d.]+)", shape.path):
            assert 0 <= float(x) <= layout.width
            assert 0 <= float(y) <= layout.height


def test_a_name_without_room_is_cut_and_held_as_a_whole() -> None:
    element = drawn(PLOTS["points"])

    assert f"<title>{LONG}</title>" in element
    assert "a rater whose name…" in element or re.search(r">a rater [^<]*…<title>", element)
    assert cut_text("short", FONT, 100) == "short"


def test_an_axis_has_round_numbers_in_order_and_a_minus_sign() -> None:
    axis = number_axis([-0.31, 0.0, 0.52], 0, 100)

    assert [text for _value, text in axis.ticks] == ["−0.2", "0.0", "0.2", "0.4"]
    assert all(one < other for (one, _), (other, _) in pairwise(axis.ticks))
    assert axis.at(axis.low) == 0
    assert axis.at(axis.high) == 100
    assert number_axis([7.5], 0, 100).ticks  # of one number alone, too
    assert number_axis([7.0, 7.0], 0, 100).ticks == [(7.0, "7")]  # a count has no fractions


@pytest.mark.parametrize(
    ("apart", "texts"),
    [
        (timedelta(hours=2), ["09:00", "10:00", "11:00"]),
        (timedelta(days=3), ["21 Nov", "22 Nov", "23 Nov"]),
        (timedelta(days=900), ["Oct 2026", "Oct 2027", "Oct 2028"]),
    ],
)
def test_times_are_told_as_exactly_as_they_are_apart(apart: timedelta, texts: list[str]) -> None:
    axis = time_axis([START, START + apart], 0, 100)

    assert [text for _value, text in axis.ticks] == texts


def test_numbers_of_a_figure_are_those_of_svg_in_every_language() -> None:
    with override("ar"):
        element = drawn(PLOTS["points"])

    (size,) = re.findall(r'viewBox="([^"]*)"', svgs(element)[0])
    assert all(NUMBER.fullmatch(number) for number in size.split())
    for place in re.findall(r' [xy]="([^"]*)"', element):
        assert NUMBER.fullmatch(place)


def test_a_figure_escapes_what_it_is_told() -> None:
    assert "A &lt;title&gt;" in drawn(PLOTS["matrix"])


def test_no_two_of_thirty_six_parties_look_the_same() -> None:
    """People and the sixth judge used to share a mark and a colour."""
    names = [f"rater-{n}" for n in range(36)]
    plot = Points("Mean", ["Alder"], [Series(name, [Estimate(value=0.5)]) for name in names])
    marks = [key.mark for key in layout_of(plot).legend]
    assert len({(mark.style, mark.path) for mark in marks}) == 36
    # Without their colours, twelve can be told apart.
    bare = [(re.sub(r"plot__party--\d", "", mark.style), mark.path) for mark in marks[:12]]
    assert len(set(bare)) == 12


def test_marks_in_files_are_those_of_the_page() -> None:
    names = [f"rater-{n}" for n in range(12)]
    plot = Points("Mean", ["Alder"], [Series(name, [Estimate(value=0.5)]) for name in names])
    drawn = figure_of(plot, PAPER).axes[0].get_lines()
    looks = [(line.get_marker(), line.get_color(), line.get_fillstyle()) for line in drawn]
    assert len(set(looks)) == 12


def test_a_heat_map_tells_less_from_more_by_colour() -> None:
    element = drawn(PLOTS["matrix"])

    assert '<path class="plot__least" fill-opacity="0.98"' in element
    assert "plot__missing" in element


def test_a_scatter_plot_of_some_pairs_says_so() -> None:
    assert "2 of 9 pairs" in drawn(PLOTS["cloud"])


def test_every_figure_is_an_svg_within_the_page_that_says_what_it_shows(
    answered: Study, colleague: User
) -> None:
    page = shown(answered, colleague)

    figures = svgs(page)
    assert len(figures) > 4
    assert len(figures) + page.count("figure__empty") == page.count("<figure ")
    assert "<img" not in page
    for svg in figures:
        assert 'role="img"' in svg
        title, text = (
            unescape(found)
            for tag in ("title", "desc")
            for found in re.findall(rf"<{tag} id[^>]*>([^<]*)</{tag}>", svg)
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
        assert set(re.findall(r'aria-\w+by="([^"]*)"', svg)) <= own


def test_figures_of_a_page_hold_no_style_and_no_colour_of_their_own(
    answered: Study, colleague: User
) -> None:
    for svg in svgs(shown(answered, colleague)):
        assert "style" not in svg
        assert "<image" not in svg
        assert not re.findall(r'(fill|stroke)="', svg)


def test_a_figure_shows_the_newest_answers(answered: Study, colleague: User) -> None:
    first = svgs(shown(answered, colleague))

    rate(make_rater(answered, "cyd"), questions(answered, block=1)[0], 90)

    assert svgs(shown(answered, colleague)) != first


def test_figures_of_a_large_study_are_loaded_when_they_come_into_view(
    answered: Study, colleague: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("estimates.report.newest.SMALL", 0)
    recount(study=answered)
    client = as_user(colleague)
    page = client.get(address(answered)).content.decode()

    later = [unescape(url) for url in re.findall(r'hx-get="([^"]*kind=[^"]*)"', page)]
    assert not svgs(page)
    assert len(later) == page.count("<figure ")
    for url in later:
        assert f'href="{url}"' in unescape(page)  # without a script: a link to the image
        part = client.get(url, headers={"HX-Request": "true"})
        assert svgs(part.content.decode()) or "figure__empty" in part.content.decode()
        assert "<html" not in part.content.decode()
        assert "HX-Request" in part["Vary"]
        assert "max-age" in part["Cache-Control"]


def test_a_figure_too_large_for_a_page_is_an_image(
    answered: Study, colleague: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("results.figures.elements.LARGEST", 10)
    client = as_user(colleague)
    page = client.get(address(answered)).content.decode()

    assert not svgs(page)
    (url, *_rest) = (unescape(one) for one in re.findall(r'hx-get="([^"]*kind=heat[^"]*)"', page))
    part = client.get(url, headers={"HX-Request": "true"}).content.decode()
    (image,) = re.findall(r'<img src="([^"]*)" alt="[^"]+">', part)
    assert client.get(unescape(image))["Content-Type"] == "image/svg+xml"


def test_an_image_with_a_revision_may_be_kept_by_the_browser(
    answered: Study, colleague: User
) -> None:
    client = as_user(colleague)
    asked = {"kind": "heat", "facet": "utility"}

    assert (
        "max-age" in client.get(address(answered, "figure"), {**asked, "r": "3"})["Cache-Control"]
    )
    assert "max-age" not in client.get(address(answered, "figure"), asked).get("Cache-Control", "")
