"""References: facts as the documentation has them, and BibTeX that can be read."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

from estimates.catalogue import METRICS as CATALOGUE
from estimates.catalogue.works import WORKS
from jurybox import __version__
from results.paper.bibliography import ENTRIES, PROGRAM, CitedWork, as_bibtex, program
from results.paper.citations import DISTANCES, INTERVALS, JUDGE_METHODS, of_metric

ROOT = Path(__file__).parents[3]
# Where works are named: the documentation and the sources that it is made from.
NAMED_IN = [
    ROOT / "docs" / "statistics.md",
    *sorted((ROOT / "agreement").rglob("*.py")),
    *sorted((ROOT / "judges" / "methods").rglob("*.py")),
    ROOT / "results" / "reading" / "people.py",
]
CITED = {
    *(key for tables in (WORKS, DISTANCES, INTERVALS, JUDGE_METHODS) for keys in tables.values()
      for key in keys),
    *("krippendorff2004", "krippendorff2011", "friedman1937", PROGRAM),
}  # fmt: skip


def key_of(entry: CitedWork) -> str:
    return entry.key


@pytest.fixture(scope="module")
def named() -> str:
    return " ".join(" ".join(path.read_text(encoding="utf-8").split()) for path in NAMED_IN)


def test_everything_cited_has_an_entry_and_every_entry_is_cited() -> None:
    assert {*ENTRIES, PROGRAM} == CITED
    assert all(key == entry.key for key, entry in ENTRIES.items())


def test_works_are_given_for_metrics_that_there_are() -> None:
    assert set(WORKS) <= set(CATALOGUE)
    assert of_metric("krippendorff_alpha_jaccard") == ("krippendorff2011", "jaccard1912")
    assert of_metric("mean") == ()


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=key_of)
def test_author_and_year_are_as_the_documentation_has_them(entry: CitedWork, named: str) -> None:
    """As in "Bland and Altman (1986)": the first author's surname, then nothing but names, then
    the year."""
    surname = entry.fields["author"].partition(",")[0]
    between = r"(?: et al\.)?[^\d.;:]{0,90}\(?"
    assert re.search(rf"{re.escape(surname)}{between}{entry.fields['year']}", named)


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=key_of)
def test_an_entry_is_bibtex(entry: CitedWork) -> None:
    text = entry.as_bibtex()
    assert text.startswith(f"@{entry.kind}{{{entry.key},\n")
    assert text.count("{") == text.count("}")
    for line in text.splitlines()[1:-1]:
        assert re.fullmatch(r"  [a-z]+ = \{.*\},?", line)


def test_a_file_has_each_work_once_in_order() -> None:
    text = as_bibtex(["wilson1927", "holm1979", "wilson1927"], year=2026)
    assert re.findall(r"^@\w+\{(\w+),", text, re.MULTILINE) == ["holm1979", "wilson1927"]
    assert "pages = {65--70}" in text
    assert "title = {{A Simple Sequentially Rejective Multiple Test Procedure}}" in text


def test_the_program_is_cited_by_its_version() -> None:
    release = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == __version__
    assert citation["license"] == release["license"]
    assert citation["authors"] == [{"name": program(2026).fields["author"]}]
    text = as_bibtex([PROGRAM], year=2026)
    assert f"version {__version__}" in text
    assert "year = {2026}" in text


# Books, a thesis and works of before DOIs that no publisher has given one.
WITHOUT_ADDRESS = {"krippendorff2004", "vanrijsbergen1979", "nemenyi1963"}


def test_works_are_found_by_doi_or_address() -> None:
    without = {key for key, entry in ENTRIES.items() if not entry.fields.keys() & {"doi", "url"}}
    assert without == WITHOUT_ADDRESS
    assert all("pages" in of.fields for of in ENTRIES.values() if of.kind == "inproceedings")


def test_a_doi_and_an_accent_stay_as_they_are() -> None:
    text = as_bibtex(["brier1950", "belz2022"], year=2026)
    assert "doi = {10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2}" in text
    assert "Popović, Maja" in text
