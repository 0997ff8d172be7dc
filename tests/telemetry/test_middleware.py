"""What is told of each request."""

import logging
import re

import pytest
from django.test import Client
from django.urls import reverse

from telemetry.counters import counters
from tests.cast import PASSWORD


def count_of(route: str, method: str, status: int) -> float:
    labels = {"route": route, "method": method, "status": str(status)}
    return counters().registry.get_sample_value("jurybox_requests_total", labels) or 0.0


def test_an_answer_names_its_request_and_no_two_alike(client: Client) -> None:
    names = {client.get("/healthz")["X-Request-ID"] for _ in range(3)}
    assert len(names) == 3
    assert all(re.fullmatch("[0-9a-f]{16}", name) for name in names)


def test_requests_are_counted_by_route_method_and_status(client: Client) -> None:
    before = count_of("desk:healthz", "GET", 200), count_of("none", "GET", 404)
    client.get("/healthz")
    client.get("/healthz?secret=1")
    client.get("/nowhere/at/all/")
    assert count_of("desk:healthz", "GET", 200) == before[0] + 2
    assert count_of("none", "GET", 404) == before[1] + 1


def test_a_method_that_somebody_made_up_makes_no_label(client: Client) -> None:
    before = count_of("desk:healthz", "other", 405)
    client.generic("BREW", "/healthz")
    assert count_of("desk:healthz", "other", 405) == before + 1


@pytest.mark.django_db
def test_a_line_for_each_request_says_its_route_and_nothing_of_its_address(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "jurybox.requests"):
        client.post(
            reverse("desk:sign-in") + "?next=/secret", {"username": "owner", "password": PASSWORD}
        )
    told = [record for record in caplog.records if record.name == "jurybox.requests"]
    assert [vars(record)["fields"]["route"] for record in told] == ["desk:sign-in"]
    assert "secret" not in str([vars(record) for record in told])
