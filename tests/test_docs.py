"""The documents are held to account: what the program has, they name."""

import re
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
import yaml
from django.conf import settings
from pydantic import BaseModel

from docs.generate import commands, judges, study_file
from docs.generate import settings as described_settings
from docs.generate.markdown import folded_json, table
from docs.generate.pages import DOCS, NOTE, PARTS, filled, pages, parts_of
from docs.generate.schemas import fields
from docs.generate.site import on_page_markdown
from endpoints.endpoint import Endpoint
from estimates.catalogue import every_metric
from imports.formats.registry import FORMATS
from judges.methods.contract import Method
from judges.methods.registry import METHODS
from tasktypes.contract import TaskType
from tasktypes.registry import TASK_TYPES
from tasktypes.schemas import Schema

ROOT = Path(settings.BASE_DIR)
PAGES = pages()
every_page = pytest.mark.parametrize("file", PAGES, ids=lambda file: str(file.relative_to(DOCS)))


@cache
def page(name: str) -> str:
    """The page as the site shows it."""
    return filled((DOCS / name).read_text(encoding="utf-8"))


def command_names() -> list[str]:
    files = ROOT.glob("*/management/commands/[a-z]*.py")
    return sorted(file.stem for file in files)


def settings_from_the_environment() -> list[str]:
    code = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "config").glob("*.py"))
    return sorted(set(re.findall(r'env(?:\.\w+)?\(\s*"([A-Z_]+)"', code)))


@every_page
def test_generated_parts_of_a_page_are_left_to_the_site(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    notes = re.findall(rf"<!-- generated: ([a-z ]+) -->\n{re.escape(NOTE)}\n<!-- end -->", text)
    assert notes == parts_of(text)


def test_the_site_fills_in_generated_parts() -> None:
    hooks = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert "hooks: [docs/generate/site.py]" in hooks
    text = (DOCS / "decisions" / "README.md").read_text(encoding="utf-8")
    assert on_page_markdown(text, page=None) == filled(text) != text


def test_every_generated_part_is_on_one_page() -> None:
    used = [part for file in PAGES for part in parts_of(file.read_text(encoding="utf-8"))]
    assert sorted(used) == sorted(PARTS)


def test_a_part_is_filled_in_and_what_is_around_it_stays() -> None:
    text = "before\n<!-- generated: decisions -->\nold\n<!-- end -->\nafter\n"
    new = filled(text)
    assert new.startswith("before\n<!-- generated: decisions -->\n\n1. [")
    assert new.endswith("\n\n<!-- end -->\nafter\n")
    assert "old" not in new
    assert filled(new) == new


@pytest.mark.parametrize("command", command_names())
def test_every_command_is_in_the_docs_with_what_its_arguments_mean(command: str) -> None:
    assert command in commands.names()
    section = page("commands.md").partition(f"\n## `{command}`\n")[2].partition("\n## ")[0]
    assert f"jurybox {command}" in section
    assert "|  |" not in section


@pytest.mark.parametrize("name", settings_from_the_environment())
def test_every_setting_is_in_the_docs(name: str) -> None:
    assert name in described_settings.described()
    assert f"| `{name}` |" in page("settings.md")


@pytest.mark.parametrize("task_type", TASK_TYPES, ids=lambda one: one.slug)
def test_every_task_type_is_in_the_docs(task_type: TaskType[Any, Any, Any]) -> None:
    assert f"\n## `{task_type.slug}`\n" in page("task-types.md")


def undescribed(model: type[BaseModel]) -> set[str]:
    return {name for name, field in model.model_fields.items() if not field.description}


@pytest.mark.parametrize("method", METHODS, ids=lambda one: one.name)
def test_every_judge_method_is_in_the_docs_with_its_parameters(method: type[Method[Any]]) -> None:
    section = page("judge-methods.md").partition(f"\n## `{method.name}`\n")[2]
    assert section
    assert undescribed(method.Parameters) <= set(judges.FILLED_IN)


@pytest.mark.parametrize("part", [Endpoint, *(part for _title, part in study_file.PARTS)])
def test_every_key_of_an_endpoint_and_of_a_study_file_is_explained(part: type[BaseModel]) -> None:
    assert undescribed(part) == set()


def test_every_metric_is_in_the_docs_with_its_meaning() -> None:
    text = page("metrics.md")
    assert [each.name for each in every_metric() if f"| `{each.name}` |" not in text] == []


class Sample(Schema):
    """A schema to be described."""

    first: bool
    second: tuple[str, ...] = ("a",)
    """Several words."""
    size: int = 3
    """how many;
    at most ten"""
    name: str | None = None
    """What it is called."""


def test_fields_are_described_by_their_schema_and_the_texts_below_them() -> None:
    assert fields(Sample).splitlines()[2:] == [
        "| `first` | true or false | needed |  |",
        "| `second` | list of texts | `a` | Several words |",
        "| `size` | whole number | `3` | How many; at most ten |",
        "| `name` | text | none | What it is called |",
    ]


def test_a_bar_in_a_cell_does_not_end_it() -> None:
    assert table(["a"], [["x|y\nz"]]).splitlines()[-1] == "| x\\|y z |"


def test_json_is_folded_where_it_is_too_long_for_a_line() -> None:
    value = {"a": ["x" * 60, "y" * 60], "b": 1}
    assert folded_json(value).splitlines()[1:2] == ['  "a": [']
    assert folded_json({"b": 1}) == '{"b": 1}'


def links(file: Path) -> list[str]:
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", file.read_text(encoding="utf-8"), flags=re.S)
    linked = re.findall(r"\]\((?!https?:)([^)#\s]+)", prose)
    return [*linked, *re.findall(r'<img src="([^"]+)"', prose)]


def test_every_link_between_documents_leads_somewhere() -> None:
    broken = []
    for file in [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]:
        for target in links(file):
            if not (file.parent / target).exists():
                broken.append(f"{file.relative_to(ROOT)}: {target}")
    assert broken == []


def test_every_example_in_yaml_can_be_read() -> None:
    broken = []
    for file in [*PAGES, ROOT / "README.md"]:
        text = file.read_text(encoding="utf-8")
        for example in re.findall(r"^ *```yaml.*?\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE):
            try:
                list(yaml.safe_load_all(dedent(example)))
            except yaml.YAMLError as error:
                broken.append(f"{file.relative_to(ROOT)}: {error}")
    assert broken == []


def test_every_page_is_in_the_navigation_of_the_site() -> None:
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = {f"{file.relative_to(DOCS)}" for file in PAGES if not file.stem[:4].isdigit()}
    assert {name for name in listed if name not in nav} == set()


def test_the_readme_is_short_and_names_the_two_commands() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 120
    assert "make demo" in text
    assert "make test" in text


def test_the_readme_counts_what_there_is() -> None:
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    counted = {7: "Seven kinds of question", 12: "Twelve judge methods", 27: "Twenty-seven data"}
    assert list(counted) == [len(TASK_TYPES), len(METHODS), len(FORMATS)]
    assert [words for words in counted.values() if f"**{words}" not in text] == []


def test_every_word_of_the_glossary_is_explained_once() -> None:
    words = re.findall(r"^\| ([^|]+?) \|", page("glossary.md"), re.M)
    assert len(words) == len(set(words))
    assert len(words) > 30
