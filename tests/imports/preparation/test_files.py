"""Prepared lists by file: out, edited by a person, and in again; all of it or nothing."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from annotation.models import Preparation, Study, User
from files.errors import ImportFailure
from imports.preparation.files import FileOutcome, list_lines, take_lists
from imports.preparation.lists import accept, edit
from tests.imports.preparation.studies import (
    ERROR,
    claims_without_errors,
    proposed,
    responses_without_claims,
)
from tests.imports.small_files import write_lines

pytestmark = pytest.mark.django_db


@pytest.fixture
def mills(tmp_path: Path) -> Study:
    return claims_without_errors(tmp_path)


def take(
    study: Study, path: Path, *, by: User | None = None, accepting: bool = False
) -> FileOutcome:
    about: dict[str, Any] = {"study": study, "path": path, "name": "lists.jsonl"}
    return take_lists(**about, by=by, now=timezone.now(), accepting=accepting)


def written(study: Study, *, missing: bool = False) -> list[dict[str, Any]]:
    return [json.loads(line) for line in list_lines(study, missing=missing)]


def test_a_file_is_written_edited_and_read_back(mills: Study, tmp_path: Path, owner: User) -> None:
    proposed(mills, "mill-0", [ERROR])
    proposed(mills, "mill-1", [ERROR])
    records = written(mills)
    assert records[0]["about"]["claim"] == "Mill 0 burnt."
    assert records[0]["about"]["passages"] == {"0": "The mill flooded in May."}
    other = ERROR | {"reason": "Rain."}
    records[1]["entries"] = [other]
    taken = take(mills, write_lines(tmp_path / "l.jsonl", records), by=owner, accepting=True)
    assert (taken.proposed, taken.edited, taken.unchanged, taken.accepted) == (0, 1, 1, 2)
    assert (taken.applied.made, taken.applied.changed) == (2, 2)
    row = Preparation.objects.get(source__key="mill-1")
    assert (row.entries, row.is_edited, row.decided_by) == ([other], True, owner)
    again = take(mills, write_lines(tmp_path / "l.jsonl", written(mills)), accepting=True)
    assert (again.unchanged, again.accepted) == (2, 0)


def test_what_has_no_list_is_written_to_be_filled_in(mills: Study, tmp_path: Path) -> None:
    proposed(mills, "mill-0", [ERROR])
    (record,) = written(mills, missing=True)
    assert (record["source"], record["entries"], record["state"]) == ("mill-1", [], "missing")
    taken = take(mills, write_lines(tmp_path / "l.jsonl", [record | {"entries": [ERROR]}]))
    assert taken.proposed == 1
    row = Preparation.objects.get(source__key="mill-1")
    assert row.provenance == {"by": "file", "file": "lists.jsonl"}


GOOD = {"source": "mill-0", "entries": [ERROR]}


@pytest.mark.parametrize(
    ("record", "complaint"),
    [
        ({"source": "mill-9", "entries": []}, "source: there is no source 'mill-9' in this study"),
        ({"item": "mill-9/x", "entries": []}, "item: there is no item 'mill-9/x' in this study"),
        (
            {"item": "mill-1/plain", "entries": []},
            "item: mill-1/plain: errors of the claim are prepared for each source",
        ),
        ({"source": "mill-1", "entries": [], "more": 1}, "more: unknown field"),
        ({"source": "mill-1"}, "entries: missing"),
        ({"source": "mill-1", "entries": "none"}, "entries: input should be a valid array"),
        ({"source": "mill-1", "entries": [{}]}, "entries[0].sentence: missing"),
        ({"source": "mill-1", "entries": [ERROR] * 10_000}, "entries: 10,000 are too many"),
        ({"source": "mill-1", "item": "mill-1/plain", "entries": []}, "item: name an item or a"),
        ({"block": "slider", "source": "mill-1", "entries": []}, "block: 'slider' has no list"),
        (GOOD, "entries: mill-0 had a line before"),
        ("no object", "record"),
        ({"source": "mill-1", "entries": [ERROR | {"reason": "\ud800"}]}, "JSON"),
        ({"source": "mill-1", "entries": [ERROR | {"reason": "\0"}]}, "NUL character"),
        ({"source": "mill-1\ud800", "entries": []}, "JSON"),
        ({"source": "mill-1", "entries": [], "version": 10**40}, "version"),
        ({"source": "mill-1", "entries": [], "version": -1}, "version"),
    ],
)
def test_a_wrong_line_is_named_and_nothing_is_written(
    mills: Study, tmp_path: Path, record: Any, complaint: str
) -> None:
    file = write_lines(tmp_path / "l.jsonl", [GOOD, record])
    with pytest.raises(ImportFailure) as caught:
        take(mills, file, accepting=True)
    assert str(caught.value).startswith("lists.jsonl:2: ")
    assert complaint in str(caught.value)
    assert not Preparation.objects.exists()
    assert mills.units.count() == 2


def test_lines_are_counted_as_an_editor_counts_them(mills: Study, tmp_path: Path) -> None:
    file = tmp_path / "l.jsonl"
    file.write_text(json.dumps(GOOD) + "\n\n{\n", encoding="utf-8")
    with pytest.raises(ImportFailure, match=r"^lists\.jsonl:3: JSON: "):
        take(mills, file)


def test_a_list_that_changed_after_the_export_is_not_overwritten(
    mills: Study, tmp_path: Path
) -> None:
    row = proposed(mills, "mill-0", [ERROR])
    (record,) = written(mills)
    edit(preparation=row, entries=[], version=row.version, by=None)
    other = record | {"entries": [ERROR, ERROR]}
    with pytest.raises(ImportFailure, match="somebody else changed"):
        take(mills, write_lines(tmp_path / "l.jsonl", [other]))


def test_an_accepted_list_is_not_changed_by_a_file(mills: Study, tmp_path: Path) -> None:
    row = proposed(mills, "mill-0", [ERROR])
    accept(preparation=row, version=row.version, by=None, now=timezone.now())
    with pytest.raises(ImportFailure, match=r"lists\.jsonl:1: .*accepted already"):
        take(mills, write_lines(tmp_path / "l.jsonl", [GOOD | {"entries": []}]))


def test_one_list_that_cannot_be_accepted_keeps_back_the_file(tmp_path: Path) -> None:
    study = responses_without_claims(tmp_path)
    records = [{"item": "bridge/a", "entries": ["It is green."]},
               {"item": "bridge/a/wrong", "entries": []}]  # fmt: skip
    with pytest.raises(ImportFailure, match="accept: bridge/a/wrong: the list of claims is empty"):
        take(study, write_lines(tmp_path / "l.jsonl", records), accepting=True)
    assert not Preparation.objects.exists()
    assert not study.units.exists()
