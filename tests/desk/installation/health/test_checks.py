"""What the probes say."""

from datetime import timedelta

from django.test import Client
from django.utils import timezone

from jobs.models import Heartbeat


def test_the_process_lives(client: Client) -> None:
    assert client.get("/healthz").status_code == 200


def test_without_a_worker_it_is_not_ready_and_says_so(client: Client, db: None) -> None:
    page = client.get("/readyz")
    assert page.status_code == 503
    assert page.json() == {"ready": False, "failing": ["worker"]}


def test_a_worker_that_was_heard_lately_makes_it_ready(client: Client, db: None) -> None:
    Heartbeat.objects.create(worker="w", at=timezone.now() - timedelta(seconds=14))
    assert client.get("/readyz").json() == {"ready": True, "failing": []}


def test_a_worker_that_fell_silent_does_not(client: Client, db: None) -> None:
    Heartbeat.objects.create(worker="w", at=timezone.now() - timedelta(seconds=16))
    assert client.get("/readyz").json()["failing"] == ["worker"]
