"""Archives are unpacked up to the size that they say they have, by whatever method."""

import io
import tracemalloc
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import polars
import pytest

from files.errors import ImportFailure
from files.readers.archives import json_members, json_text, unpack
from files.readers.parquet import parquet_columns, parquet_rows
from files.readers.zstandard import zstandard_text
from imports.formats.contract import FormatInput
from imports.formats.tools.inspect_logs import InspectLogs

MIB = 2**20
LOG = Path(__file__).parents[2] / "imports" / "formats" / "foreign" / "inspect.eval"
METHODS = {
    "stored": zipfile.ZIP_STORED,
    "deflated": zipfile.ZIP_DEFLATED,
    "bzip2": zipfile.ZIP_BZIP2,
    "lzma": zipfile.ZIP_LZMA,
}
TEXT = b'{"a": "' + b"word " * 2000 + b'"}'


def archive(path: Path, content: bytes, method: int, *, claimed: int | None = None) -> Path:
    """An archive of one member, which may claim another size than it has."""
    with zipfile.ZipFile(path, "w", method) as packed:
        packed.writestr("x.json", content)
    if claimed is not None:
        raw = bytearray(path.read_bytes())
        central = raw.rindex(b"PK\x01\x02")
        for at in (22, central + 24):
            raw[at : at + 4] = claimed.to_bytes(4, "little")
        path.write_bytes(raw)
    return path


def repeated(n_blocks: int) -> bytes:
    """A frame of Zstandard: so many blocks of 128 KiB, each of one byte that is repeated."""
    last = n_blocks - 1
    blocks = [
        ((2**17 << 3) | 2 | (n == last)).to_bytes(3, "little") + b" " for n in range(n_blocks)
    ]
    return b"\x28\xb5\x2f\xfd\x00\x38" + b"".join(blocks)


@pytest.mark.parametrize("method", ["stored", "deflated", "bzip2"])
def test_a_member_is_read(method: str, tmp_path: Path) -> None:
    path = archive(tmp_path / "x.zip", TEXT, METHODS[method])
    assert json_text(path, json_members(path)["x.json"]) == TEXT.decode()


@pytest.mark.parametrize("method", METHODS)
def test_a_folder_is_unpacked(method: str, tmp_path: Path) -> None:
    path = archive(tmp_path / "x.zip", TEXT, METHODS[method])
    unpack(path, tmp_path / "there", most=MIB)
    assert (tmp_path / "there" / "x.json").read_bytes() == TEXT


@pytest.mark.parametrize("claimed", [1000, 20_000])
@pytest.mark.parametrize("method", METHODS)
def test_a_member_of_another_size_than_it_says_is_refused(
    method: str, claimed: int, tmp_path: Path
) -> None:
    path = archive(tmp_path / "x.zip", TEXT, METHODS[method], claimed=claimed)
    with pytest.raises(ImportFailure, match=r"x.json\): zip: cannot be unpacked|damaged"):
        json_text(path, json_members(path)["x.json"])
    with pytest.raises(ImportFailure, match=r"zip: cannot be unpacked|damaged"):
        unpack(path, tmp_path / "there", most=MIB)


@pytest.mark.parametrize("method", ["deflated", "bzip2", "lzma"])
def test_little_that_unpacks_to_much_takes_no_memory(method: str, tmp_path: Path) -> None:
    path = archive(tmp_path / "x.zip", bytes(150 * MIB), METHODS[method], claimed=1000)
    tracemalloc.start()
    with pytest.raises(ImportFailure):
        json_text(path, json_members(path)["x.json"])
    with pytest.raises(ImportFailure):
        unpack(path, tmp_path / "there", most=MIB)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # Python unpacks 4 KiB of the archive at once, by LZMA some 30 MiB, and copies them.
    assert peak < 100 * MIB


def test_zstandard_is_refused_by_the_blocks_that_it_says_it_has() -> None:
    with pytest.raises(ValueError, match="unpacks to more than it says"):
        zstandard_text(repeated(3 * 2**13), 1000)  # 3 GiB in 98 kB
    assert zstandard_text(repeated(8), 8 * 2**17) == b" " * MIB
    with pytest.raises(ValueError, match="not of the size that it says"):
        zstandard_text(repeated(8), 1000)


@pytest.mark.parametrize("end", range(0, 60, 3))
def test_zstandard_that_breaks_off_is_refused(end: int) -> None:
    with pytest.raises(ValueError, match=r"."):
        zstandard_text(repeated(40)[:end], 40 * 2**17)


def test_a_log_with_any_byte_wrong_is_read_or_refused(tmp_path: Path) -> None:
    raw, path = LOG.read_bytes(), tmp_path / "x.eval"
    for at in range(0, len(raw), 199):
        path.write_bytes(raw[:at] + bytes([raw[at] ^ 255]) + raw[at + 1 :])
        with suppress(ImportFailure):
            list(InspectLogs(FormatInput(files=[path])).records())


def test_a_log_of_many_samples_is_opened_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, opened = tmp_path / "x.zip", []
    with zipfile.ZipFile(path, "w") as packed:
        for number in range(50):
            packed.writestr(f"{number}.json", b"{}")

    class Counted(zipfile.ZipFile):
        def __init__(self, *args: Any) -> None:
            opened.append(args)
            super().__init__(*args)

    monkeypatch.setattr(zipfile, "ZipFile", Counted)
    members = json_members(path)
    assert {json_text(path, member) for member in members.values()} == {"{}"}
    assert len(opened) == 1


def test_a_panic_of_polars_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def panic(*_args: object) -> None:
        raise polars.exceptions.PanicException("index out of bounds")

    path, out = tmp_path / "x.parquet", io.BytesIO()
    polars.DataFrame({"a": [1, 2]}).write_parquet(out)
    path.write_bytes(out.getvalue())
    assert list(parquet_rows(path)) == [(1,), (2,)]
    monkeypatch.setattr(polars, "scan_parquet", panic)
    with pytest.raises(ImportFailure, match="no Parquet"):
        parquet_columns(path)
