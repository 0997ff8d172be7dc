import gzip
from pathlib import Path

import pytest

from files.errors import ImportFailure
from files.readers.streams import keyed_records, lines
from tests.imports.small_files import write_bytes


def failure(path: Path) -> str:
    with pytest.raises(ImportFailure) as caught:
        [line.text for line in lines(path)]
    return str(caught.value)


def test_packed_and_plain_files_read_alike(tmp_path: Path) -> None:
    plain = write_bytes(tmp_path / "a.jsonl", b"one\n\ntwo\n")
    packed = write_bytes(tmp_path / "a.jsonl.gz", b"one\n\ntwo\n")
    read = [(line.where, line.text) for line in lines(plain)]
    assert read == [(f"{plain}:1", "one\n"), (f"{plain}:3", "two\n")]
    assert [line.text for line in lines(packed)] == ["one\n", "two\n"]


def test_a_packed_file_needs_no_telling_name(tmp_path: Path) -> None:
    path = write_bytes(tmp_path / "records", gzip.compress(b"one\n"))
    assert [line.text for line in lines(path)] == ["one\n"]


def test_a_utf8_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = write_bytes(tmp_path / "a.jsonl", b"\xef\xbb\xbfone\n")
    assert [line.text for line in lines(path)] == ["one\n"]


def test_reading_tells_how_many_bytes_of_the_disk_were_read(tmp_path: Path) -> None:
    path = write_bytes(tmp_path / "a.jsonl.gz", b"one\n" * 10_000)
    read: list[int] = []
    list(lines(path, read.append))
    assert sum(read) == path.stat().st_size


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    path = tmp_path / "absent.jsonl"
    assert failure(path) == f"{path}: file: No such file or directory"


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    assert failure(tmp_path) == f"{tmp_path}: file: Is a directory"


def test_a_cut_off_gzip_file_is_damaged(tmp_path: Path) -> None:
    whole = gzip.compress("".join(f"{n * n}\n" for n in range(9999)).encode())
    (tmp_path / "a.gz").write_bytes(whole[: len(whole) // 2])
    assert failure(tmp_path / "a.gz").startswith(f"{tmp_path / 'a.gz'}: gzip: damaged")


def test_a_plain_file_that_calls_itself_gzip_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(b"{}")
    assert "gzip: the name ends in .gz" in failure(tmp_path / "a.gz")


def test_latin_1_is_refused_at_its_line(tmp_path: Path) -> None:
    path = write_bytes(tmp_path / "a.jsonl", b"fine\n" + "café\n".encode("latin-1"))
    assert failure(path) == f"{path}:2: encoding: not UTF-8 (byte 0xe9 at 3)"


def test_utf_16_is_refused_by_name(tmp_path: Path) -> None:
    path = write_bytes(tmp_path / "a.jsonl", "one\n".encode("utf-16"))
    assert "encoding: UTF-16" in failure(path)


@pytest.mark.parametrize("text", ['"a\\u0000b"', '"\\\\\\u0000"', "\0"])
def test_a_nul_character_is_refused(tmp_path: Path, text: str) -> None:
    path = write_bytes(tmp_path / "a.jsonl", text.encode())
    assert failure(path) == f"{path}:1: text: holds a NUL character"


def test_an_escaped_backslash_before_u0000_is_no_nul(tmp_path: Path) -> None:
    path = write_bytes(tmp_path / "a.jsonl", rb'"\\u0000"')
    assert len(list(lines(path))) == 1


def test_records_of_one_object_come_with_their_keys(tmp_path: Path) -> None:
    path = write_bytes(tmp_path / "a.json.gz", b' {"x": {"n": 1.5}, "y": []}')
    assert [(member.where, member.key, member.value) for member in keyed_records(path)] == [
        (f"{path} (record x)", "x", {"n": 1.5}),
        (f"{path} (record y)", "y", []),
    ]


@pytest.mark.parametrize(
    ("raw", "complaint"),
    [
        (b"[]", "JSON: not an object of records"),
        (b"", "JSON: not an object of records"),
        (b'{"x": 1, "y": ', "(after record x): JSON:"),
        (b'{"x": "caf\xe9"}', "(in the first record): JSON:"),
    ],
)
def test_what_is_no_object_of_records_is_refused(
    tmp_path: Path, raw: bytes, complaint: str
) -> None:
    path = write_bytes(tmp_path / "a.json", raw)
    with pytest.raises(ImportFailure, match=r"^[^\n]+$") as caught:
        list(keyed_records(path))
    assert complaint in str(caught.value)
