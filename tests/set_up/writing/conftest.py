"""A study whose texts are still to be written, its owner signed in, and an endpoint to write at."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from annotation.models import Member, Study, User
from tests.cast import join
from tests.judges.endpoints import Opening, endpoint  # noqa: F401 (a fixture for all)
from tests.services.endpoint import Behaviour, Server
from tests.set_up.writing.studies import claims, writes


@pytest.fixture
def mills(tmp_path: Path, owner: User, client: Client, settings: Any) -> Study:
    settings.DATA_DIR = tmp_path / "data"
    made = claims(tmp_path)
    join(made, owner, Member.Role.OWNER)
    client.force_login(owner)
    return made


@pytest.fixture
def server(endpoint: Opening) -> Server:  # noqa: F811
    return endpoint(Behaviour(answer=writes))
