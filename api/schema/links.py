"""Links from what one operation answers to the operations that take it (OpenAPI links)."""

from collections.abc import Iterator
from typing import Any

_FIRST, _MADE = "$response.body#/results/0/id", "$response.body#/id"
_SLUG = {"slug": "$request.path.slug"}
# Where the id of what was made is, where that is not the field `id`.
_MADE_AT = dict.fromkeys(
    ("studies_invitations_create", "studies_controls_create"), "$response.body#/0/id"
) | {"studies_team_create": _FIRST}
_OF_ACCOUNT = tuple(
    f"/api/v1/{name}/" for name in ("readings", "imports", "webhooks", "account/webhook/deliveries")
)
_IF_MATCH = "header.If-Match"
_TAG = "$response.header.ETag"
# Operations after which what was read is changed, if it still stands.
_MATCHING = {
    "studies_file_retrieve": ("studies_file_update", {**_SLUG, _IF_MATCH: _TAG}),
    "studies_pay_workers_retrieve": (
        "studies_pay_workers_adjustments_create",
        {**_SLUG, "id": "$request.path.id", _IF_MATCH: _TAG},
    ),
    "studies_datasheet_retrieve": ("studies_datasheet_update", {**_SLUG, _IF_MATCH: _TAG}),
}

Paths = dict[str, dict[str, Any]]


def add_links(paths: Paths) -> None:
    """From collections to their rows and to what can be done with one, and from what was made to
    the same."""
    by_id = {of["operationId"]: of for path in paths.values() for of in path.values()}
    for path, operations in paths.items():
        for target in _below(paths, path):
            if "get" in operations and _has_rows(path):
                _link(operations["get"], target, {**_SLUG, "id": _FIRST})
            if "post" in operations and _has_rows(path):
                name = operations["post"]["operationId"]
                made = {**_SLUG, "id": _MADE_AT.get(name, _MADE)}
                _link(operations["post"], target, made)
    for path, operations in paths.items():
        if _has_rows(path):
            for target in operations.values():
                _link(by_id["studies_create"], target, {"slug": "$response.body#/slug"})
    for path in _OF_ACCOUNT:
        _link_account(paths, path)
    for name, (changed, parameters) in _MATCHING.items():
        _link(by_id[name], by_id[changed], parameters)
    _links_of(by_id["studies_file_retrieve"])["then_studies_file_update"]["requestBody"] = (
        "$response.body"
    )


def _link_account(paths: Paths, path: str) -> None:
    for target in _below(paths, path):
        for method, at in (("get", _FIRST), ("post", _MADE)):
            if method in paths[path]:
                _link(paths[path][method], target, {"id": at})


def _has_rows(path: str) -> bool:
    return "{slug}" in path and path.count("{") == 1


def _below(paths: Paths, path: str) -> Iterator[dict[str, Any]]:
    """The operations on one row of a collection."""
    for other, operations in paths.items():
        if other.startswith(f"{path}{{id}}/"):
            yield from operations.values()


def _link(source: dict[str, Any], target: dict[str, Any], parameters: dict[str, str]) -> None:
    name = target["operationId"]
    _links_of(source)[f"then_{name}"] = {"operationId": name, "parameters": parameters}


def _links_of(source: dict[str, Any]) -> dict[str, Any]:
    """The links of what an operation answers where it is done."""
    status = min(status for status in source["responses"] if status < "300")
    links: dict[str, Any] = source["responses"][status].setdefault("links", {})
    return links
