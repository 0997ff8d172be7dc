"""Styles and scripts as browsers get them: light, and few."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile, File
from django.core.files.storage import Storage
from whitenoise.storage import (  # type: ignore[import-untyped]
    CompressedManifestStaticFilesStorage,
)

# Name -> where it lies, as collectstatic hands them over.
Found = Mapping[str, tuple[Storage, str]]

_IMPORT = re.compile(r'^@import url\("([^":]+)"\);\n', re.MULTILINE)
_STYLE_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# Comments that have lines of their own: what stands beside code could be part of a string.
_LINE_COMMENT = re.compile(r"^[ \t]*//.*\n", re.MULTILINE)
_BLOCK_COMMENT = re.compile(r"^[ \t]*/\*.*?\*/[ \t]*\n", re.DOTALL | re.MULTILINE)
_INDENTATION = re.compile(r"\n\s+|^\s+")


def compact(name: str, text: str) -> str:
    """A style or script without its comments and indentation."""
    if name.endswith(".css"):
        text = _STYLE_COMMENT.sub("", text)
    else:
        text = _LINE_COMMENT.sub("", _BLOCK_COMMENT.sub("", text))
    return _INDENTATION.sub("\n", text).lstrip("\n")


def joined(name: str, found: Found) -> str:
    """A style with the styles that it imports in their places."""
    storage, path = found[name]
    with storage.open(path) as file:
        text: str = file.read().decode()
    folder = posixpath.dirname(name)
    return _IMPORT.sub(lambda match: joined(posixpath.join(folder, match[1]), found), text)


class CompactStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Of our own styles and scripts; those of others stay as they came."""

    def post_process(
        self, paths: dict[str, Any], dry_run: bool = False, **options: Any
    ) -> Iterator[Any]:
        ours = {
            name: (_Compact(name, paths), path) if is_ours(name, storage) else (storage, path)
            for name, (storage, path) in paths.items()
        }
        yield from super().post_process(ours, dry_run=dry_run, **options)


def is_ours(name: str, storage: Storage) -> bool:
    """Whether we wrote this style or script."""
    folders = [one[1] if isinstance(one, tuple) else one for one in settings.STATICFILES_DIRS]
    is_own = Path(storage.path("")).resolve() in [Path(folder).resolve() for folder in folders]
    return is_own and name.endswith((".css", ".js")) and not name.startswith("vendor/")


class _Compact(Storage):
    """Reads one file compact."""

    def __init__(self, name: str, found: Found) -> None:
        self._name, self._found = name, found

    def open(self, name: str, mode: str = "rb") -> File[Any]:
        return ContentFile(compact(self._name, joined(self._name, self._found)).encode())
