"""Endpoints as an operator sets them up on the page *Models*."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from annotation.models import User
from endpoints import capabilities
from endpoints.models import ModelEndpoint
from tests.cast import PASSWORD
from tests.services.endpoint import Behaviour, Server, serving

KEY = "sk-typed-on-the-page-1234"
MODEL = "model-of-the-tests"
FIELDS = {
    "name": "lab", "kind": "bearer", "own_network": "on", "users": "owners",
    "in_flight": "4", "timeout_seconds": "10",
}  # fmt: skip
PRICE = {
    "model": MODEL, "currency": "USD", "input": "2", "output": "8", "valid_on": "2026-11-01",
    "source": "https://example.org/prices",
}  # fmt: skip


@pytest.fixture
def operator(db: None) -> User:
    return User.objects.create_superuser("operator", password=PASSWORD)


@pytest.fixture
def desk_of_operator(operator: User, settings: Settings) -> Client:
    settings.JUDGE_ENDPOINTS = ""
    capabilities._capabilities.clear()
    client = Client()
    client.force_login(operator)
    return client


@pytest.fixture
def servers() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def serve(servers: ExitStack, behaviour: Behaviour | None = None) -> tuple[Server, str]:
    return servers.enter_context(serving(behaviour))


def add(client: Client, url: str, **fields: Any) -> Any:
    posted = {**FIELDS, "base_url": url, **fields}
    return client.post(
        reverse("desk:models"), {name: value for name, value in posted.items() if value}
    )


def added(client: Client, url: str, *, priced: bool = True, **fields: Any) -> ModelEndpoint:
    """An endpoint with one priced model."""
    answer = add(client, url, **fields)
    assert answer.status_code == 302, answer.context["form"].errors
    row = ModelEndpoint.objects.get(name=fields.get("name", "lab"))
    if priced:
        assert client.post(reverse("desk:set-price", args=[row.pk]), PRICE).status_code == 302
    return row


def said(client: Client, row: ModelEndpoint, model: str = "") -> str:
    """What the page says after a test of the endpoint."""
    client.post(reverse("desk:test-endpoint", args=[row.pk]), {"model": model})
    page = client.get(reverse("desk:model-endpoint", args=[row.pk]))
    return " ".join(str(message) for message in page.context["messages"])
