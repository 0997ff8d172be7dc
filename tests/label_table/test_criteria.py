"""Files with answers to several criteria, and readings that are stated."""

import json
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from django.core.management import CommandError, call_command

from tests.label_table.tables import checks, refused, value, write_table

FLUENCY, STYLE = ("1223", "1233"), ("4431", "4421")


def of_columns(folder: Path) -> Path:
    """Two people's columns for each criterion."""
    rows = zip(*FLUENCY, *STYLE, strict=True)
    lines = [f"u{at} {' '.join(row)}" for at, row in enumerate(rows)]
    return write_table(folder, "id fluency_rater1 fluency_rater2 style_rater1 style_rater2", *lines)


def of_rows(folder: Path) -> Path:
    """The same, one rating per row."""
    lines = [
        f"u{at} rater{person} {criterion} {rating}"
        for criterion, people in (("fluency", FLUENCY), ("style", STYLE))
        for person, ratings in enumerate(people, start=1)
        for at, rating in enumerate(ratings)
    ]
    return write_table(folder, "item annotator criterion rating", *lines, name="long.csv")


@pytest.fixture(params=[of_columns, of_rows])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path: Path = request.param(tmp_path)
    return path


def printed(*arguments: str) -> str:
    out = StringIO()
    call_command("check_table", *arguments, "--resamples", "0", stdout=out)
    return out.getvalue()


def test_each_criterion_is_checked_by_itself(table: Path) -> None:
    fluency, style = checks(table)
    assert [fluency.table.criterion, style.table.criterion] == ["fluency", "style"]
    alphas = [value(each, "humans", "krippendorff_alpha_ordinal") for each in (fluency, style)]
    (alone,) = checks(table, criterion="style")
    assert value(alone, "humans", "krippendorff_alpha_ordinal") == alphas[1] != alphas[0]


def test_a_criterion_that_is_not_there_is_named_with_those_that_are(table: Path) -> None:
    assert refused(table, criterion="tone") == (
        f"{table.name}: --criterion: no criterion 'tone' (there are: fluency, style)"
    )


def test_every_form_has_a_part_for_each_criterion(table: Path) -> None:
    assert f"{table} (text separated by commas, in UTF-8): style\n" in printed(str(table))
    assert f"## {table.name}: style\n" in printed(str(table), "--markdown")
    document = json.loads(printed(str(table), "--json", "--point", "--fail-under", "0"))
    assert [each["criterion"] for each in document["criteria"]] == ["fluency", "style"]
    assert document["status"] == 0
    suites = ET.fromstring(printed(str(table), "--junit"))
    assert [suite.get("name") for suite in suites] == [
        "jurybox check fluency",
        "jurybox check style",
    ]


def test_a_bar_that_one_criterion_misses_is_missed(table: Path) -> None:
    with pytest.raises(CommandError) as caught:
        printed(str(table), "--point", "--fail-under", "0.93")
    assert caught.value.returncode == 1


def test_the_reading_that_is_printed_is_taken_and_may_be_changed(
    table: Path, tmp_path: Path
) -> None:
    written = tmp_path / "reading.yaml"
    written.write_text(printed(str(table), "--show-reading"))
    assert printed(str(table), "--reading", str(written)) == printed(str(table))
    written.write_text(written.read_text().replace("ordinal", "interval"))
    assert "compared as interval" in printed(str(table), "--reading", str(written))
    written.write_text("tables: []\n")
    with pytest.raises(CommandError, match=r"reading\.yaml: tables: empty") as caught:
        printed(str(table), "--reading", str(written))
    assert caught.value.returncode == 2


def test_files_with_equal_columns_are_read_together(tmp_path: Path) -> None:
    for name, ratings in (("ada", "1234"), ("bo", "1245")):
        rows = [f"u{at} {rating}" for at, rating in enumerate(ratings)]
        write_table(tmp_path, "item rating", *rows, name=f"{name}.csv")
    out = printed(str(tmp_path / "ada.csv"), str(tmp_path / "bo.csv"), "--names", "rater")
    assert "4 units, 8 labels, 2 people and 0 judges." in out
