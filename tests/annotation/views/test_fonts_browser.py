"""The typefaces of the pages: the same everywhere, light, and nothing moves when they come."""

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Route

from annotation.models import Study
from tasktypes.contract import TaskType
from tasktypes.registry import TASK_TYPES
from tests.annotation.views.worker_pages import NewPage, address, open_batch, study_of
from tests.annotation.worker_client import Person
from tests.cast import make_study
from tests.services.static_files import served

FOLDER = Path(settings.BASE_DIR) / "static" / "fonts"
SHIFTS = """() => { window.shifts = []; new PerformanceObserver(list =>
    window.shifts.push(...list.getEntries().map(entry => entry.value)))
    .observe({type: 'layout-shift', buffered: true}); }"""


@pytest.fixture
def study() -> Study:
    return make_study(sources=2, per_batch=1)


def test_the_fonts_weigh_60_kilobytes_at_most_and_come_with_their_licence() -> None:
    files = list(FOLDER.glob("*.woff2"))
    assert len(files) == 2
    assert sum(file.stat().st_size for file in files) <= 60_000
    licence = (FOLDER / "LICENSE").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert all(file.name in licence for file in files)


@pytest.mark.django_db(transaction=True)
def test_a_question_is_set_in_them_and_nothing_moves_when_they_come_late(
    new_page: NewPage, study: Study
) -> None:
    page = new_page(viewport={"width": 1280, "height": 800})
    batch = open_batch(page, study)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/fonts/*.woff2", hold)
    page.add_init_script(f"({SHIFTS})()")
    page.goto(address(batch), wait_until="commit")
    page.locator("#sentence-0").wait_for()
    page.wait_for_timeout(500)
    before = page.evaluate("document.documentElement.scrollHeight")
    for route in held:
        route.continue_()
    page.evaluate("async () => { await document.fonts.ready; }")
    page.wait_for_timeout(300)
    assert len(held) == 2
    assert page.evaluate("[...document.fonts].filter(f => f.status === 'loaded').length") >= 2
    assert sum(page.evaluate("window.shifts")) < 0.01
    assert abs(page.evaluate("document.documentElement.scrollHeight") - before) <= 4


@pytest.mark.django_db
@pytest.mark.parametrize("kind", TASK_TYPES, ids=lambda kind: kind.slug)
def test_besides_the_fonts_the_page_of_a_question_weighs_60_kilobytes_at_most(
    kind: TaskType[Any, Any, Any],
) -> None:
    page = Person(study_of(kind)).get()
    names = set(re.findall(r'(?:href|src)="/static/([^"]+)"', page))
    fonts = {name for name in names if name.endswith(".woff2")}
    # All are served compressed, the page as fast as it can be made.
    weights = {name: len(gzip.compress(served(name), 9)) for name in names - fonts}
    assert len(fonts) == 2
    assert len(gzip.compress(page.encode(), 6)) + sum(weights.values()) <= 60_000, weights
