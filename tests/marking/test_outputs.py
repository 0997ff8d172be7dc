from pathlib import Path

import pytest

from marking.outputs import Outputs
from marking.plans import Plan
from tests.marking.files import marked_study, some_verdicts, write_table
from tests.marking.people import come, mark_batch

pytestmark = pytest.mark.django_db


def test_news_come_once_with_new_marks_and_files_are_kept_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("marking.outputs.PAUSE_S", 0)
    path = write_table(tmp_path / "results.csv", some_verdicts(40))
    study = marked_study(path, Plan(texts=30))
    outputs = Outputs(study, path, tmp_path)
    assert list(outputs.news()) == []
    mark_batch(come(study, 1), lambda _member, _unit: "pass")
    (line,) = outputs.news()
    assert line.startswith("15 marks: “verdict” says what a person says on ")
    assert "more texts give ±" in line
    assert len((tmp_path / "labels.csv").read_text().splitlines()) == 16
    assert list(outputs.news()) == []


def test_a_report_that_cannot_be_written_ends_nothing(tmp_path: Path) -> None:
    path = write_table(tmp_path / "results.csv", some_verdicts(40))
    study = marked_study(path, Plan(texts=30))
    (line,) = Outputs(study, path, tmp_path / "gone").news()
    assert line == "The report could not be written: No such file or directory"
