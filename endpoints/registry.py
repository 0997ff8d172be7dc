"""Every endpoint that judges may ask, by its name: of `JUDGE_ENDPOINTS`, of the environment, and of
the page *Models*.

Researchers cannot configure them: a study's file that gave an address together with the name of a
key would send that key to the author of the file. So a judge only names an endpoint.
"""

import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml
from django.conf import settings
from pydantic import ValidationError

from endpoints.endpoint import DEFAULT_BASE_URL, BadEndpoint, Endpoint
from endpoints.models import ModelEndpoint
from endpoints.stored import stored_endpoints

DEFAULT = "default"


def endpoints() -> Mapping[str, Endpoint]:
    """Every configured endpoint by its name; BadEndpoint where the file cannot be read, or a name
    stands both there and on the page."""
    written, stored = written_endpoints(), stored_endpoints()
    for name in written.keys() & stored.keys():
        raise BadEndpoint(_twice(name))
    return {**written, **stored}


def endpoint(name: str) -> Endpoint:
    """The endpoint of that name; BadEndpoint with the configured names where there is none.

    Where only one is configured, `default` means that one, whatever its name.
    """
    written, stored = written_endpoints(), stored_endpoints()
    if name in written and name in stored:
        raise BadEndpoint(_twice(name))
    known = {**written, **stored}
    if name == DEFAULT and name not in known and len(known) == 1:
        return next(iter(known.values()))
    if name not in known:
        names = ", ".join(known) or "none"
        remedy = "; name one of them as `endpoint` in the judge's parameters" if known else ""
        raise BadEndpoint(f"endpoint: there is no {name!r} here (known: {names}){remedy}")
    return known[name]


def _twice(name: str) -> str:
    return (
        f"endpoint: {name!r} is in JUDGE_ENDPOINTS or the environment and on the page Models; "
        "remove or rename one of them"
    )


def written_endpoints() -> Mapping[str, Endpoint]:
    """The endpoints of the file, or else the one of the environment; where neither says anything
    and the page *Models* has some, none."""
    file = settings.JUDGE_ENDPOINTS
    if not file:
        is_said = os.environ.get("OPENAI_BASE_URL") or os.environ.get("OPENAI_API_KEY")
        is_alone = is_said or not ModelEndpoint.objects.exists()
        return {DEFAULT: _from_environment()} if is_alone else {}
    path = Path(file).expanduser()
    try:
        return _read(path, path.stat().st_mtime_ns)
    except OSError as error:
        raise BadEndpoint(f"JUDGE_ENDPOINTS: {path}: {error.strerror}") from error


def _from_environment() -> Endpoint:
    base_url = os.environ.get("OPENAI_BASE_URL", "") or DEFAULT_BASE_URL
    # A self-hosted server often needs no key; the provider always does.
    needs_key = base_url == DEFAULT_BASE_URL or bool(os.environ.get("OPENAI_API_KEY"))
    try:
        return Endpoint(base_url=base_url, key_env="OPENAI_API_KEY" if needs_key else "")
    except ValidationError as error:
        raise BadEndpoint(f"OPENAI_BASE_URL: {error.errors()[0]['msg']}") from error


@lru_cache(maxsize=4)
def _read(path: Path, _changed: int) -> dict[str, Endpoint]:
    """The endpoints of a file; read once until the file changes."""
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise BadEndpoint(f"JUDGE_ENDPOINTS: {path}: not YAML: {error}") from error
    if not isinstance(content, dict) or not content:
        raise BadEndpoint(f"JUDGE_ENDPOINTS: {path}: must map names to endpoints")
    return {str(name): _entry(path, str(name), entry) for name, entry in content.items()}


def _entry(path: Path, name: str, entry: Any) -> Endpoint:
    try:
        return Endpoint.model_validate(entry)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join((name, *map(str, first["loc"])))
        raise BadEndpoint(f"JUDGE_ENDPOINTS: {path}: {field}: {first['msg']}") from error
