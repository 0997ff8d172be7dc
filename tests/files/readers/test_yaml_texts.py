"""YAML of strangers."""

from pathlib import Path

import pytest

from files.errors import ImportFailure
from files.readers.yaml_texts import read_yaml
from imports.formats.own.column_map import read_column_map
from imports.study_file.item_columns import read_item_columns
from imports.study_file.keys import read_keys
from jurybox.packages import PACKAGES

BOMB = "a0: &a0 [x, x]\na1: &a1 [*a0, *a0]\n"
ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (BOMB, r"m.yaml:2: YAML: \*a0: write it out"),
        ("a: &a [*a]", r"\*a: write it out"),
        ("x: 1\nday: 2026-99-99", r"m.yaml:2: YAML: 2026-99-99 is no date \(put it in quotes\)"),
        ("n: !!int twelve", "twelve is no int"),
        ("n: !!bool maybe", "maybe is no bool"),
        ("n: !!timestamp soon", "soon is no date"),
        (f"n: {'1' * 5000}", "1111… is no int"),
        ("n: !!float x", "x is no float"),
        ("? [1, 2]\n: x", "unhashable"),
        ('a: "\\0"', "NUL"),
        ("[" * 20_000, "too many parts within one another"),
        ("!!python/object/apply:os.system [ls]", "could not determine a constructor"),
        ("a: [", "expected the node content"),
    ],
)
def test_what_harms_or_is_no_value_is_refused_with_the_line(text: str, reason: str) -> None:
    with pytest.raises(ImportFailure, match=reason):
        read_yaml(text, "m.yaml")


def test_what_is_repeated_by_name_is_read_from_the_command_line_alone(tmp_path: Path) -> None:
    file = tmp_path / "study.yaml"
    file.write_text(BOMB, encoding="utf-8")
    assert read_keys(file, aliases=True)["a1"] == [["x", "x"], ["x", "x"]]
    with pytest.raises(ImportFailure, match="write it out"):
        read_keys(file)


@pytest.mark.parametrize("text", [BOMB, "item: 2026-99-99", "item: [" * 3000])
def test_maps_of_columns_are_read_in_the_same_way(tmp_path: Path, text: str) -> None:
    columns = tmp_path / "columns.yaml"
    columns.write_text(text, encoding="utf-8")
    with pytest.raises(ImportFailure, match="YAML"):
        read_column_map(columns)
    with pytest.raises(ImportFailure, match="YAML"):
        read_item_columns(columns)


def test_no_other_reader_of_yaml_is_in_the_program() -> None:
    """Besides the operator's own list of endpoints, and the client on the user's machine."""
    readers = {
        str(path.relative_to(ROOT))
        for folder in (*PACKAGES, "jurybox")
        for path in (ROOT / folder).rglob("*.py")
        if "yaml.load" in (text := path.read_text(encoding="utf-8")) or "yaml.safe_load" in text
    }
    assert readers == {
        "files/readers/yaml_texts.py",
        "endpoints/registry.py",
        "jurybox/client/records.py",
    }
