"""`check_table` as a program: what it prints, its exit status, and that it leaves nothing."""

import contextlib
import json
import os
import pty
import subprocess
import sys
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml
from django.conf import settings
from django.core.management import CommandError, call_command

from jurybox import __version__
from tests.label_table.tables import wide


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return wide(tmp_path, human_1="yynn" * 6, human_2="yynn" * 6, gpt="ynnn" * 6)


def output(table: Path, *options: str) -> str:
    out = StringIO()
    call_command("check_table", str(table), "--resamples", "0", *options, stdout=out)
    return out.getvalue()


def test_the_program_needs_no_database_and_leaves_nothing_behind(
    tmp_path: Path, table: Path
) -> None:
    data, temporary = tmp_path / "data", tmp_path / "tmp"
    temporary.mkdir()
    bar = ("--point", "--fail-under", "0.9", "--metric", "true_positive_rate", "--judge", "gpt")
    done = subprocess.run(
        [sys.executable, "manage.py", "check_table", str(table), *bar],
        cwd=settings.BASE_DIR,
        env={"PATH": os.environ["PATH"], "JURYBOX_DATA": str(data), "TMPDIR": str(temporary)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == ("CommandError: true_positive_rate of humans~gpt is 0.5000, below 0.9\n")
    assert "Can gpt stand in?: " in done.stdout
    assert not data.exists()
    assert list(temporary.iterdir()) == []


def test_text_names_figures_by_their_titles(table: Path) -> None:
    text = output(table, "--point", "--fail-under", "0.2")
    assert "Agreement of people\n" in text
    assert "Scorecard of gpt\n" in text
    assert "True positive rate " in text
    assert "Passed: krippendorff_alpha_nominal of humans~gpt is " in text


def test_json_has_every_estimate_and_the_status(table: Path) -> None:
    document = json.loads(output(table, "--json", "--point", "--fail-under", "0.2"))
    assert document["columns"]["judges"] == ["gpt"]
    assert document["status"] == 0
    assert [bar["raters"] for bar in document["bars"]] == ["humans", "humans~gpt"]
    assert {"doctor", "verdicts", "estimates"} <= document.keys()


def test_markdown_has_its_tables_and_marks_nothing_else(table: Path) -> None:
    text = output(table, "--markdown")
    assert "| figure | value | 95 % interval | n |" in text
    assert "human_1" in text


def test_junit_has_a_test_for_each_bar_and_each_verdict(table: Path) -> None:
    out = StringIO()
    with pytest.raises(CommandError) as caught:
        call_command(
            *("check_table", str(table), "--junit", "--point", "--fail-under", "0.9"),
            *("--resamples", "0"),
            stdout=out,
        )
    assert caught.value.returncode == 1
    suite = ET.fromstring(out.getvalue())
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("4", "1", "0")
    names = [
        case.get("name") for case in suite.iter("testcase") if case.find("failure") is not None
    ]
    assert names == ["krippendorff_alpha_nominal of humans~gpt"]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--metric", "pearson"), "--metric: needs --fail-under or --fail-over"),
        (("--epsilon", "2"), "--epsilon: must lie within 0 and 1"),
        (("--judge", "llama"), "no column or rater 'llama'"),
        (("--fail-under", "0.5", "--metric", "pearson"), "no pearson"),
    ],
)
def test_what_cannot_be_checked_ends_with_status_2(
    table: Path, options: tuple[str, ...], reason: str
) -> None:
    with pytest.raises(CommandError, match=reason) as caught:
        output(table, *options)
    assert caught.value.returncode == 2


def test_a_bar_is_held_against_the_worse_end_of_the_interval(table: Path) -> None:
    bar = ("--metric", "true_positive_rate", "--judge", "gpt", "--fail-under")
    with pytest.raises(CommandError) as caught:
        call_command("check_table", str(table), *bar, "0.45", stdout=StringIO())
    assert caught.value.returncode == 1  # 0.5 of 12, whose interval begins below
    assert "is 0.5000, the lower end of its interval 0." in str(caught.value)
    call_command("check_table", str(table), "--point", *bar, "0.45", stdout=StringIO())


