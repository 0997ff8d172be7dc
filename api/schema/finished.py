"""What is added to the schema once all operations are described."""

from collections.abc import Iterator
from typing import Any

from api.requests.filters import FIELDS
from api.schema.examples import FILE, PAYMENT_LINES, TEAM_TABLE, example_of
from api.schema.links import add_links
from api.schema.operations import PROBLEM

_REF = "#/components/schemas/"
_PAGE = "Paginated"
# Examples of what is no component.
_PLAIN = {
    "studies_file_retrieve": FILE,
    "studies_file_update": FILE,
    "studies_pay_files_retrieve": PAYMENT_LINES,
    "studies_team_table_retrieve": TEAM_TABLE,
    "studies_registrations_file_retrieve": {"study": "first", "answers_then": 0, "registered": {}},
    "imports_skipped_retrieve": '{"line": 3, "reason": "rating: not a number"}\n',
}


def finish(result: dict[str, Any], **_more: Any) -> dict[str, Any]:
    """Problem documents, examples, and links from one operation to the next."""
    schemas = result.setdefault("components", {}).setdefault("schemas", {})
    schemas["Problem"] = PROBLEM
    for operation in _operations(result):
        if any(parameter["name"] == FIELDS for parameter in operation.get("parameters", [])):
            # It may leave out any field of a row.
            schemas[_row(operation, schemas)].pop("required", None)
        for media in _contents(operation):
            example = _example(operation["operationId"], media["schema"], schemas)
            if example is not None:
                media["example"] = example
    add_links(result["paths"])
    return result


def _operations(result: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for path in result["paths"].values():
        yield from path.values()


def _row(operation: dict[str, Any], schemas: dict[str, Any]) -> str:
    """The component of the rows that an operation lists, or of the one that it shows."""
    schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
    name = str(schema["$ref"]).removeprefix(_REF)
    if not name.startswith(_PAGE):
        return name
    rows = schemas[name]["properties"]["results"]["items"]
    return str(rows["$ref"]).removeprefix(_REF)


def _contents(operation: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for part in (operation.get("requestBody", {}), *operation["responses"].values()):
        yield from part.get("content", {}).values()


def _example(operation: str, schema: dict[str, Any], schemas: dict[str, Any]) -> Any:
    """An example of a body; None where there is none, such as for an archive."""
    if schema.get("type") == "array":
        return [_example(operation, schema["items"], schemas)]
    name = schema.get("$ref", "").removeprefix(_REF)
    if name.startswith(_PAGE):
        row = example_of(name.removeprefix(_PAGE).removesuffix("List"), schemas)
        return {"next": None, "previous": None, "results": [row]}
    return example_of(name, schemas) if name else _PLAIN.get(operation)
