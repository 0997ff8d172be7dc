"""An answer that another connection is storing: nobody sees it yet, and its key is taken."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection, transaction

from annotation.models import Study
from imports.answers.batches import add_answers


def line(rater: str, unit: str = "claim-0/alder/1") -> dict[str, Any]:
    """An answer to the slider of `make_study`, as the API takes it."""
    fields = {"unit": unit, "block": "slider", "rater": rater, "kind": "human"}
    return {**fields, "answer": {"value": 40}}


@contextmanager
def an_answer_under_way(study: Study) -> Iterator[None]:
    """An answer of the rater `slow`, which is committed at the end. On PostgreSQL alone."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite lets one transaction write at a time")
    is_stored, may_commit = threading.Event(), threading.Event()

    def store() -> None:
        try:
            with transaction.atomic():
                add_answers(study=study, answers=[line("slow")], by=None)
                is_stored.set()
                may_commit.wait()
        finally:
            is_stored.set()
            connection.close()

    thread = threading.Thread(target=store)
    thread.start()
    is_stored.wait()
    try:
        yield
    finally:
        may_commit.set()
        thread.join()
