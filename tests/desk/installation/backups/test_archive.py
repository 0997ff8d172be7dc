"""What is read of a file that a stranger may have made."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.management.base import CommandError

from desk.installation.backups.archive import MANIFEST, key_name, new_archive, opened
from desk.installation.backups.folders import restored_files

WHOLE: dict[str, Any] = {
    "format": 1,
    "version": "0.1.0",
    "commit": "",
    "made_at": "2031-01-01T00:00:00+00:00",
    "database": "sqlite",
    "migrations": [["annotation", "0001_initial"]],
    "key": "00000000",
    "rows": {},
    "files": 0,
}


def written(folder: Path, manifest: Any, **members: str) -> Path:
    path = folder / "backup.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
        if manifest is not None:
            archive.writestr(MANIFEST, json.dumps(manifest))
    return path


@pytest.mark.parametrize(
    ("manifest", "words"),
    [
        (None, "no backup of Jurybox"),
        ([], "cannot be read"),
        ({**WHOLE, "format": 2}, "newer version"),
        ({**WHOLE, "rows": "many"}, "cannot be read"),
        ({**WHOLE, "unknown": 1}, "cannot be read"),
    ],
)
def test_a_file_that_is_no_backup_is_refused(tmp_path: Path, manifest: Any, words: str) -> None:
    with pytest.raises(CommandError, match=words), opened(written(tmp_path, manifest)):
        pass


def test_a_key_is_named_without_being_told() -> None:
    assert key_name("a" * 50) != key_name("b" * 50)
    assert len(key_name("a" * 50)) == 8


@pytest.mark.parametrize(
    "name", ["files/media/../../evil", "files//etc/passwd", "files/other/x", "files/media"]
)
def test_no_file_is_put_outside_its_folder(tmp_path: Path, name: str, settings: Any) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    path = written(tmp_path, WHOLE, **{"files/media/a": "1", name: "evil"})
    with (
        zipfile.ZipFile(path) as archive,
        pytest.raises(CommandError, match="belongs nowhere"),
        restored_files(archive),
    ):
        pass
    assert [file for file in (tmp_path / "media").rglob("*") if file.is_file()] == []


def test_a_backup_bears_its_name_once_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "new" / "backup.zip"
    with pytest.raises(TypeError), new_archive(path) as archive:
        archive.writestr("a", None)  # type: ignore[arg-type]
    assert list(path.parent.iterdir()) == []
    with new_archive(path) as archive:
        archive.writestr("a", "b")
    with pytest.raises(CommandError, match="exists"), new_archive(path):
        pass
    assert [file.name for file in path.parent.iterdir()] == ["backup.zip"]
