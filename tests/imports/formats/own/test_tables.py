"""Any tables as a study: with answers, with texts, or with both."""

from pathlib import Path

import pytest

from annotation.models import Study
from imports.reading.model import Reading
from imports.reading.reading_files import reading_yaml
from tests.imports.tables import answers_of, import_files, write_table

pytestmark = pytest.mark.django_db

LONG = {
    "tables": [
        {
            "files": ["*"],
            "columns": [
                {"column": "doc", "holds": "source"},
                {"column": "by", "holds": "system"},
                {"column": "who", "holds": "rater"},
                {"column": "fluency", "holds": "answer", "at": {"criterion": "fluency"}},
            ],
        }
    ],
    "answers": [{"criterion": "fluency", "low": 1, "high": 5, "level": "ordinal"}],
}


def made(folder: Path, reading: object, *files: Path, **options: object) -> Study:
    path = folder / "reading.yaml"
    path.write_text(reading_yaml(Reading.model_validate(reading)), encoding="utf-8")
    return import_files("table", *files, reading=path, **options)


def test_a_reading_makes_a_study_with_results(tmp_path: Path) -> None:
    rows = ("d,a,ann,4", "d,a,bo,5", "d,b,bo,1")
    file = write_table(tmp_path / "t.csv", "doc,by,who,fluency", *rows)
    study = made(tmp_path, LONG, file)
    assert answers_of(study, "bo") == {
        "d/a": {"scores": {"fluency": 5}},
        "d/b": {"scores": {"fluency": 1}},
    }
