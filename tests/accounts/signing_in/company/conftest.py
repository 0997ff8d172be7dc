"""A company's provider on this machine, and the program set up for it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from environ import Env

from config.company import CompanySignOn, company_sign_on
from tests.services.oidc import Provider, provider

SECRET = "a secret of the provider and us"
START = {"OIDC_CLIENT_ID": "jurybox", "OIDC_CLIENT_SECRET": SECRET}
Configure = Callable[..., CompanySignOn]


@pytest.fixture(scope="module")
def running() -> Iterator[Provider]:
    with provider() as started:
        yield started


@pytest.fixture
def company(running: Provider) -> Provider:
    running.spoil()
    return running


@pytest.fixture
def configured(settings: Any, company: Provider) -> Configure:
    """Set the program up by variables of the environment, beside those that it needs."""

    def configure(**variables: str) -> CompanySignOn:
        found = read({"OIDC_ISSUER": company.issuer, **START, **variables})
        assert found is not None
        settings.OIDC, settings.SOCIALACCOUNT_PROVIDERS = found, found.providers
        return found

    return configure


def read(variables: dict[str, str]) -> CompanySignOn | None:
    env = Env()
    env.ENVIRON = variables
    return company_sign_on(env)
