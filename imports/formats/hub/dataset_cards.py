"""Cards of datasets of the Hugging Face Hub: a README with a head of YAML that names
configurations, the files of their splits, and the types of columns."""

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from files.errors import ImportFailure
from files.readers.yaml_texts import read_yaml

CARD = "README.md"
# The endings of files of rows, the one with types first.
ROWS = (".parquet", ".jsonl", ".json", ".csv")
# How the hub and `datasets` call the split of files that are of none.
ONLY_SPLIT = "train"

Patterns = Sequence[str]


def card_header(card: Path) -> Mapping[str, Any]:
    """The YAML at the head of a card; empty where there is none."""
    try:
        parts = card.read_text(encoding="utf-8").split("---\n", 2)
        has_header = len(parts) == 3 and not parts[0].strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ImportFailure(str(card), "YAML", " ".join(str(error).split())) from error
    header = read_yaml(parts[1], str(card)) if has_header else {}
    return header if isinstance(header, Mapping) else {}


def configurations(header: Mapping[str, Any]) -> Mapping[str, Mapping[str, Patterns]]:
    """The configurations in order: name to split to patterns of the paths of its files."""
    return {
        str(config.get("config_name") or "default"): _splits(config) for config in _listed(header)
    }


def default_configuration(header: Mapping[str, Any]) -> str:
    """The one that says so; empty where none does."""
    chosen = (c for c in _listed(header) if c.get("default"))
    return next((str(config.get("config_name") or "default") for config in chosen), "")


def default_patterns(header: Mapping[str, Any]) -> Patterns:
    """The files of the default configuration: the one that says so, else the first."""
    by_name = configurations(header)
    if not by_name:
        return ("*",)
    chosen = by_name.get(default_configuration(header)) or next(iter(by_name.values()))
    return [pattern for patterns in chosen.values() for pattern in patterns]


def matches(name: str, patterns: Patterns) -> bool:
    """Whether a path inside the dataset is one of those that the patterns name."""
    return any(fnmatch(name, pattern.replace("**/", "*")) for pattern in patterns)


def class_columns(
    header: Mapping[str, Any], config: str = ""
) -> Iterator[tuple[str, Sequence[str], bool]]:
    """(column, classes, whether a cell has several) of the columns that the card types so; config:
    leaves out what it says of others."""
    infos = header.get("dataset_info") or []
    for info in infos if isinstance(infos, list) else [infos]:
        if config and info.get("config_name", config) != config:
            continue
        for feature in info.get("features") or ():
            of_list = feature.get("list", feature.get("sequence"))
            kind = of_list if of_list is not None else feature.get("dtype")
            label = kind.get("class_label") if isinstance(kind, Mapping) else None
            if isinstance(label, Mapping):
                names = label.get("names") or {}
                ordered = names.values() if isinstance(names, Mapping) else names
                yield str(feature["name"]), [str(n) for n in ordered], of_list is not None


def _listed(header: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [c for c in header.get("configs") or () if isinstance(c, Mapping)]


def _splits(config: Mapping[str, Any]) -> Mapping[str, Patterns]:
    folder = str(config.get("data_dir") or "").strip("/")
    files = config.get("data_files") or (f"{folder}/*" if folder else "*")
    splits: dict[str, list[str]] = {}
    for entry in files if isinstance(files, list) else [files]:
        named = entry if isinstance(entry, Mapping) else {"path": entry}
        name, paths = str(named.get("split") or ONLY_SPLIT), named.get("path")
        several = paths if isinstance(paths, list) else [paths]
        splits.setdefault(name, []).extend(map(str, several))
    return splits
