"""Datasets as the library `datasets` writes and counts them."""

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError

from annotation.models import Study
from exports.files import write_export
from tests.imports.small_files import write_lines
from tests.imports.tables import answers_of, import_files, refusal, skipped

pytestmark = pytest.mark.django_db

FOREIGN = Path(__file__).parents[1] / "foreign"
FOLDER = FOREIGN / "huggingface"
YES_NO = ("yes", "no", "yes")
# Of the column `verdict`, by the names of its classes, once the library has loaded it again.
VERDICTS = {"supported": 2, "refuted": 1, "unclear": 1}
CARD = """\
---
dataset_info:
  features:
  - {name: text, dtype: string}
  - name: mood
    dtype: {class_label: {names: {'0': sad, '1': glad}}}
---
"""


def folder_of(folder: Path, *rows: Any, card: str = CARD) -> Path:
    (folder / "README.md").write_text(card, encoding="utf-8")
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "train.jsonl").write_text(lines, encoding="utf-8")
    return folder


def test_named_classes_are_the_labels_that_the_library_counts() -> None:
    study = import_files("huggingface", FOLDER)
    verdicts = [
        answer["scores"]["verdict"]
        for key, answer in answers_of(study, "labels").items()
        if key.endswith(" verdict")
    ]
    assert Counter(verdicts) == VERDICTS
    assert study.units.count() == 4
    item = study.items.get(key="1")
    assert (item.system, item.sentences[0]["text"]) == ("larch", "It sails at nine.")
    assert study.sources.get(key="1").query == "Does the ferry sail?"


def test_several_classes_of_a_row_are_questions_of_yes_and_no() -> None:
    study = import_files("huggingface", FOLDER)
    answers = answers_of(study, "labels")
    assert [answers[f"3 {n}"]["scores"][n] for n in ("vague", "short")] == ["yes", "yes"]
    assert [answers[f"{n} vague"]["scores"]["vague"] for n in (1, 2)] == ["yes", "no"]
    assert study.imported["counts"]["length_not_imported"] == 4


def test_a_card_names_the_classes_of_lines_of_json(tmp_path: Path) -> None:
    rows = [{"text": "It runs.", "mood": 1}, {"text": "It rains.", "mood": 0}, {"text": "So."}]
    study = import_files("huggingface", folder_of(tmp_path, *rows), keep_names=True)
    assert answers_of(study, "labels") == {
        "1": {"scores": {"mood": "glad"}},
        "2": {"scores": {"mood": "sad"}},
    }


def test_the_default_configuration_of_the_card_is_read(tmp_path: Path) -> None:
    configs = "---\nconfigs:\n- {config_name: a, data_files: other.jsonl}\n"
    configs += "- {config_name: b, default: true, data_files: [{split: x, path: tr*.jsonl}]}\n---\n"
    folder = folder_of(tmp_path, {"text": "It runs."}, card=configs)
    (folder / "other.jsonl").write_text('{"text": "Other."}\n{"text": "Two."}\n', encoding="utf-8")
    assert import_files("huggingface", folder).units.count() == 1


def test_of_several_texts_none_is_guessed_to_be_the_output(tmp_path: Path) -> None:
    row = {"app": "A checker", "instruction": "Mend it.", "left": "Mended.", "right": "It is."}
    folder = folder_of(tmp_path, row, row | {"app": "Another"})
    with pytest.raises(CommandError) as asked:
        import_files("huggingface", folder)
    assert asked.value.returncode == 2
    assert "which of these fields holds the outputs? app, left, right (say it with --text" in str(
        asked.value
    )
    assert not Study.objects.exists()
    study = import_files("huggingface", folder, text="left")
    assert {item.sentences[0]["text"] for item in study.items.all()} == {"Mended."}
    assert {source.query for source in study.sources.all()} == {"Mend it."}
    assert study.imported["counts"]["right_not_imported"] == 2


def test_the_only_text_is_the_output_but_not_another_one_in_a_later_row(tmp_path: Path) -> None:
    rows = [{"review": "It runs.", "stars": 3}, {"review": "It rains.", "stars": None}]
    study = import_files("huggingface", folder_of(tmp_path, *rows))
    assert study.units.count() == 2
    with pytest.raises(CommandError, match="review, remark"):
        import_files("huggingface", folder_of(tmp_path, *rows, {"remark": "So."}), slug="t")


