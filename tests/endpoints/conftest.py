"""The operator of the tests, and servers that stop after each of them."""

from tests.endpoints.models_page import (  # noqa: F401 (fixtures for all)
    desk_of_operator,
    operator,
    servers,
)
