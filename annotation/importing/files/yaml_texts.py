"""YAML of files that people send."""

import yaml

from annotation.importing.errors import ImportFailure


def refuse_aliases(text: str, file: str = "study.yaml") -> None:
    """ImportFailure where YAML repeats parts by name: a few lines could stand for gigabytes."""
    try:
        alias = next((t for t in yaml.scan(text) if isinstance(t, yaml.AliasToken)), None)
    except yaml.YAMLError:
        return  # told in words where the file is read
    if alias is not None:
        line = alias.start_mark.line + 1
        raise ImportFailure(f"{file}:{line}", "YAML", f"*{alias.value}: write it out")
