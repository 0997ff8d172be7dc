"""Checking lists in a real browser: on a phone, on a desktop, without scripts."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.models import Member, Preparation, Study, User
from tests.cast import join, make_user
from tests.imports.preparation.studies import ERROR, claims_without_errors, proposed
from tests.imports.small_files import write_lines
from tests.services.browser import axe_violations, follow, scrolls_sideways
from tests.sessions import sign_in

pytestmark = pytest.mark.django_db(transaction=True)

NewPage = Callable[..., Page]
SIZES = {"phone": {"width": 360, "height": 740}, "desktop": {"width": 1280, "height": 900}}


@pytest.fixture
def mills(tmp_path: Path) -> Study:
    """One claim has a model's list; the other has none."""
    made = claims_without_errors(tmp_path)
    join(made, make_user("keeper"), Member.Role.OWNER)
    row = proposed(made, "mill-0", [ERROR])
    row.provenance = {
        "by": "model",
        "model": "oracle-1",
        "replies": [{"step": "errors", "text": json.dumps({"errors": [ERROR] * 3})}],
    }
    row.save()
    return made


def open_list(page: Page, study: Study) -> None:
    sign_in(page, User.objects.get(username="keeper"))
    page.goto(study.get_absolute_url())
    follow(page.get_by_role("link", name="Set-up", exact=True))
    pages = page.get_by_role("button", name="Set-up: ")
    if pages.is_visible():  # on a narrow screen
        pages.click()
    follow(page.get_by_role("link", name="Preparation"))
    follow(page.get_by_role("link", name="mill-0"))


def accessible(page: Page) -> None:
    assert axe_violations(page) == []
    assert not scrolls_sideways(page)


@pytest.mark.parametrize(("size", "scheme"), [("phone", "dark"), ("desktop", "light")])
def test_a_list_is_checked_edited_and_accepted(
    new_page: NewPage, mills: Study, size: str, scheme: str
) -> None:
    page = new_page(viewport=SIZES[size], color_scheme=scheme)
    open_list(page, mills)
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    accessible(page)
    page.get_by_label("What is right").first.fill("The mill flooded in May.")
    follow(page.get_by_role("button", name="Save and accept"))
    expect(page.get_by_text("Accepted: mill-0 (1 units made, 1 changed).")).to_be_visible()
    accessible(page)
    page.goto(reverse("desk:preparation", args=[mills.slug]))
    accessible(page)
    page.get_by_label("State").select_option("missing")
    follow(page.get_by_role("button", name="Show"))
    accessible(page)
    follow(page.get_by_role("button", name="Write the list mill-1"))
    expect(page.locator("h1")).to_contain_text("mill-1")
    unit = mills.units.get(key="mill-0/plain")
    assert unit.focus["errors"][0]["correction"] == "The mill flooded in May."


def test_entries_are_added_moved_and_removed_without_scripts(
    new_page: NewPage, mills: Study, tmp_path: Path
) -> None:
    page = new_page(java_script_enabled=False)
    open_list(page, mills)
    for label in ("What is false", "Why it is false", "What is right"):
        page.get_by_label(label).nth(1).fill(f"Another: {label}.")
    page.get_by_label("Place").nth(0).fill("2")
    page.get_by_label("Place").nth(1).fill("1")
    follow(page.get_by_role("button", name="Save", exact=True))
    row = Preparation.objects.get()
    assert [entry["sentence"] for entry in row.entries] == ["Another: What is false.", "It burnt."]
    page.get_by_label("Remove").nth(1).check()
    follow(page.get_by_role("button", name="Save", exact=True))
    row.refresh_from_db()
    assert len(row.entries) == 1

    page.goto(reverse("desk:preparation", args=[mills.slug]))
    file = write_lines(tmp_path / "lists.jsonl", [{"source": "mill-1", "entries": [ERROR]}])
    page.get_by_label("File of lists").set_input_files(file)
    follow(page.get_by_role("button", name="Upload"))
    expect(page.get_by_text("1 new, 0 edited, 0 unchanged")).to_be_visible()
    follow(page.get_by_role("button", name="Accept all 2 lists shown"))
    expect(page.get_by_text("2 lists are accepted: 2 units made, 2 changed.")).to_be_visible()
