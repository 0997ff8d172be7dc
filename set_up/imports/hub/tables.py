"""The files of a dataset on the hub, by configuration and split, and the choice among them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Self
from urllib.parse import quote, unquote, urlsplit

from files.errors import ImportFailure
from imports.formats.hub.dataset_cards import (
    ONLY_SPLIT,
    ROWS,
    configurations,
    default_configuration,
    matches,
)
from imports.formats.own.published_study import LABELS_FILE, RATINGS_FILE
from set_up.imports.hub.addresses import DatasetAddress, hub_root

# The branch on which the hub keeps its conversions, and how it names those that are not whole.
CONVERTED, _PARTIAL = "refs/convert/parquet", "partial-"
_DEFAULT, _LISTED = "default", 20
# Descriptions of a dataset, which are no rows of it.
_NO_ROWS = ("dataset_info.json", "dataset_infos.json", "dataset_dict.json", "config.json")
# The words by which `datasets` tells splits where a card does not name their files.
_SPLITS = {
    "train": ("train", "training"),
    "validation": ("validation", "valid", "val", "dev"),
    "test": ("test", "testing", "eval", "evaluation"),
}


@dataclass(frozen=True)
class HubFile:
    """A file. path: inside the dataset, or inside its conversion. size: bytes; None: unsaid."""

    path: str
    url: str
    size: int | None = None

    @classmethod
    def of(cls, address: DatasetAddress, commit: str, sibling: Mapping[str, Any]) -> Self:
        """A file as the hub lists it of a commit."""
        path = str(sibling["rfilename"])
        url = f"{hub_root()}/datasets/{address.name}/resolve/{commit}/{quote(path)}"
        size = sibling.get("size")
        return cls(path, url, size if isinstance(size, int) else None)


@dataclass(frozen=True)
class DatasetChoice:
    """What is read of a dataset."""

    config: str
    splits: Sequence[str]
    files: Sequence[HubFile]


@dataclass(frozen=True)
class HubTables:
    """by_config: configuration to split to files. default: the configuration that is meant where
    none is named."""

    by_config: Mapping[str, Mapping[str, Sequence[HubFile]]]
    default: str = ""

    def chosen(self, address: DatasetAddress, config: str, split: str) -> DatasetChoice:
        """The files of a configuration, and of one split or of several (`train+test`). Without
        names: of the only one, or the default. ImportFailure says which there are."""
        configs = self.by_config
        name = config or next((n for n in (self.default, _DEFAULT) if n in configs), "")
        if not name and len(configs) == 1:
            name = next(iter(configs))
        if name not in configs:
            raise ImportFailure(str(address), "config", _none_of(config, configs))
        splits = configs[name]
        names = split.split("+") if split else list(splits)
        if not split and len(splits) > 1:
            reason = f'name one, or several as "a+b": there are {_listed(splits)}'
            raise ImportFailure(str(address), "split", reason)
        for wanted in names:
            if wanted not in splits:
                raise ImportFailure(str(address), "split", _none_of(wanted, splits))
        files = [file for wanted in dict.fromkeys(names) for file in splits[wanted]]
        return DatasetChoice(name, list(dict.fromkeys(names)), files)


def converted_tables(listing: Any, default: str) -> HubTables | None:
    """The files that the hub's conversion lists; None where it lists none that is whole."""
    by_config: dict[str, dict[str, list[HubFile]]] = {}
    for entry in listing.get("parquet_files") or ():
        path = urlsplit(str(entry["url"])).path
        inside = unquote(path.partition("/resolve/")[2]).removeprefix(f"{CONVERTED}/")
        if f"/{_PARTIAL}" in inside:
            continue
        size = entry.get("size")
        file = HubFile(inside, f"{hub_root()}{path}", size if isinstance(size, int) else None)
        splits = by_config.setdefault(str(entry["config"]), {})
        splits.setdefault(str(entry["split"]), []).append(file)
    return HubTables(by_config, default) if by_config else None


def own_tables(files: Sequence[HubFile], header: Mapping[str, Any]) -> HubTables | None:
    """The files of rows of a dataset as its author has put them there; None where there are none.
    header: of its card."""
    rows = [file for file in files if _is_rows(file.path)]
    by_config: dict[str, Mapping[str, Sequence[HubFile]]] = {
        config: {
            split: [file for file in rows if matches(file.path, patterns)]
            for split, patterns in splits.items()
        }
        for config, splits in configurations(header).items()
    }
    there: dict[str, Mapping[str, Sequence[HubFile]]] = {
        config: {split: listed for split, listed in splits.items() if listed}
        for config, splits in by_config.items()
        if any(splits.values())
    }
    if not by_config and rows:
        there = {_DEFAULT: _by_name(rows)}
    return HubTables(there, default_configuration(header)) if there else None


def published_files(files: Iterable[HubFile]) -> Sequence[HubFile]:
    """The two files of a study that Jurybox exported; empty where these are not both there."""
    both = [f for f in files if PurePosixPath(f.path).name in (LABELS_FILE, RATINGS_FILE)]
    return both if len(both) == 2 else ()


def _is_rows(path: str) -> bool:
    name = PurePosixPath(path)
    return name.suffix in ROWS and name.name not in _NO_ROWS and not path.startswith(".")


def _by_name(files: Sequence[HubFile]) -> Mapping[str, Sequence[HubFile]]:
    """Files of one kind by the split that their names tell."""
    kind = next(suffix for suffix in ROWS if any(f.path.endswith(suffix) for f in files))
    splits: dict[str, list[HubFile]] = {}
    for file in (file for file in files if file.path.endswith(kind)):
        splits.setdefault(_split_of(file.path), []).append(file)
    return splits


def _split_of(path: str) -> str:
    words = re.split(r"[^A-Za-z0-9]+", path.lower())
    return next((name for name, of in _SPLITS.items() if set(of) & set(words)), ONLY_SPLIT)


def _none_of(wanted: str, names: Iterable[str]) -> str:
    start = f"there is no {wanted}" if wanted else "name one"
    return f"{start}: there are {_listed(names)}"


def _listed(names: Iterable[str]) -> str:
    several = list(names)
    more = f" and {len(several) - _LISTED} more" if len(several) > _LISTED else ""
    return ", ".join(several[:_LISTED]) + more
