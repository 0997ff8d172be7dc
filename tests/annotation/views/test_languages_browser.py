"""The pages of a study in each language, in a real browser: nothing of ours stays English."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.core import serializers
from django.urls import reverse
from playwright.sync_api import Browser, Page, ViewportSize
from pytest_django.live_server_helper import LiveServer

from annotation.models import Question, Study
from tasktypes.contract import TaskType
from tasktypes.registry import TASK_TYPES
from tests.annotation.views.worker_pages import address, open_batch, study_of
from tests.services.browser import scrolls_sideways
from tests.services.texts import english_left, texts_of

# 1280 pixels, enlarged to 400 %.
NARROW: ViewportSize = {"width": 320, "height": 640}
pytestmark = pytest.mark.django_db(transaction=True)
AnyType = TaskType[Any, Any, Any]
OTHERS = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def own_texts(study: Study) -> str:
    """All that the researchers of the study wrote, and the texts of the question."""
    rows = [study, *Question.objects.filter(study=study), *study.blocks.all()]
    fields = serializers.serialize("python", rows)
    return " ".join(" ".join(leaves(fields)).split())


def leaves(data: object) -> Iterator[str]:
    """The texts in nested data, in their order."""
    if isinstance(data, dict):
        data = list(data.values())
    if isinstance(data, list):
        for part in data:
            yield from leaves(part)
    elif isinstance(data, str):
        yield data


def page_in(page: Page, study: Study, code: str, url: str) -> set[str]:
    Study.objects.filter(pk=study.pk).update(language=code)
    page.goto(url)
    assert (page.locator("html").get_attribute("lang") or "").startswith(code)
    return texts_of(page)


@pytest.mark.parametrize("kind", TASK_TYPES, ids=lambda kind: kind.slug)
def test_the_question_and_the_lobby_hold_no_english(
    browser: Browser, live_server: LiveServer, kind: AnyType
) -> None:
    page = browser.new_context(base_url=live_server.url, viewport=NARROW).new_page()
    study = study_of(kind)
    own = own_texts(study)
    for url in (address(open_batch(page, study)), reverse("annotation:lobby", args=[study.slug])):
        english = page_in(page, study, "en", url)
        for code in OTHERS:
            assert english_left(english, page_in(page, study, code, url), own) == set(), code
            assert not scrolls_sideways(page), code
    page.context.close()
