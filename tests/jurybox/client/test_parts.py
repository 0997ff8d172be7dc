"""Parts of the client that need no server: lines in parts, waiting, frames, files."""

import gzip
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.client import (
    ClientError,
    FieldProblem,
    LineResult,
    Refused,
    TimedOut,
    example_study,
    frame,
    read_records,
    read_study_file,
)
from jurybox.client.bulk import Line, chunks, send_all
from jurybox.client.connection import as_json
from jurybox.client.downloads import save
from jurybox.client.items import add_fitting
from jurybox.client.waiting import wait_until


@given(st.lists(st.text(max_size=30)), st.integers(1, 5), st.integers(1, 80))
def test_parts_hold_all_lines_in_their_order_and_are_small_enough(
    texts: list[str], most: int, most_bytes: int
) -> None:
    lines = [{"text": text} for text in texts]
    parts = list(chunks(lines, most=most, most_bytes=most_bytes))
    assert [line for part in parts for line in part] == lines
    for part in parts:
        assert 1 <= len(part) <= most
        assert len(part) == 1 or len(as_json(part)) - 2 <= most_bytes


def stored(part: Sequence[Line]) -> list[LineResult]:
    return [LineResult(number) for number in range(len(part))]


def test_a_part_that_the_server_finds_too_large_is_halved() -> None:
    sizes: list[int] = []

    def send(part: Sequence[Line]) -> list[LineResult]:
        sizes.append(len(part))
        if len(part) > 2:
            raise Refused(413, "Content Too Large", "Send it in parts.")
        return stored(part)

    sent = send_all([{"n": n} for n in range(7)], send, most=5)
    assert sizes == [5, 2, 3, 1, 2, 2]
    assert [line.index for line in sent.results] == [*range(7)]
    assert repr(sent) == "Sent(stored=7, present=0, refused=0)"


def test_a_line_that_is_too_large_by_itself_is_refused() -> None:
    def send(part: Sequence[Line]) -> list[LineResult]:
        raise Refused(413, "Content Too Large", "Send it in parts.")

    with pytest.raises(Refused):
        send_all([{}], send, most=5)


def test_a_refusal_in_the_middle_counts_from_the_first_line_and_says_what_was_stored() -> None:
    def send(part: Sequence[Line]) -> list[LineResult]:
        if {"n": 7} in part:
            problem = FieldProblem("records[1].unit.role", "odd")
            raise Refused(422, "Unprocessable Content", "odd", (problem,))
        return stored(part)

    with pytest.raises(Refused, match=r"records\[7\]\.unit\.role: odd") as refused:
        send_all([{"n": n} for n in range(9)], send, most=3)
    assert refused.value.stored == 6


def test_records_that_do_not_fit_are_left_out_one_by_one() -> None:
    accepted: list[Line] = []

    def post(records: Sequence[Line]) -> None:
        for number, record in enumerate(records):
            if record["n"] % 3 == 0:
                problem = FieldProblem(f"records[{number}].source.key", "odd")
                raise Refused(422, "Unprocessable Content", "odd", (problem,))
        accepted.extend(records)

    results = add_fitting([{"n": n} for n in range(5)], post)
    assert [line.status for line in results] == [
        *("refused", "stored", "stored", "refused", "stored")
    ]
    assert results[3] == LineResult(3, "refused", "source.key", "odd")
    assert [record["n"] for record in accepted] == [1, 2, 4]


def test_a_refusal_of_the_whole_request_leaves_no_record_out() -> None:
    def post(records: Sequence[Line]) -> None:
        raise Refused(403, "Forbidden", "The token may not write.")

    with pytest.raises(Refused, match="may not write"):
        add_fitting([{"n": 1}], post)


def test_waiting_shows_each_change_once_and_ends_in_time() -> None:
    numbers = iter([1, 1, 2, 3])
    seen: list[int] = []
    arrived = wait_until(
        lambda n: n == 3, lambda: next(numbers), timeout=60, name="Run 1", progress=seen.append
    )
    assert (arrived, seen) == (3, [1, 2, 3])
    with pytest.raises(TimedOut, match="Run 1 is not done after 0 seconds"):
        wait_until(lambda n: False, lambda: 1, timeout=0, name="Run 1")


def test_a_frame_has_a_column_for_each_key_of_an_object() -> None:
    rows: list[dict[str, Any]] = [
        {"rater": "ann", "answer": {"value": 40}, "group": {}, "note": None, "at": [1, [2]]},
        {"rater": "bo", "answer": {"value": 0.5, "why": ["x"]}, "group": {"system": "Alder"}},
        {"rater": "cy", "answer": None, "group": {"system": 3}},
    ]
    table = frame(rows)
    assert table.to_dict(as_series=False) == {
        "rater": ["ann", "bo", "cy"],
        "answer.value": [40.0, 0.5, None],
        "note": [None, None, None],
        "at": ["[1, [2]]", None, None],
        "answer.why": [None, ["x"], None],
        "group.system": [None, '"Alder"', "3"],
    }
    assert table.schema["answer.value"] == polars.Float64
    assert frame([]).is_empty()


def test_without_polars_a_frame_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(ClientError, match="pip install polars"):
        frame([])


def test_a_study_file_holds_the_records_of_the_files_beside_it(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"n": "\u2028"}\n\n{"n": 2}\n', encoding="utf-8")
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(b'{"n": 3}\n'))
    file = tmp_path / "study.yaml"
    file.write_text("slug: mine\nitems: [a.jsonl, b.jsonl.gz]\n", encoding="utf-8")
    records = [{"n": "\u2028"}, {"n": 2}, {"n": 3}]
    assert read_study_file(file) == {"slug": "mine", "items": records}
    assert read_study_file("slug: mine") == {"slug": "mine", "items": []}
    assert read_records(tmp_path / "b.jsonl.gz") == [{"n": 3}]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("slug: a\nslug: b\n", "given twice"),
        ("slug: [", "No study file"),
        ("study.yaml", "pathlib.Path"),
        ("items: none-such.jsonl\n", "none-such.jsonl cannot be read"),
    ],
)
def test_a_study_file_that_cannot_be_read_says_why(text: str, reason: str) -> None:
    with pytest.raises(ClientError, match=reason):
        read_study_file(text)


def test_a_line_that_is_no_json_is_named(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text("{}\n{\n", encoding="utf-8")
    with pytest.raises(ClientError, match=r"a\.jsonl:2: no JSON"):
        read_records(file)


def test_examples_are_listed_where_a_name_is_none_of_them() -> None:
    assert example_study("likert")["slug"]
    with pytest.raises(ClientError, match="There are: actionability, demo"):
        example_study("../demo")


def test_a_file_is_saved_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "export.zip"
    target.write_bytes(b"older")

    with pytest.raises(ConnectionError):
        save((_breaks_off() for _ in range(2)), target)
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [b"older"]
    assert save(iter([b"ne", b"wer"]), target).read_bytes() == b"newer"


def _breaks_off() -> bytes:
    raise ConnectionError
