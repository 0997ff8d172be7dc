"""Files that a server sends."""

from collections.abc import Iterator
from pathlib import Path


def save(pieces: Iterator[bytes], target: Path) -> Path:
    """Write a file, whole or not at all; its path."""
    part = target.with_name(f".{target.name}.part")
    try:
        with part.open("wb") as file:
            file.writelines(pieces)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return part.replace(target)
