"""The page of what people agreed to, in a real browser."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page

from annotation.models import Consent, ConsentText, Member, User
from tests.annotation.workers import newcomer
from tests.cast import join, make_study, make_user
from tests.services.browser import axe_violations, scrolls_sideways
from tests.sessions import sign_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("width", [1280, 360])
def test_the_page_is_accessible_at_any_width(page: Page, width: int) -> None:
    study = make_study()
    join(study, make_user("keeper"), Member.Role.OWNER)
    Consent.objects.create(
        participation=newcomer(study), version="0", text_hash="0" * 64, of_age=True
    )
    assert ConsentText.objects.count() == 1
    page.set_viewport_size({"width": width, "height": 800})
    sign_in(page, User.objects.get(username="keeper"))
    page.goto(reverse("desk:consents", args=[study.slug]))
    assert page.locator("main section").count() == 2
    assert axe_violations(page) == []
    assert not scrolls_sideways(page)
