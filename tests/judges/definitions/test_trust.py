"""What strangers may not write into the definition of a judge."""

import math
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import Field, ValidationError

from files.errors import ImportFailure
from judges.definitions.trust import DEEPEST, LONGEST, refuse_untrusted
from judges.methods.registry import METHODS, find_method, unbounded
from tasktypes.schemas import Schema
from tests.judges.definitions.hostile import EVERY_FIELD, NAMES_OF_SERVER, definition, touched

SECRET = "secret-of-the-server"


def nested(depth: int) -> Any:
    value: Any = 0
    for _ in range(depth):
        value = [value]
    return value


def refused(entry: Any, **given: Any) -> str:
    """Why the definition is refused; empty where it is not."""
    try:
        refuse_untrusted({"judges": [entry]}, **given)
    except ImportFailure as failure:
        return str(failure)
    return ""


def paths(folder: Path) -> list[str]:
    file = folder / SECRET
    up = "../" * len(file.parts)
    return [
        str(file),
        f"{up}{file}",
        f"~/{SECRET}",
        f"file://{file}",
        f"./{SECRET}",
        f"a/b/{SECRET}",
    ]


def test_what_names_something_of_the_server_is_declared_where_it_is_read() -> None:
    named = {f"{method}.{field}" for method, field in NAMES_OF_SERVER}
    assert named >= {"scripted.parameters.file", "zero_shot.parameters.replies"}
    assert named >= {"nli.model", "unieval.model", "embedding.model"}
    assert "fingract.parameters.embedding" in named
    assert "zero_shot.model" not in named


@pytest.mark.parametrize(("method", "field"), NAMES_OF_SERVER)
def test_no_path_is_taken_and_none_is_looked_for(
    method: str, field: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / SECRET).mkdir()
    here, gone = tmp_path, tmp_path / "nowhere"
    reasons = set()
    with touched(monkeypatch, SECRET) as seen:
        for path in (*paths(here), *paths(gone)):
            reason = refused(definition(method, field, path))
            assert "only a study file of the command line" in reason, path
            reasons.add(reason)
    assert not seen
    assert len(reasons) == 1  # the refusal does not tell which of them exist


@pytest.mark.parametrize(("method", "field"), EVERY_FIELD)
def test_no_parameter_takes_what_cannot_be_stored(method: str, field: str) -> None:
    unfit = [math.nan, math.inf, -math.inf, 10**400, -(2**63), nested(DEEPEST + 1), nested(5_000)]
    for value in unfit:
        assert refused(definition(method, field, value)), f"{str(value)[:30]}"
    assert refused(definition(method, field, "x" * (LONGEST + 1)))
    assert refused(definition(method, field, {"file": "/etc/hostname"}))


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_every_number_has_an_end(method: Any) -> None:
    assert unbounded(method.Parameters) == []


class Counts(Schema):
    """Numbers with and without ends."""

    from_to: int = Field(default=0, ge=0, lt=9)
    chosen: Literal[1, 2] = 1
    upwards: float = Field(default=0, ge=0)
    downwards: int | None = Field(default=None, le=0)
    within: tuple[dict[str, tuple[int, ...]], ...] = ()
    flag: bool = False


class Nested(Schema):
    """A schema within a schema."""

    counts: Counts = Counts()


def test_a_number_without_an_end_is_found_however_deep_it_lies() -> None:
    assert unbounded(Counts) == ["upwards", "downwards", "within"]
    assert unbounded(Nested) == ["counts"]


def test_no_revision_leads_out_of_a_folder() -> None:
    for name, field in (("nli", "revision"), ("fingract", "embedding_revision")):
        schema = find_method(name).Parameters
        for value in ("/root", "../../x", "a/../../b", "~/x", ".", "main\n", "file:///x"):
            with pytest.raises(ValidationError):
                schema.model_validate({field: value})
        for value in ("", "main", "refs/pr/1", "v1.0", "0" * 40, f"sha256:{'0' * 64}"):
            schema.model_validate({field: value})


def test_names_of_the_hub_and_definitions_without_names_are_taken() -> None:
    for model in ("MoritzLaurer/DeBERTa-v3-base-mnli-fever-anli", "all-MiniLM-L6-v2", "docs"):
        assert not refused(definition("nli", "model", model))
    assert not refused(definition("zero_shot", "model", "/fine-tuned/of/the/endpoint"))
    assert not refused("lexical")


def test_what_the_study_names_already_it_may_go_on_naming() -> None:
    entry = definition("scripted", "parameters.file", "/srv/replies.jsonl")
    slower = {**entry, "parameters": {**entry["parameters"], "delay_ms": 5}}
    assert refused(entry)
    assert not refused(slower, standing=[entry, "lexical"])
    other = definition("scripted", "parameters.file", "/srv/other.jsonl")
    assert refused(other, standing=[entry])
    as_replies = definition("zero_shot", "parameters.replies", "/srv/replies.jsonl")
    assert refused(as_replies, standing=[entry])


def test_a_definition_in_another_shape_is_refused_and_not_passed_over() -> None:
    import datetime

    entry = definition("scripted", "parameters.file", "/etc/hostname")
    dated = {**entry, "parameters": {**entry["parameters"], "since": datetime.date(2026, 1, 1)}}
    assert refused(dated)
    assert "command line" in refused({**entry, "method": " scripted "})
    assert refused({**entry, "more": 1})
    assert refused(["scripted"])
