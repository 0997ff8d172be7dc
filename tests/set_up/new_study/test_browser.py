"""Making a study in a real browser: with scripts on a desktop, without them on a phone."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.models import Study
from tests.cast import make_user
from tests.services.browser import axe_violations, follow, scrolls_sideways
from tests.sessions import sign_in

pytestmark = pytest.mark.django_db(transaction=True)
FOREIGN = Path(__file__).parents[2] / "imports/formats/foreign/argilla/.argilla"
TABLE = "document,system,summary\nA mill burned.,alder,It burned.\nA mill burned.,birch,It fell.\n"


@pytest.mark.parametrize(("width", "scripts"), [(1280, True), (360, False)])
def test_a_researcher_makes_a_study_of_a_table(
    new_page: Callable[..., Page], tmp_path: Path, settings: Any, width: int, scripts: bool
) -> None:
    settings.MEDIA_ROOT = tmp_path
    table = tmp_path / "summaries.csv"
    table.write_text(TABLE)
    page = new_page(viewport={"width": width, "height": 800}, java_script_enabled=scripts)
    sign_in(page, make_user("maker"))

    def looked_at() -> None:
        if scripts:
            assert axe_violations(page) == []
            assert not scrolls_sideways(page)

    page.goto(reverse("desk:new-study"))
    looked_at()
    follow(page.get_by_role("button", name="Rating by criteria"))
    looked_at()
    page.get_by_label("Files", exact=True).set_input_files(table)
    page.get_by_role("button", name="Upload", exact=True).click()
    page.wait_for_url("**/reading/")
    looked_at()
    expect(page.get_by_text("Rating by criteria (Quality)")).to_be_visible()
    follow(page.get_by_role("button", name="Continue"))
    looked_at()
    frame = page.frame_locator("iframe").first
    expect(frame.get_by_text("How good is this text?")).to_be_visible()
    page.get_by_label("Title").fill("Fluent summaries")
    page.get_by_label("What is asked", exact=True).fill("How fluent is it?")
    follow(page.get_by_role("button", name="Preview"))
    expect(frame.get_by_text("How fluent is it?")).to_be_visible()
    follow(page.get_by_role("button", name="Make the study"))
    expect(page.get_by_role("link", name="Fluent summaries")).to_be_visible()
    assert Study.objects.get(slug="fluent-summaries").units.count() == 2
    page.goto(reverse("desk:edit-study", args=["fluent-summaries"]))
    looked_at()
    text = page.get_by_label("Study file", exact=True)
    text.fill(text.input_value().replace("overlap: 3", "overlap: 4"))
    follow(page.get_by_role("button", name="Show what changes"))
    looked_at()
    follow(page.get_by_role("button", name="Apply"))
    assert Study.objects.get().overlap == 4


def test_a_researcher_takes_a_study_from_another_tool(
    new_page: Callable[..., Page], tmp_path: Path, settings: Any
) -> None:
    settings.MEDIA_ROOT = tmp_path
    page = new_page(viewport={"width": 360, "height": 800})
    sign_in(page, make_user("maker"))
    page.goto(reverse("desk:new-study"))
    page.get_by_label("Tool or data set").select_option("Argilla")
    follow(page.get_by_role("button", name="Choose files"))
    assert axe_violations(page) == []
    assert not scrolls_sideways(page)
    page.get_by_label("Files", exact=True).set_input_files([FOREIGN / "settings.json"])
    page.get_by_label("Title").fill("Answers of guides")
    page.get_by_role("button", name="Import").click()
    page.wait_for_url("**/imports/*/")
    expect(page.get_by_text("Nothing was imported:")).to_be_visible()
    assert axe_violations(page) == []
    follow(page.get_by_role("link", name="Upload again"))
    expect(page.get_by_label("Title")).to_have_value("Answers of guides")
    page.get_by_label("Files", exact=True).set_input_files(
        [FOREIGN.parent / "records.json", FOREIGN / "settings.json"]
    )
    page.get_by_role("button", name="Import").click()
    page.wait_for_url("**/imports/*/")
    expect(page.get_by_text("was created. Only you can see it.")).to_be_visible()
    follow(page.get_by_role("link", name="Open the study"))
    expect(page.get_by_role("heading", name="Answers of guides")).to_be_visible()


RATINGS = """document,summary,system,annotator,fluency
A mill burned.,It burned.,Alder,ann,4
A mill burned.,It burned.,Alder,ben,5
A mill burned.,It fell.,birch,ann,2
A mill burned.,It fell.,birch,ben,n/a
It rained.,It was wet.,alder,ann,5
It rained.,It was wet.,alder,ben,5
It rained.,It was dry.,birch,ann,1
It rained.,It was dry.,birch,ben,2
"""


# Keeps what is said once all has arrived: the next page comes soon after.
HEAR = """() => {
  const line = document.querySelector("[data-upload-reading]");
  const keep = () => line.hidden || sessionStorage.setItem("heard", line.textContent);
  new MutationObserver(keep).observe(line, { attributes: true });
}"""


@pytest.mark.parametrize(("width", "scripts"), [(1280, True), (360, False)])
def test_a_researcher_uploads_ratings_and_sees_results(
    new_page: Callable[..., Page], tmp_path: Path, settings: Any, width: int, scripts: bool
) -> None:
    settings.MEDIA_ROOT = tmp_path
    table = tmp_path / "ratings.csv"
    table.write_text(RATINGS)
    page = new_page(viewport={"width": width, "height": 800}, java_script_enabled=scripts)
    sign_in(page, make_user("maker"))
    page.goto(reverse("desk:new-study"))
    page.get_by_label("Files", exact=True).set_input_files(table)
    if scripts:
        page.evaluate(HEAR)
    page.get_by_role("button", name="Upload", exact=True).first.click()
    page.wait_for_url("**/reading/")
    if scripts:
        assert "being read" in page.evaluate("sessionStorage.getItem('heard')")
    expect(page.get_by_text("7 answers", exact=False).first).to_be_visible()
    page.get_by_role("button", name="Join these systems").click()
    expect(page.get_by_text("2 systems", exact=False).first).to_be_visible()
    page.get_by_text("Columns of ratings.csv").click()
    page.get_by_label("What annotator holds").select_option("–")
    if scripts:
        expect(page.get_by_text("With your changes:")).to_be_visible()
        page.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)")
        assert axe_violations(page) == []
        assert not scrolls_sideways(page)
        # As by the handle of a field. A swap copies no style, which the content policy forbids.
        page.locator("#reading textarea").last.evaluate("field => field.style.height = '9rem'")
        page.get_by_label("What annotator holds").select_option("Rater: who answered")
    follow(page.get_by_role("button", name="Create the study"))
    expect(page.get_by_role("link", name="Look at the results")).to_be_visible()
    assert Study.objects.get(slug="ratings").raters.count() == 2