def test_a_bar_without_an_interval_cannot_be_told(table: Path) -> None:
    with pytest.raises(CommandError, match="has no interval to hold against the bar") as caught:
        output(table, "--fail-under", "0.2")
    assert caught.value.returncode == 2


def test_options_are_kept_in_a_file_and_taken_from_it(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    output(table, "--judge", "gpt", "--save")
    written = (tmp_path / "jurybox.toml").read_text()
    assert 'judge = ["gpt"]' in written
    out = StringIO()
    call_command("check_table", "--json", stdout=out)  # no file is named
    document = json.loads(out.getvalue())
    assert (document["file"], document["columns"]["judges"]) == (str(table), ["gpt"])
    (tmp_path / "jurybox.toml").write_text("[check]\njugde = 1\n")
    with pytest.raises(CommandError, match="jugde: no option of check"):
        call_command("check_table", stdout=StringIO())


def test_open_questions_are_asked_on_a_terminal_until_one_of_the_choices_is_given(
    tmp_path: Path,
) -> None:
    rows = [f"q{n},{'pass' if n % 3 else 'fail'},pass" for n in range(12)]
    (tmp_path / "labels.csv").write_text("\n".join(["id,label,verdict", *rows]))

    def ask(typed: bytes) -> tuple[int, str]:
        ours, theirs = pty.openpty()
        os.write(ours, typed)
        process = subprocess.Popen(
            [sys.executable, "-m", "jurybox", "check", "--resamples", "0"],
            cwd=tmp_path,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(settings.BASE_DIR)},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        said = b""
        with contextlib.suppress(OSError):  # the end of a terminal
            while part := os.read(ours, 65_536):
                said += part
        os.close(ours)
        return process.wait(), said.decode()

    status, said = ask(b"9\nno\n1\n")
    assert status == 0, said
    assert said.count("1 to 2: ") == 3
    assert "people label; judges verdict" in said
    status, said = ask(b"\x04")  # Ctrl-D
    assert status == 2
    assert "--decide columns=rater (one person's each)" in said


def test_the_step_of_the_action_writes_a_summary_and_fails_below_the_bar(
    tmp_path: Path, table: Path
) -> None:
    action = yaml.safe_load((settings.BASE_DIR / "action.yml").read_text(encoding="utf-8"))
    assert action["inputs"]["version"]["default"] == __version__
    uvx = tmp_path / "uvx"  # which stands for the release
    program = f'exec "{sys.executable}" -m jurybox "$@"'
    uvx.write_text(f'#!/bin/sh\n[ "$1 $2 $3" = "--from jurybox-core==7 jurybox" ] || exit 9\n'
                   f"shift 3\n{program}\n")  # fmt: skip
    uvx.chmod(0o755)
    summary = tmp_path / "summary.md"

    def run(bar: str) -> int:
        told = {"FILES": str(table), "VERSION": "7", "GITHUB_STEP_SUMMARY": str(summary)}
        options = f"--judge gpt --point --metric true_positive_rate --fail-under {bar}"
        path = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": str(settings.BASE_DIR)}
        step = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"]
        command = action["runs"]["steps"][-1]["run"]
        env = {**told, **path, "ARGUMENTS": options}
        return subprocess.run([*step, command], env=env, check=False).returncode

    assert (run("0.9"), run("0.1")) == (1, 0)
    assert summary.read_text(encoding="utf-8").count("gpt") >= 2


def test_the_page_stands_alone_and_opens_the_texts_that_differ(tmp_path: Path) -> None:
    rows = ["id,output,human,judge"]
    rows += [f"q{n},<b>text {n}</b>,{'pass' if n % 2 else 'fail'},pass" for n in range(30)]
    table, page = tmp_path / "labels.csv", tmp_path / "report.html"
    table.write_text("\n".join(rows))
    output(table, "--html", str(page))
    written = page.read_text(encoding="utf-8")
    assert written.count("<details>") == 15  # every fail that the judge passes
    assert "&lt;b&gt;text 2&lt;/b&gt;" in written
    assert "<b>" not in written
    assert "src=" not in written
    assert "http" not in written
