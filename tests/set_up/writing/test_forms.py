"""What the forms of writing take, refuse in a sentence, and hold of a request again."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Study, User
from generators.jobs.requests import TextsRequest
from generators.kinds import BY_NAME
from jobs.models import Job
from set_up.writing.forms import TextsForm, facts, posted
from tests.services.endpoint import Server
from tests.set_up.writing.studies import CHOSEN, FORM

pytestmark = pytest.mark.django_db


def test_a_form_that_holds_a_request_again_makes_the_same(
    mills: Study, owner: User, server: Server
) -> None:
    kind = BY_NAME["explanation"]
    own = {"max_cost": "2.5", "limit": "7", "system": "Be brief.", "template-explanation": "$claim"}
    form = TextsForm(mills, owner, kind, FORM | own | {"model-1": "", "other": "unlisted"})
    assert form.is_valid(), form.errors
    wanted: TextsRequest = form.request
    again = TextsForm(mills, owner, kind, posted(wanted, form))
    assert again.is_valid(), again.errors
    assert again.request == wanted
    assert ("Evidence selected by", "people") in facts(wanted, form)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"max_cost": "0"}, "more than 0.00"),
        ({"kind": "response"}, "There are no texts left to write (left out: 3 sources without a"),
        ({"model-0": "", "system-0": ""}, "Choose a model."),
        ({"model-0": ""}, "Choose a model for this system."),
        ({"model-0": "", "other": "moon: m"}, "there is no &#x27;moon&#x27; here"),
        ({"model-1": CHOSEN, "system-1": "Larch"}, "each model needs the name of another system"),
        ({"template-explanation": "To $clam."}, "there is no slot $clam"),
        ({"other": "unpriced", "model-0": "", "max_cost": "1"}, "unpriced has no price"),
        ({"seed": "9" * 5000}, "Enter a whole number."),
        ({"limit": "9" * 9}, "less than or equal to 1000000"),
        ({"limit": "-1"}, "greater than or equal to 1"),
        ({"max_cost": "9" * 5000}, "no more than 12 digits"),
        ({"max_cost": "NaN"}, "Enter a number"),
        ({"temperature": "1e999"}, "Enter a number"),
        ({"kind": "missing", "model-0": CHOSEN}, "Choose the system whose texts it changes."),
    ],
)  # fmt: skip
def test_what_cannot_be_written_is_said_in_a_sentence(
    client: Client, mills: Study, server: Server, fields: dict[str, str], said: str
) -> None:
    address = reverse("desk:write-texts", args=[mills.slug])
    answer = client.post(address, FORM | {"confirmed": "1"} | fields)
    assert answer.status_code == 422
    page = answer.content.decode()
    errors = re.findall(r"(?:_error|alert)\">(.*?)</p>", page)
    assert any(said in error for error in errors), errors
    assert (server.asked, Job.objects.count()) == ([], 0)
