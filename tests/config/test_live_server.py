"""Threads of the live server and of the test write to one database without getting in the way."""

from concurrent.futures import ThreadPoolExecutor
from urllib.request import urlopen

import pytest
from django.contrib.auth import get_user_model
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import path
from pytest_django.live_server_helper import LiveServer

CLIENTS, REQUESTS = 8, 80
User = get_user_model()


def sign_up(request: HttpRequest, number: int) -> HttpResponse:
    with transaction.atomic():
        # Reads before it writes: what fails at once on SQLite's default kind of transaction.
        taken = User.objects.filter(username=f"visitor {number}").exists()
        User.objects.create(username=f"visitor {number}")
    return HttpResponse(str(taken))


urlpatterns = [path("<int:number>/", sign_up)]
pytestmark = pytest.mark.urls(__name__)


def test_no_write_is_lost_or_refused(live_server: LiveServer) -> None:
    def visit(number: int) -> int:
        with urlopen(f"{live_server.url}/{number}/") as reply:
            status: int = reply.status
        return status

    with ThreadPoolExecutor(CLIENTS) as clients:
        replies = clients.map(visit, range(REQUESTS))
        for number in range(REQUESTS):
            User.objects.create(username=f"author {number}")
    assert set(replies) == {200}
    assert User.objects.count() == 2 * REQUESTS
