"""Every address of a study, as strangers, outsiders and viewers meet it."""

from collections.abc import Callable, Iterator

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from annotation.models import Study, User
from tests.desk.routes import NOT_ALLOWED, routes_in
from tests.sessions import as_user

# What members of every role may post: it concerns the member alone.
OF_VIEWERS = {"desk:alert-subscription", "desk:save-view", "desk:test-message"}
# The row is looked for among what the member sees; who may remove it is asked next.
OWN_ROWS = {"desk:remove-view"}
# Whoever is signed out gets back what they typed.
GIVES_BACK = 403

Answers = dict[str, int]


def study_addresses(slug: str) -> Iterator[tuple[str, str]]:
    """(name, address) of every route of a study, with keys that no row has."""
    for name, entry in routes_in(get_resolver()):
        fields = entry.pattern.converters
        if "slug" in fields:
            filled = {field: _filled(kind.regex) for field, kind in fields.items()}
            yield name, reverse(name, kwargs=filled | {"slug": slug})


def _filled(regex: str) -> str:
    return "999999" if regex == "[0-9]+" else "nothing"


def answers(study: Study, ask: Callable[[str], int]) -> Answers:
    """Route name -> status, of the routes that take the method."""
    statuses = {name: ask(address) for name, address in study_addresses(study.slug)}
    return {name: status for name, status in statuses.items() if status != NOT_ALLOWED}


def others(statuses: Answers, *wanted: int) -> Answers:
    """Those with a status other than these."""
    return {name: status for name, status in statuses.items() if status not in wanted}


def test_all_routes_of_studies_are_looked_at(study: Study) -> None:
    names = {name for name, _address in study_addresses(study.slug)}
    assert {"desk:study", "desk:case", "judges:start", "results:summary", "results:share"} <= names


@pytest.mark.parametrize("method", ["get", "post"])
def test_for_an_outsider_no_page_of_a_study_exists(
    study: Study, outsider: User, method: str
) -> None:
    client = as_user(outsider)
    statuses = answers(study, lambda address: getattr(client, method)(address).status_code)
    assert len(statuses) > 50
    assert others(statuses, 404) == {}


def test_a_stranger_is_sent_to_sign_in(study: Study) -> None:
    def ask(address: str) -> int:
        reply = Client().get(address)
        assert reply.status_code == NOT_ALLOWED or reply["Location"].startswith(
            reverse("desk:sign-in")
        )
        return int(reply.status_code)

    assert others(answers(study, ask), 302) == {}


def test_a_stranger_changes_nothing(study: Study) -> None:
    statuses = answers(study, lambda address: Client().post(address).status_code)
    assert others(statuses, 302, GIVES_BACK) == {}


def test_a_viewer_changes_nothing(study: Study, colleague: User) -> None:
    client = as_user(colleague)
    statuses = answers(study, lambda address: client.post(address).status_code)
    wrong = others(statuses, 403)
    assert wrong.keys() - OF_VIEWERS - OWN_ROWS == set()
    assert all(wrong[name] == 404 for name in OWN_ROWS)
