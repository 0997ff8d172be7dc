"""An endpoint, a small web and tiny models for tests of judges; without PyTorch the models skip."""

from pathlib import Path

import pytest

from tests.judges.endpoints import endpoint  # noqa: F401 (a fixture for all)
from tests.retrieval.web import web  # noqa: F401 (a fixture for all)


@pytest.fixture(scope="session")
def classifier_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests.judges import tiny_models

    return tiny_models.classifier(tmp_path_factory.mktemp("classifier"))


@pytest.fixture(scope="session")
def encoder_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests.judges import tiny_models

    return tiny_models.encoder(tmp_path_factory.mktemp("encoder"))


@pytest.fixture(scope="session")
def sequence_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests.judges import tiny_models

    return tiny_models.sequence_model(tmp_path_factory.mktemp("sequence"))
