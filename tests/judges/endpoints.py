"""Judges that ask the tests' own endpoint: its configuration, and runs against it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from pytest_django.fixtures import Settings

from annotation.models import Study
from endpoints import capabilities
from judges.definitions.versions import define_judge
from judges.models import Judge
from tests.services.endpoint import PRICE_IN, PRICE_OUT, Behaviour, Server, serving

MODEL = "model-of-the-tests"
PRICES = {MODEL: {"input": PRICE_IN, "output": PRICE_OUT}}
# No test waits for a backoff.
HASTY = {"first_wait_seconds": 0.01, "timeout_seconds": 10}

Opening = Callable[..., Server]


def write_endpoints(file: Path, url: str, **fields: Any) -> Path:
    """A file of endpoints with one, `default`, that is at this address."""
    url += fields.pop("query", "")
    entry = {"base_url": url, "in_flight": 8, "prices": PRICES, **HASTY, **fields}
    file.write_text(yaml.safe_dump({"default": entry}), encoding="utf-8")
    return file


def asking_judge(study: Study, name: str = "asked", **parameters: Any) -> Judge:
    return define_judge(
        study=study,
        name=name,
        method="zero_shot",
        backend="chat",
        model=MODEL,
        parameters=parameters,
    )


@pytest.fixture
def endpoint(tmp_path: Path, settings: Settings, db: None) -> Iterator[Opening]:
    """Open the endpoint that judges ask in this test: `endpoint(Behaviour(…), in_flight=4)`."""
    opened = []

    def open_one(behaviour: Behaviour | None = None, **fields: Any) -> Server:
        manager = serving(behaviour)
        server, url = manager.__enter__()
        opened.append(manager)
        file = write_endpoints(tmp_path / f"endpoints-{len(opened)}.yaml", url, **fields)
        settings.JUDGE_ENDPOINTS = str(file)
        capabilities._capabilities.clear()
        return server

    yield open_one
    for manager in opened:
        manager.__exit__(None, None, None)


def by_blocks(asked: Any) -> str:
    """A good reply to either block of the small study: it goes by the schema that is wanted."""
    wanted = json.dumps(asked.get("response_format", asked["messages"]))
    return '{"sentences": [0]}' if "sentences" in wanted else '{"value": 70}'
