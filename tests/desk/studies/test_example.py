"""The example study that an account without studies is offered."""

from typing import Any

import pytest
from django.urls import reverse

from annotation.models import Change, Member, Study
from tests.cast import make_user
from tests.sessions import as_user

pytestmark = pytest.mark.django_db
LOAD = reverse("desk:load-example")


def test_an_account_without_a_study_loads_the_example_as_a_draft_of_its_own() -> None:
    user = make_user("newcomer")
    client = as_user(user)
    assert LOAD in client.get(reverse("desk:home")).content.decode()
    for slug in ("example", "example-2"):
        response = client.post(LOAD)
        assert response.headers["Location"] == reverse("desk:study", args=[slug])
        study = Study.objects.get(slug=slug)
        assert study.state == Study.State.DRAFT
        assert study.demonstration
        assert study.raters.filter(kind="human").count() == 5
        assert study.members.get().role == Member.Role.OWNER
        actions = Change.objects.filter(study=study).values_list("action", flat=True)
        assert set(actions) >= {"study.made", "answers.imported"}
    assert LOAD not in client.get(reverse("desk:home")).content.decode()


def test_who_may_not_make_studies_gets_no_example(settings: Any) -> None:
    settings.STUDY_MAKERS = "permitted"
    client = as_user(make_user("colleague"))
    assert LOAD not in client.get(reverse("desk:home")).content.decode()
    assert client.post(LOAD).status_code == 403
    assert client.get(LOAD).status_code == 405
    assert not Study.objects.exists()
