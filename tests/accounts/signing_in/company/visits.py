"""A browser that goes to the company's provider and comes back."""

from urllib.parse import urlsplit

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tests.services.oidc import Provider


def come(client: Client, company: Provider, subject: str, start: str = "") -> HttpResponse:
    """Go to the provider, sign in there, and come back; the answer to coming back."""
    sent = client.get(start or reverse("desk:company"))
    assert sent.status_code == 302, sent.content
    back = urlsplit(company.sign_in(sent["Location"], subject))
    return client.get(f"{back.path}?{back.query}")  # type: ignore[return-value]


def signed_in(client: Client) -> str:
    page = client.get(reverse("desk:account"))
    return page.context["user"].get_username() if page.status_code == 200 else ""


def said(client: Client) -> str:
    return " ".join(client.get(reverse("desk:sign-in")).content.decode().split())


def connect(client: Client, company: Provider, subject: str) -> HttpResponse:
    page = client.get(reverse("desk:account"))
    return come(
        client, company, subject, reverse("desk:company-connect", args=[page.context["proof"]])
    )
