"""`report` and `export` as commands, on the published study and on a small one."""

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Study
from tests.results.answers import choose, make_rater, questions, rate

KEYS = [
    *("metric", "facet", "raters", "group", "aggregation", "consensus"),
    *("value", "sd", "sd_ddof", "low", "high", "confidence"),
    *("n_units", "n_raters", "n_ratings", "interval_method", "undefined"),
]
LIVE = ("live_low", "live_high", "live_method")
READINGS = tuple(
    f"{whose}_{what}"
    for whose in ("these", "others", "live_these")
    for what in ("low", "high", "method")
)


def report(*arguments: str) -> str:
    out = StringIO()
    call_command("report", *arguments, stdout=out)
    return out.getvalue()


def test_json_has_every_key_for_every_row(study: Study) -> None:
    choose(make_rater(study, "lexical", "judge"), questions(study)[0], 0)

    document = json.loads(report("small", "--json"))

    assert document["study"] == "small"
    kinds = {tuple(row) for row in document["estimates"]}
    assert kinds == {tuple(KEYS), (*KEYS, *LIVE)}  # with live intervals of headline figures
    named = {row["raters"] for row in document["estimates"]}
    assert named == {"humans", "lexical", "humans~lexical"}


def test_everything_is_there_on_demand_as_csv_too(study: Study) -> None:
    choose(make_rater(study, "lexical", "judge"), questions(study)[0], 0)

    rows = json.loads(report("small", "--json", "--all"))["estimates"]
    table = list(csv.DictReader(report("small", "--csv", "--all").splitlines()))

    named = {row["raters"] for row in rows}
    assert named == {"humans", "lexical", "lexical@1", "humans~lexical", "humans~lexical@1"}
    assert [line["raters"] for line in table] == [row["raters"] for row in rows]
    assert [*table[0]] == [*KEYS, *LIVE, *READINGS]
    with pytest.raises(CommandError, match="--against"):
        report("small", "--csv", "--against", "small")


def test_the_table_names_what_has_no_value_and_says_what_simulated_means(study: Study) -> None:
    program = make_rater(study, "program", "simulated")
    for question in questions(study):
        choose(program, question, 0)
    for question in questions(study, block=1):
        rate(program, question, 50)

    text = report("small")

    assert "– no human answers" in text
    assert "They never count as humans" in text
    assert "nan" not in text.lower()


def test_consensus_seed_and_resamples_are_taken(study: Study) -> None:
    ada, judge = make_rater(study, "ada"), make_rater(study, "lexical", "judge")
    for question in questions(study):
        choose(ada, question, 0)
        choose(judge, question, 0, 2)

    def alpha(*arguments: str) -> dict[str, Any]:
        rows = json.loads(report("small", "--json", *arguments))["estimates"]
        found = [r for r in rows if r["raters"] == "humans~lexical" and not r["group"]]
        row: dict[str, Any] = next(r for r in found if r["metric"] == "krippendorff_alpha_jaccard")
        return row

    assert alpha("--consensus", "majority")["consensus"] == "majority"
    assert "too few sources (3" in alpha()["interval_method"]
    assert alpha("--resamples", "0")["interval_method"] is None
    rows = json.loads(report("small", "--json", "--resamples", "50", "--seed", "7"))["estimates"]
    assert rows == json.loads(report("small", "--json"))["estimates"]  # no quartiles here


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "no study 'nowhere'"),
        (["small", "--consensus", "loudest"], "invalid choice: 'loudest'"),
        (["small", "--resamples", "-1"], "--resamples: must not be negative"),
        (["small", "--resample", "raters"], "invalid choice: 'raters'"),
        (["small", "--against", "other"], "--against: other: no such study"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(
    study: Study, arguments: list[str], message: str
) -> None:
    with pytest.raises(CommandError, match=message):
        report(*arguments)


def test_export_writes_the_files_and_names_them(study: Study, tmp_path: Path) -> None:
    out = StringIO()
    call_command("export", "small", "--format", "jsonl", "--out", str(tmp_path / "new"), stdout=out)

    written = [Path(line) for line in out.getvalue().split()]
    names = ["README-jsonl.txt", "items.jsonl", "answers.jsonl"]
    assert [path.name for path in written] == names
    assert all(path.is_file() for path in written)


def test_export_refuses_a_folder_that_is_none(study: Study, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match="file: "):
        call_command("export", "small", "--format", "csv", "--out", str(tmp_path / "file"))
    with pytest.raises(CommandError, match="no study 'nowhere'"):
        call_command("export", "nowhere", "--format", "csv", "--out", str(tmp_path))


def test_tables_of_the_page_in_latex_and_markdown(answered: Study) -> None:
    one = report("small", "--latex", "--panel", "among-recovery")
    assert one.count("\\begin{table*}") == 1
    assert "\\label{tab:small-among-recovery}" in one
    every = report("small", "--markdown")
    assert "{#tbl:small-among-recovery}" in every
    assert "{#tbl:small-scores-utility}" in every


def test_the_command_in_a_table_gives_the_table(answered: Study) -> None:
    asked = ["--panel", "scores-utility", "--part", "setting=sample", "--only", "ada"]
    text = report("small", "--markdown", *asked)
    assert f"manage.py report small --markdown {' '.join(asked)}" in text
    assert "Subset: sample; only ada and judges" in text


def test_paragraphs_references_and_the_page_are_printed(answered: Study) -> None:
    assert "## Results" in report("small", "--paper")
    assert "\\section{Methods}" in report("small", "--paper", "latex")
    assert "@misc{krippendorff2011," in report("small", "--paper", "bibtex")
    assert report("small", "--html").startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["small", "--latex", "--panel", "nothing"], "no table nothing"),
        (["small", "--latex", "--part", "planet=mars"], "--part: KEY=NAME"),
        (["small", "--only", "nobody"], "no rater of that name"),
        (["some.zip", "--paper"], "not a bundle"),
        (["small", "--html", "--against", "small"], "--against"),
    ],
)
def test_what_cannot_be_printed_is_refused(
    answered: Study, arguments: list[str], reason: str
) -> None:
    with pytest.raises(CommandError, match=reason):
        report(*arguments)
