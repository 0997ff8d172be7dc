"""Scripts that a researcher's files or a worker bring along are text on every page of a worker, in
a real browser. The page fixture also fails on whatever the content security policy has to stop."""

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page

from annotation.models import Assignment, Draft, Participation, Question, Study
from annotation.work.submission import submit
from tasktypes.contract import TaskType
from tasktypes.registry import TASK_TYPES
from tests.annotation.views.worker_pages import address, open_batch, study_of
from tests.annotation.workers import answer_all
from tests.cast import make_study

pytestmark = pytest.mark.django_db(transaction=True)
NewPage = Callable[..., Page]

SCRIPT = (
    "\"'></textarea></title></script><script>window.attacked=1</script>"
    "<img src=x onerror='window.attacked=1'><svg onload='window.attacked=1'>"
    "<a href='javascript:window.attacked=1'>[x](javascript:window.attacked=1)</a>"
)


def with_scripts(value: Any) -> Any:
    """The same with the script behind every text that is no key of something."""
    if isinstance(value, dict):
        keys = ("key", "letter", "citation", "system")
        return {name: of if name in keys else with_scripts(of) for name, of in value.items()}
    if isinstance(value, list):
        return [with_scripts(of) for of in value]
    return value + SCRIPT if isinstance(value, str) and " " in value else value


def attack(study: Study) -> None:
    """Put the script into all that the study's own people write."""
    Study.objects.filter(pk=study.pk).update(
        title=f"A study {SCRIPT}"[:200],
        instructions=SCRIPT,
        consent_text=SCRIPT,
        debrief=SCRIPT,
        content_warning=SCRIPT,
        ethics={**study.ethics, "contact": SCRIPT, "board": SCRIPT, "controller": SCRIPT},
        verdicts={SCRIPT: SCRIPT},
    )
    for question in Question.objects.filter(study=study):
        question.payload = with_scripts(question.payload)
        question.save(update_fields=["payload"])


def look(page: Page, *addresses: str) -> None:
    for one in addresses:
        page.goto(one)
        assert page.url.endswith(one), page.url
        for link in page.locator("a[href]").all():
            assert not (link.get_attribute("href") or "").lower().startswith("javascript:"), one
        assert page.evaluate("window.attacked") is None, one
        assert page.locator("img[src=x], svg[onload]").count() == 0, one


@pytest.mark.parametrize("kind", TASK_TYPES, ids=lambda kind: kind.slug)
def test_scripts_in_the_material_are_text(page: Page, kind: TaskType[Any, Any, Any]) -> None:
    study = study_of(kind)
    attack(study)
    study.refresh_from_db()
    look(page, address(open_batch(page, study)))
    assert "window.attacked" in page.locator(".question__answer").inner_text()


def test_scripts_in_the_texts_of_a_study_and_of_a_worker_are_text(new_page: NewPage) -> None:
    page, study = new_page(), make_study(sources=1, per_batch=1)
    attack(study)
    study.refresh_from_db()
    batch = open_batch(page, study)
    Draft.objects.filter(assignment=batch).update(posted={"problem": [SCRIPT]})
    slug, number = study.slug, batch.public_id
    pages = ("lobby", "my-data", "withdraw", "leave", "consent", "debrief", "statement")
    look(
        page,
        *(reverse(f"annotation:{name}", args=[slug]) for name in pages),
        reverse("annotation:review", args=[number]),
    )
    submit(assignment=answer_all(Assignment.objects.get(pk=batch.pk)), now=batch.leased_at)
    Assignment.objects.update(comment=SCRIPT, feedback=SCRIPT)
    Participation.objects.update(state=Participation.State.LEFT)
    look(page, *(reverse(f"annotation:{name}", args=[slug]) for name in ("end", "debrief")))
