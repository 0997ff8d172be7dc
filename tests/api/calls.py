"""Writes and reads of a program that are to be done."""

import json
from typing import Any

from django.test import Client


def send(client: Client, path: str, body: Any = None, method: str = "POST", **headers: str) -> Any:
    """What is answered to a write that is to be done."""
    sent = "" if body is None else json.dumps(body)
    answer = client.generic(
        method, f"/api/v1/{path}/", sent, content_type="application/json", headers=headers
    )
    assert answer.status_code < 300, answer.content
    return answer.json()


def listed(client: Client, path: str) -> Any:
    """What is read at an address."""
    return client.get(f"/api/v1/{path}/").json()


def post(client: Client, path: str, body: Any = None, **headers: str) -> Any:
    """The answer to a write in the study `small`, whatever it is."""
    sent = "" if body is None else json.dumps(body)
    return client.post(f"/api/v1/studies/small/{path}", sent, "application/json", headers=headers)


def get(client: Client, path: str) -> Any:
    """What is read in the study `small`."""
    return client.get(f"/api/v1/studies/small/{path}").json()