@pytest.mark.parametrize("text", ["", "summaries"])
def test_an_object_in_a_text_is_no_output(tmp_path: Path, text: str) -> None:
    row = {"summaries": json.dumps({"larch": {"fluency": 4.3}}), "document": "A report."}
    folder = folder_of(tmp_path, row, row)
    assert "summaries: 1 key (larch) (a cell" in refusal("huggingface", folder, text=text)


def test_with_a_kind_of_question_rows_are_items_to_ask_about(tmp_path: Path) -> None:
    columns = tmp_path / "map.yaml"
    columns.write_text("{text: answer, query: question, item: id, system: model}")
    study = import_files("huggingface", FOLDER, task_type="likert", columns=columns)
    assert study.items.count() == 4
    assert not study.annotations.exists()


def test_with_a_map_of_columns_their_numbers_are_ratings(tmp_path: Path) -> None:
    columns = tmp_path / "map.yaml"
    columns.write_text("{item: id, text: answer, raters: {a: {clarity: length}}}")
    study = import_files("huggingface", FOLDER, columns=columns)
    values = [answer["value"] for answer in answers_of(study, "a").values()]
    assert values == [0.9, 0.2, 0.5, 0.7]


def test_a_class_without_a_name_is_skipped_and_listed(tmp_path: Path) -> None:
    rows = [{"text": f"Text {n}.", "mood": mood} for n, mood in enumerate((1, 0, 7, 1))]
    (reason,) = skipped("huggingface", folder_of(tmp_path, *rows))
    assert reason.endswith("train.jsonl:3: mood: '7' is none of 2 classes (sad, glad)")


def test_what_is_no_dataset_is_refused(tmp_path: Path) -> None:
    assert "a folder without files of this format" in refusal("huggingface", tmp_path)
    card = "---\nconfigs:\n- {config_name: a, data_files: x-*.parquet}\n---\n"
    folder = folder_of(tmp_path, {"text": "It runs."}, card=card)
    assert "configs: no file here is x-*.parquet" in refusal("huggingface", folder)
    table = tmp_path / "rows.csv"
    table.write_text("text\nIt runs.\n", encoding="utf-8")
    assert "columns of a CSV have no types" in refusal("huggingface", table)
    broken = tmp_path / "broken" / "train.parquet"
    broken.parent.mkdir()
    shutil.copy(next(FOLDER.rglob("*.parquet")), broken)
    broken.write_bytes(broken.read_bytes()[:500])
    assert "no Parquet file that can be read" in refusal("huggingface", broken)


@pytest.mark.parametrize(
    ("format_name", "file"),
    [("argilla", FOREIGN / "argilla"), ("qags", None)],
)
def test_a_published_study_comes_back_with_its_ratings_and_texts(
    format_name: str, file: Path | None, tmp_path: Path
) -> None:
    votes = [{"worker_id": worker, "response": answer} for worker, answer in enumerate(YES_NO)]
    sentences = [{"sentence": text, "responses": votes} for text in ("It sails.", "At nine.")]
    line = {"article": "The ferry sails at nine.", "summary_sentences": sentences}
    lines = write_lines(tmp_path / "votes.jsonl", [line])
    study = import_files(format_name, file or lines)
    folder = tmp_path / "out"
    write_export(study=study, format_name="huggingface", folder=folder)
    again = import_files("huggingface", folder, slug="again")
    # A unit without answers has no row in the dataset.
    answered = set(again.units.values_list("key", flat=True))
    texts = ("unit_items__item__sentences", "source__query", "source__document")
    shown = [
        sorted(map(str, s.units.filter(key__in=answered).values_list("key", *texts)))
        for s in (study, again)
    ]
    assert shown[0] == shown[1]
    assert answered == set(study.annotations.values_list("question__unit__key", flat=True))
    values = ("rater__name", "question__unit__key", "question__block__key", "answer")
    stored = [sorted(map(str, s.annotations.values_list(*values))) for s in (study, again)]
    assert stored[0] == stored[1]


def test_a_file_that_only_looks_like_a_published_study_is_refused(tmp_path: Path) -> None:
    for name in ("labels.parquet", "ratings.parquet"):
        shutil.copy(next(FOLDER.rglob("*.parquet")), tmp_path / name)
    assert "this is no dataset that Jurybox published" in refusal(
        "huggingface", tmp_path / "labels.parquet", tmp_path / "ratings.parquet"
    )
