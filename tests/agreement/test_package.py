"""The package as others meet it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import agreement
from docs.generate.functions import functions

ROOT = Path(__file__).resolve().parents[2]
FUNCTIONS_PAGE, PAGE = (
    (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("functions.md", "statistics.md")
)


def test_the_site_lists_every_public_name_from_its_docstring() -> None:
    listed = functions()
    assert [name for name in agreement.__all__ if f"::: agreement.{name}\n" not in listed] == []
    assert [name for name in agreement.__all__ if not getattr(agreement, name).__doc__] == []


@pytest.mark.parametrize("name", agreement.DISTANCES)
def test_every_distance_is_in_the_docs_with_its_metric(name: str) -> None:
    assert f"| `{name}` |" in PAGE
    assert f"`krippendorff_alpha_{name}`" in PAGE


@pytest.mark.parametrize(
    "name", [*agreement.WEIGHTS, *agreement.CORRELATIONS, *agreement.LEVELS, *agreement.TIES]
)
def test_every_weight_method_level_and_rule_for_ties_is_in_the_docs(name: str) -> None:
    assert f"\n| `{name}` |" in PAGE


@pytest.mark.parametrize(("kind", "rule"), agreement.CONSENSUS)
def test_every_rule_of_consensus_is_in_the_docs(kind: str, rule: str) -> None:
    row = next(line for line in PAGE.splitlines() if re.match(rf"\| {kind}s\b.*\| `", line))
    assert f"`{rule}`" in row


def test_the_example_of_the_docs_runs() -> None:
    example = re.search(r"```python\n(.*?)```", FUNCTIONS_PAGE, re.S)
    assert example
    exec(example[1], {})


def test_importing_it_loads_nothing_but_numpy() -> None:
    # scipy takes half a second, and is imported by the tests that need its distributions.
    code = (
        "import sys, numpy.random, numpy.typing; before = set(sys.modules); import agreement;"
        "print(*{name.split('.')[0] for name in set(sys.modules) - before})"
    )
    loaded = subprocess.check_output([sys.executable, "-c", code], cwd=ROOT, text=True).split()
    assert set(loaded) - set(sys.stdlib_module_names) == {"agreement"}
