"""Addresses of the whole program."""

from django.test import Client


def test_pages_that_name_no_icon_get_it_all_the_same(client: Client) -> None:
    answer = client.get("/favicon.ico")
    assert answer.status_code == 302
    assert answer["Location"].endswith(".svg")
    assert client.post("/favicon.ico").status_code == 405
