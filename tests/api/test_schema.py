"""The schema of the API: it is valid, has an example for each body, and each example fits."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from jsonschema_rs import Draft202012Validator, meta

from tests.api.operations import schema_of

DIALECT = "https://json-schema.org/draft/2020-12/schema"
# An archive is no text to show.
WITHOUT_EXAMPLE = {"application/zip"}


def bodies(schema: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """(operation, type of content, its description), of requests and of what is answered."""
    for path in schema["paths"].values():
        for operation in path.values():
            answers = operation["responses"]
            good = [answers[status] for status in answers if status < "300"]
            for part in (operation.get("requestBody", {}), *good):
                for kind, media in part.get("content", {}).items():
                    yield operation["operationId"], kind, media


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    return schema_of(Client())


def test_the_schema_is_of_openapi_3_1(schema: dict[str, Any]) -> None:
    assert schema["openapi"].startswith("3.1")
    for described in schema["components"]["schemas"].values():
        meta.validate({"$schema": DIALECT, **described})


def test_each_body_has_an_example_that_fits_it(schema: dict[str, Any]) -> None:
    looked_at = set()
    for operation, kind, media in bodies(schema):
        if kind in WITHOUT_EXAMPLE:
            continue
        assert "example" in media, (operation, kind)
        whole = {**media["schema"], "components": schema["components"]}
        errors = list(Draft202012Validator(whole).iter_errors(media["example"]))
        assert not errors, (operation, errors)
        looked_at.add(operation)
    assert len(looked_at) >= 180


def test_links_name_operations_and_their_parameters(schema: dict[str, Any]) -> None:
    parameters = {
        of["operationId"]: {parameter["name"] for parameter in of.get("parameters", [])}
        for path in schema["paths"].values()
        for of in path.values()
    }
    linked = set()
    for path in schema["paths"].values():
        for operation in path.values():
            for answer in operation["responses"].values():
                for link in answer.get("links", {}).values():
                    names = {name.split(".")[-1] for name in link["parameters"]}
                    assert names <= parameters[link["operationId"]]
                    linked.add(link["operationId"])
    # Everything about one row can be reached from where its number is found.
    about_rows = {
        of["operationId"]
        for name, path in schema["paths"].items()
        if "{id}" in name
        for of in path.values()
    }
    assert about_rows <= linked
