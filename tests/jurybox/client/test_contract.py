"""The client knows the server that it is shipped with, and nothing of its insides."""

import subprocess
import sys
from typing import Any, get_args, get_type_hints

from django.conf import settings
from drf_spectacular.generators import SchemaGenerator

from jurybox.client import Collection, Export, Job, Run

FORBIDDEN = ("django", "rest_framework", "numpy", "polars", "agreement", "desk", "config")


def schema() -> Any:
    generator: Any = SchemaGenerator
    return generator().get_schema(request=None, public=True)


def test_the_client_knows_every_collection_of_a_study() -> None:
    begin = "/api/v1/studies/{slug}/"
    rest = [path.removeprefix(begin) for path in schema()["paths"] if path.startswith(begin)]
    single = [path.partition("/{id}/")[0] for path in rest if path.endswith("/{id}/")]
    assert sorted(get_args(Collection)) == sorted(name for name in single if "/" not in name)


def test_rows_that_the_client_describes_have_the_fields_that_the_server_sends() -> None:
    described = schema()["components"]["schemas"]
    assert set(get_type_hints(Run)) == set(described["RunProgress"]["properties"])
    assert set(get_type_hints(Export)) == set(described["Export"]["properties"])
    assert set(get_type_hints(Job)) == set(described["Job"]["properties"])


def test_the_client_is_imported_without_django_numbers_or_the_rest_of_the_program() -> None:
    code = f"import sys, jurybox.client; print(*set({FORBIDDEN}) & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == ""
