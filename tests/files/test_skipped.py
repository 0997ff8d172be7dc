"""Records that cannot be used: what is left out whole, and what is refused."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from annotation.models import Item, Source, Unit
from tests.imports.small_files import control, item, record, source, write_bytes, write_lines
from tests.imports.tables import import_files, outcome, refused, skipped

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


# --- Lines of JSON ------------------------------------------------------------------------------


def raw(number: int, **changes: Any) -> bytes:
    return json.dumps(record(number, **changes)).encode()


def with_bad_line(folder: Path, bad: bytes) -> Path:
    """Good records around the bad line, which is the second."""
    lines = [raw(0), bad, raw(1), raw(2)]
    return write_bytes(folder / "r.jsonl", b"\n".join(lines) + b"\n")


@pytest.mark.parametrize(
    ("bad", "complaint"),
    [
        (raw(9)[:40], "JSON: EOF while parsing"),
        (raw(9)[40:], "JSON: expected value"),
        (raw(9).replace(b"roof", b"r\\u0000f"), "text: holds a NUL character"),
        (raw(9).replace(b"roof", b"r\0f"), "text: holds a NUL character"),
        (raw(9).replace(b"roof", b"r\xe9f"), "encoding: not UTF-8 (byte 0xe9"),
        (raw(9).decode().encode("utf-16-le")[:-1], "encoding: not UTF-8|text: holds a NUL"),
        (b"\x1f\x8b\x08\x00", "encoding: not UTF-8|text: holds a NUL"),
        (b"[" * 100_000, "JSON: recursion limit"),
        (b'"x"', "record: input should be an object"),
        (b"null", "record: input should be an object"),
        (raw(9, items="x" * 10_000_000), "items: input should be a valid"),
        (raw(9, source=source("x" * 10_000_000)), "source.key: string should have at most 200"),
        (raw(9, source={"key": 1, "claim": []}), "source.key: 1 where a text is expected"),
        (raw(9, items=[item(sentences=[{"text": " "}])]), "items[0].sentences[0].text: empty"),
        (raw(9).replace(b"roof", b"r\\ud800f"), "JSON: lone leading surrogate|JSON: unexpected"),
        (json.dumps(control(9, focus={"passage": 7})).encode(), "unit mill-9/alder/2.focus"),
    ],
    # The bad line itself may have megabytes.
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_line_that_cannot_be_used_is_skipped_and_listed(
    tmp_path: Path, bad: bytes, complaint: str
) -> None:
    path = with_bad_line(tmp_path, bad)
    (line,) = skipped("jsonl", path)
    assert any(line.startswith(f"r.jsonl:2: {start}") for start in complaint.split("|")), line
    assert sorted(Source.objects.values_list("key", flat=True)) == ["mill-0", "mill-1", "mill-2"]
    assert (Item.objects.count(), Unit.objects.count()) == (3, 6)


def test_a_long_field_is_no_reason_to_skip(tmp_path: Path) -> None:
    long = [{"text": "It stood by the river. " * 500_000 + "[1]"}]
    path = with_bad_line(tmp_path, raw(9, items=[item("long", sentences=long)]))
    assert skipped("jsonl", path) == []
    assert Item.objects.count() == 4


def test_a_line_that_is_too_long_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("files.readers.streams.LONGEST_LINE", 2**20)
    path = with_bad_line(tmp_path, raw(9, items="x" * 5_000_000))
    assert skipped("jsonl", path) == ["r.jsonl:2: line: longer than 1 MiB"]
    assert Source.objects.count() == 3


def test_the_command_says_how_many_and_shows_the_first(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "r.jsonl", [*map(record, range(13)), *[{"n": n} for n in range(12)]]
    )
    out = StringIO()
    call_command("import_study", "jsonl", str(path), slug="s", stdout=out)
    lines = out.getvalue().splitlines()
    at = lines.index("  records skipped: 12")
    assert lines[at + 1] == f"    {path}:14: source: missing (and 2 more)"
    assert (
        lines[at + 11] == "    … and 2 more (--json lists all of them, --skipped FILE keeps them)"
    )
    assert len(lines) == at + 12


def test_the_counts_and_the_list_stay_with_the_study(tmp_path: Path) -> None:
    study = import_files("jsonl", with_bad_line(tmp_path, b"{}"))
    assert study.imported["counts"]["records"] == 3
    assert study.imported["counts"]["records_skipped"] == 1
    assert study.imported["odd"]["skipped"] == ["r.jsonl:2: source: missing (and 1 more)"]


def test_what_was_skipped_is_written_as_it_stood_and_can_be_put_right(tmp_path: Path) -> None:
    bad = record(9, colour="red")
    path = write_lines(tmp_path / "r.jsonl", [record(0), bad, record(1)])
    with path.open("a") as file:
        file.write('{"broken\n')
    copies = tmp_path / "skipped.jsonl"
    outcome("jsonl", path, skipped=copies)
    written = [json.loads(line) for line in copies.read_text().splitlines()]
    assert written == [
        {"where": f"{path}:2", "field": "colour", "reason": "unknown field", "record": bad},
        written[1],
    ]
    assert (written[1]["where"], written[1]["record"]) == (f"{path}:4", '{"broken')


def test_with_nothing_to_skip_the_file_of_skipped_records_is_empty(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "r.jsonl", [record()])
    outcome("jsonl", path, skipped=tmp_path / "skipped.jsonl")
    assert (tmp_path / "skipped.jsonl").read_text() == ""


def test_no_file_that_is_read_is_overwritten(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "r.jsonl", [record()])
    assert "--skipped: " in refused("jsonl", path, skipped=path)
    assert path.read_text()
    assert "No such file" in refused("jsonl", path, skipped=tmp_path / "absent" / "x.jsonl")


def test_a_strict_import_refuses_the_first(tmp_path: Path) -> None:
    path = with_bad_line(tmp_path, b"{}")
    assert refused("jsonl", path, strict=True) == "r.jsonl:2: source: missing (and 1 more)"


# --- What is left out whole, and what is refused ------------------------------------------------


def test_more_than_half_of_a_file_refuses_the_import(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "r.jsonl", [record(0), {}, {"x": 1}])
    reason = "source: missing (and 1 more) (2 of 3 records cannot be used)"
    assert refused("jsonl", path) == f"r.jsonl:2: {reason}"
    write_lines(path, [record(0), {}])
    assert len(skipped("jsonl", path)) == 1


def test_a_file_of_another_kind_is_refused_beside_a_good_one(tmp_path: Path) -> None:
    good = write_lines(tmp_path / "good.jsonl", map(record, range(50)))
    other = write_lines(tmp_path / "other.jsonl", [{"rater": "a"}, {"rater": "b"}])
    assert refused("jsonl", good, other).startswith("other.jsonl:1: source: missing")


def test_records_that_fit_no_question_count_towards_the_half(tmp_path: Path) -> None:
    bad = [control(n, focus={"passage": 9}) for n in range(1, 4)]
    path = write_lines(tmp_path / "r.jsonl", [record(0), *bad])
    assert "(3 of 4 records cannot be used)" in refused("jsonl", path)


def test_the_same_record_again_is_skipped(tmp_path: Path) -> None:
    unit = record(1, unit={"key": "u", "focus": {"passage": 1}})
    path = write_lines(tmp_path / "r.jsonl", [record(0), unit, record(0), unit, record(2)])
    assert skipped("jsonl", path) == [
        "r.jsonl:3: items.key: duplicate: 'mill-0/alder'",
        "r.jsonl:4: unit.key: duplicate: 'u'",
    ]
    assert (Item.objects.count(), Unit.objects.count()) == (3, 5)


def test_the_same_record_again_is_skipped_in_a_later_group(tmp_path: Path) -> None:
    unit = record(900, unit={"key": "u", "focus": {"passage": 1}})
    records = [unit, *map(record, range(600)), unit, record(3)]
    path = write_lines(tmp_path / "r.jsonl", records)
    assert skipped("jsonl", path) == [
        "r.jsonl:602: unit.key: duplicate: 'u'",
        "r.jsonl:603: items.key: duplicate: 'mill-3/alder'",
    ]
    assert (Item.objects.count(), Unit.objects.count()) == (601, 1201)


@pytest.mark.parametrize(
    ("second", "complaint"),
    [
        (record(0, source=source("mill-0", claim="Other.")), "source.key: duplicate: 'mill-0'"),
        (record(0, items=[item("mill-0/alder", system="Elm")]), "items.key: duplicate: 'mill-0/al"),
        (record(0, unit={"key": "u", "focus": {"passage": 2}}), "unit.key: duplicate: 'u'"),
    ],
)
def test_a_key_with_two_meanings_is_refused(tmp_path: Path, second: Any, complaint: str) -> None:
    first = record(0, unit={"key": "u", "focus": {"passage": 1}})
    path = write_lines(tmp_path / "r.jsonl", [first, *map(record, range(1, 5)), second])
    assert refused("jsonl", path).startswith(f"r.jsonl:6: {complaint}")


def test_a_skipped_record_leaves_its_keys_to_others(tmp_path: Path) -> None:
    bad = record(0, unit={"key": "u", "focus": {"passage": 7}}, source=source("mill-0", claim="X."))
    path = write_lines(tmp_path / "r.jsonl", [bad, record(0), record(1)])
    assert len(skipped("jsonl", path)) == 1
    assert Source.objects.get(key="mill-0").claim == source()["claim"]


def test_one_bad_unit_of_a_record_leaves_nothing_of_it(tmp_path: Path) -> None:
    """A record whose second block cannot ask about it: neither source nor item nor unit."""
    opening = {"study": {"blocks": [{"task_type": "slider"}, {"task_type": "citation_recovery"}]}}
    uncited = record(9, unit={"key": "u9", "focus": {}})
    good = [record(n, unit={"key": f"u{n}", "focus": {"passage": 1}}) for n in range(2)]
    path = write_lines(tmp_path / "r.jsonl", [opening, *good, uncited])
    assert len(skipped("jsonl", path)) == 1
    assert (Source.objects.count(), Item.objects.count(), Unit.objects.count()) == (2, 2, 2)


def test_what_was_made_from_an_item_that_never_came_is_taken_out_again(tmp_path: Path) -> None:
    orphan = record(1, items=[item("mill-1/a"), item("mill-1/b", perturbed_from="nowhere")])
    further = record(2, items=[item("mill-2/c", perturbed_from="mill-1/b")])
    later = record(3, items=[item("mill-3/d", perturbed_from="mill-4/alder")])
    records = [record(0), orphan, further, later, record(4), record(5)]
    printed = outcome("jsonl", write_lines(tmp_path / "r.jsonl", records))
    (left_out,) = printed["skipped"]
    assert left_out["where"] == "r.jsonl:2"
    assert left_out["reason"] == "there is no item 'nowhere', and 1 more made from this one"
    keys = ["mill-0/alder", "mill-3/d", "mill-4/alder", "mill-5/alder"]
    assert sorted(Item.objects.values_list("key", flat=True)) == keys
    assert (Source.objects.count(), Unit.objects.count()) == (4, 8)
    counts = printed["counts"]
    assert (counts["sources"], counts["items"], counts["units"]) == (4, 4, 8)
    assert printed["subsets"] == {"full": 8, "sample": 4}


def test_a_control_beside_other_units_is_still_refused(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "r.jsonl", [record(0, items=[item("a")]), control(0), record(1)])
    assert "unit.role" in refused("jsonl", path)
