"""Files of human evaluations as their authors published them: none shows a wrong text."""

from pathlib import Path

import pytest
from django.core.management import CommandError

from annotation.models import Study
from tests.imports.tables import import_files

pytestmark = pytest.mark.django_db


@pytest.fixture
def published(shared_data: Path) -> Path:
    folder = shared_data / "as-published"
    if not folder.is_dir():
        pytest.skip("no files as published in ../shared/data beside this checkout")
    return folder


def column_map(folder: Path, text: str) -> Path:
    path = folder / "map.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "name", ["pandalm/testset-v1.json", "definitions-qualtrics/definitions.json"]
)
def test_an_array_of_several_texts_asks_which_is_the_output(published: Path, name: str) -> None:
    with pytest.raises(CommandError, match="which of these fields holds the outputs") as asked:
        import_files("huggingface", published / name)
    assert asked.value.returncode == 2
    assert not Study.objects.exists()


@pytest.mark.parametrize("name", ["summeval-op.jsonl", "summeval-op-detailed.jsonl"])
def test_all_systems_in_one_cell_are_no_text(published: Path, name: str, tmp_path: Path) -> None:
    columns = column_map(tmp_path, "text: summaries\ndocument: reviews\n")
    path = published / "summeval-op" / name
    with pytest.raises(CommandError, match=r"13.*the same in all 32 rows: are these the systems"):
        import_files("table", path, task_type="likert", columns=columns)


def test_a_file_of_judgements_makes_one_unit_of_each_text(published: Path, tmp_path: Path) -> None:
    """Three people judged each of 250 explanations."""
    (path,) = (published / "explanations-multiselect").glob("*_cose.csv")
    columns = column_map(tmp_path, "text: Input.explanation\nquery: Input.question\n")
    study = import_files("table", path, task_type="likert", columns=columns)
    assert study.units.count() == 250
    (told,) = study.imported["odd"]["rows_gathered"]
    assert "each text stands 3 times: 250 texts in 750 rows" in told


def test_ratings_of_one_text_by_many_make_one_unit(published: Path, tmp_path: Path) -> None:
    columns = column_map(tmp_path, "text: simplification\ndocument: original\n")
    path = published / "asset-sliders" / "human_ratings.csv.gz"
    study = import_files("table", path, task_type="likert", columns=columns)
    assert study.units.count() == 100


def test_a_file_of_pairs_makes_no_others(published: Path, tmp_path: Path) -> None:
    columns = column_map(tmp_path, "text: A\nsystem: sys_a\ndocument: target\nsource: review_id\n")
    (path,) = (published / "mslr-medical").glob("sample3*.tsv")
    with pytest.raises(CommandError, match="A and B stand in one row") as asked:
        import_files("table", path, task_type="pairwise", columns=columns)
    assert asked.value.returncode == 2
