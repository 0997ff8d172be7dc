"""A folder of bundles becomes a page that anybody can host."""

import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from urllib.parse import unquote

import pytest
from django.core.management import CommandError, call_command
from playwright.sync_api import Page, expect

from annotation.models import Study
from tests.cast import make_study
from tests.results.answers import choose, make_rater, questions
from tests.services.browser import violations_in_both_schemes
from tests.workbench.cards.conftest import Bundling
from tests.workbench.cards.forged import forge
from tests.workbench.rule import answer_all, good_value, split_study
from workbench.cards.index import NoIndex, build_index

pytestmark = pytest.mark.django_db
JUDGES = ("first", "second", "third")


@pytest.fixture
def bundles(bundled: Bundling) -> Path:
    """Two studies that three judges answered: points on a slider, and sentences."""
    points = split_study()
    sentences = make_study("sets", sources=12)
    for name in ("ada", "bob"):
        person = make_rater(sentences, name)
        for question in questions(sentences):
            choose(person, question, 0)
    for at, name in enumerate(JUDGES):
        answer_all(points, make_rater(points, name, "judge"), lambda n, at=at: good_value(n) - at)
        judge = make_rater(sentences, name, "judge")
        for number, question in enumerate(questions(sentences)):
            choose(judge, question, 1 if number < at else 0)
    bundled(points)
    return bundled(sentences).parent


def test_three_judges_on_two_tasks_with_numbers_that_come_out(
    bundles: Path, tmp_path: Path
) -> None:
    out = tmp_path / "index"
    built = build_index(bundles, out)
    assert (built.cards, built.judges, built.tasks, built.left_out) == (6, 3, 2, [])
    page = (out / "index.html").read_text(encoding="utf-8")
    # Of twelve texts the second judge chooses another sentence in one, the third in two.
    assert re.findall(r"<strong>(0\.\d+|1\.000)</strong>", page) == [
        *("1.000", "1.000"),
        *("0.990", f"{11 / 12:.3f}"),
        *("0.980", f"{10 / 12:.3f}"),
    ]
    links = re.findall(r'href="([^"]+)"', page)
    assert len(links) == 8
    assert all((out / unquote(link)).is_file() for link in links)
    cards = sorted((out / "cards").iterdir())
    assert len(cards) == 18
    for text in [page, *(card.read_text(encoding="utf-8") for card in cards)]:
        assert "<script" not in text
        assert "://" not in text


def test_the_page_and_its_cards_are_accessible_and_fit_a_phone(
    bundles: Path, tmp_path: Path, new_page: Callable[..., Page]
) -> None:
    build_index(bundles, tmp_path / "index")
    page = new_page(viewport={"width": 390, "height": 900})
    for name, heading in (
        ("index.html", "Judges by tasks"),
        ("cards/loop.slider.third@1.html", "Judge card: third@1"),
    ):
        page.set_content((tmp_path / "index" / name).read_text(encoding="utf-8"))
        expect(page.get_by_role("heading", level=1)).to_have_text(heading)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert violations_in_both_schemes(page) == []


def test_an_index_shows_no_look_before_its_answers_are_published(
    looked: Study, bundled: Bundling, tmp_path: Path
) -> None:
    build_index(bundled(looked).parent, tmp_path / "index")
    page = (tmp_path / "index" / "index.html").read_text(encoding="utf-8")
    assert "sealed half, look" not in page
    assert "More is stated in its bundle that cannot be recomputed." in page
    for card in (tmp_path / "index" / "cards").glob("*marker*"):
        assert "Closeness to people" not in card.read_text(encoding="utf-8")


def test_a_bundle_with_a_number_that_does_not_come_out_is_left_out_and_named(
    bundles: Path, tmp_path: Path
) -> None:
    forge(bundles / "sets-bundle.zip", ".json", '"value": 24.0', '"value": 25.0')
    (bundles / "other.zip").write_bytes(b"no bundle")
    out = StringIO()
    with pytest.raises(CommandError, match="25 in the card, 24 by the data") as raised:
        call_command("judge_index", str(bundles), "--out", str(tmp_path / "index"), stdout=out)
    assert raised.value.returncode == 1
    assert "3 judges, 1 tasks, 3 cards" in out.getvalue()
    page = (tmp_path / "index" / "index.html").read_text(encoding="utf-8")
    assert "sets-bundle.zip: a number of its cards does not come out of its data" in page
    assert "other.zip: it is no bundle" in page
    assert not (tmp_path / "index" / "bundles" / "sets-bundle.zip").exists()


def test_there_is_no_index_of_nothing_or_over_something(bundles: Path, tmp_path: Path) -> None:
    with pytest.raises(NoIndex, match="no folder with bundles"):
        build_index(tmp_path / "nowhere", tmp_path / "index")
    with pytest.raises(NoIndex, match="name a new folder"):
        build_index(bundles, bundles)
    for path in bundles.iterdir():
        path.write_bytes(b"")
    with pytest.raises(NoIndex, match="no bundle has a card to show"):
        build_index(bundles, tmp_path / "index")
    assert not (tmp_path / "index").exists()
