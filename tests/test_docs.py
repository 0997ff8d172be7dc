"""The documents are held to account: what the program has, they name."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from judges.methods.contract import Method
from judges.methods.registry import METHODS
from results.metrics.catalogue import every_metric
from tasktypes.contract import TaskType
from tasktypes.registry import TASK_TYPES

ROOT = Path(settings.BASE_DIR)
DOCS = ROOT / "docs"


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def everything() -> str:
    pages = [*DOCS.rglob("*.md"), ROOT / "README.md"]
    return "\n".join(file.read_text(encoding="utf-8") for file in pages)


def commands() -> list[str]:
    files = ROOT.glob("*/management/commands/[a-z]*.py")
    return sorted(file.stem for file in files)


def settings_from_the_environment() -> list[str]:
    code = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "config").glob("*.py"))
    return sorted(set(re.findall(r'env(?:\.\w+)?\(\s*"([A-Z_]+)"', code)))


@pytest.mark.parametrize("command", commands())
def test_every_command_is_in_the_docs(command: str) -> None:
    assert re.search(rf"`[^`\n]*\b{command}\b|^\S*.*manage\.py {command}\b", everything(), re.M)


@pytest.mark.parametrize("name", settings_from_the_environment())
def test_every_setting_is_in_the_docs(name: str) -> None:
    assert f"`{name}`" in page("settings.md")


@pytest.mark.parametrize("task_type", TASK_TYPES, ids=lambda one: one.slug)
def test_every_task_type_is_in_the_docs(task_type: TaskType[Any, Any, Any]) -> None:
    assert f"`{task_type.slug}`" in page("task-types.md")


def links(file: Path) -> list[str]:
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", file.read_text(encoding="utf-8"), flags=re.S)
    return re.findall(r"\]\((?!https?:)([^)#\s]+)", prose)


@pytest.mark.parametrize("method", METHODS, ids=lambda one: one.name)
def test_every_judge_method_is_in_the_docs(method: type[Method[Any]]) -> None:
    assert f"`{method.name}`" in page("judges.md")


@pytest.mark.parametrize("metric", [metric.name for metric in every_metric()])
def test_every_metric_of_a_report_is_in_the_docs(metric: str) -> None:
    assert f"`{metric}`" in page("statistics.md")


def test_every_documented_metric_has_a_name_on_the_pages() -> None:
    table = page("statistics.md").partition("## Metrics of a report")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    documented = {name for row in rows for name in re.findall(r"`([a-z0-9_]+)`", row)}

    named = {metric.name for metric in every_metric()}

    assert documented - named - {"attribution", "against"} == set()


def test_every_link_between_documents_leads_somewhere() -> None:
    broken = []
    for file in [*DOCS.rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]:
        for target in links(file):
            if not (file.parent / target).exists():
                broken.append(f"{file.relative_to(ROOT)}: {target}")
    assert broken == []


def test_every_word_of_the_glossary_is_explained_once() -> None:
    words = re.findall(r"^\| ([^|]+?) \|", page("glossary.md"), re.M)
    assert len(words) == len(set(words))
    assert len(words) > 30
