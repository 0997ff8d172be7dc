"""Any tables as a study: with answers, with texts, or with both."""

from copy import deepcopy
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import CommandError, call_command

from annotation.models import Annotation, Item, Question, Rater, Source, Study, Unit
from files.reading.model import Reading
from files.reading.reading_files import reading_yaml
from imports.formats.contract import FormatInput
from imports.sandbox.limits import Limits
from imports.studies.importing import import_study
from tests.imports.tables import answers_of, import_files, write_table

pytestmark = pytest.mark.django_db

LONG: dict[str, Any] = {
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


def made(folder: Path, reading: object, *files: Path, **options: Any) -> Study:
    path = folder / "reading.yaml"
    path.write_text(reading_yaml(Reading.model_validate(reading)), encoding="utf-8")
    return import_files("table", *files, reading=path, **options)


LONG_ROWS = ("doc,by,who,fluency", "d,a,ann,4", "d,a,bo,5", "d,b,bo,1")


def test_a_reading_makes_a_study_with_results(tmp_path: Path) -> None:
    study = made(tmp_path, LONG, write_table(tmp_path / "t.csv", *LONG_ROWS))
    assert answers_of(study, "bo") == {
        "d/a": {"scores": {"fluency": 5}},
        "d/b": {"scores": {"fluency": 1}},
    }
    (facet,) = study.blocks.get().facets
    assert (facet.name, facet.distance, facet.low, facet.high) == ("fluency", "ordinal", 1, 5)


def test_the_study_keeps_its_reading_which_reads_the_next_delivery(tmp_path: Path) -> None:
    first = made(tmp_path, LONG, write_table(tmp_path / "t.csv", *LONG_ROWS))
    rows = ("fluency,who,doc,by", "2,cy,d,a")
    second = made(
        tmp_path, first.imported["reading"], write_table(tmp_path / "u.csv", *rows), slug="second"
    )
    assert answers_of(second, "cy") == {"d/a": {"scores": {"fluency": 2}}}


def test_a_file_that_leaves_nothing_open_needs_no_reading(tmp_path: Path) -> None:
    rows = [
        f"d{d},{system},{rater},A text of {system} about {d}.,{(d + r) % 5 + 1}"
        for d in range(6)
        for system in ("larch", "birch")
        for r, rater in enumerate(("ann", "bo", "cy"))
    ]
    file = write_table(tmp_path / "t.csv", "document_id,system,annotator,output,rating", *rows)
    study = import_files("table", file)
    assert (study.units.count(), study.raters.count(), study.annotations.count()) == (12, 3, 36)
    assert set(study.items.values_list("system", flat=True)) == {"larch", "birch"}


def test_an_open_question_stops_the_import_with_the_options_that_decide_it(tmp_path: Path) -> None:
    rows = [f"t{n},{n % 3},{(n + 1) % 3},{n % 2}" for n in range(12)]
    file = write_table(tmp_path / "t.csv", "item,ada,bob,cleo", *rows)
    with pytest.raises(CommandError) as caught:
        import_files("table", file)
    assert caught.value.returncode == 2
    assert "--decide" in str(caught.value)
    assert not Study.objects.exists()


def test_showing_a_reading_imports_nothing(tmp_path: Path) -> None:
    reading = tmp_path / "reading.yaml"
    reading.write_text(reading_yaml(Reading.model_validate(LONG)), encoding="utf-8")
    file, out = write_table(tmp_path / "t.csv", *LONG_ROWS), StringIO()
    call_command(
        "import_study", "table", str(file), slug="s", reading=reading, show_reading=True, stdout=out
    )
    printed = out.getvalue()
    assert "#   d/a · a · ann · fluency · 4" in printed
    assert Reading.model_validate(yaml.safe_load(printed)) == Reading.model_validate(LONG)
    assert not Study.objects.exists()


SHORT = ("doc,system,annotator,rating", *(f"d{n},oak,{'ann' if n % 3 else ''},4" for n in range(9)))
NOBODY = (
    "doc,system,annotator,rating",
    *(f"d{n},oak,{'' if n % 3 else 'ann'},4" for n in range(9)),
)


@pytest.mark.parametrize(
    ("rows", "refused"),
    [
        (NOBODY, "`annotator` is empty beside 6 of the 9 answers"),
        ((*SHORT, "", "system,mean", "oak,4"), "the file seems to hold two tables"),
    ],
)
def test_a_refused_file_leaves_nothing_behind(
    rows: tuple[str, ...], refused: str, tmp_path: Path
) -> None:
    with pytest.raises(CommandError, match=refused):
        import_files("table", write_table(tmp_path / "t.csv", *rows))
    models = (Study, Source, Item, Unit, Question, Rater, Annotation)
    assert not any(model._default_manager.exists() for model in models)


PAIRS = """
tables:
- files: ["*"]
  columns:
  - {column: doc, holds: source}
  - {column: who, holds: rater}
  - {column: a, holds: system, at: {position: 1}}
  - {column: b, holds: system, at: {position: 2}}
  - {column: better, holds: answer}
  - {column: also, holds: kept, of: answer}
  - {column: age, holds: kept, of: rater}
answers:
- {criterion: "", form: choice, words: {a: 1, b: 2, same: tie}}
"""


def test_choices_are_comparisons_of_two_in_the_order_shown(tmp_path: Path) -> None:
    rows = ("d,ann,oak,elm,a,x,30", "d,bo,elm,oak,a,y,40", "e,ann,oak,elm,same,z,30")
    file = write_table(tmp_path / "t.csv", "doc,who,a,b,better,also,age", *rows)
    study = made(tmp_path, yaml.safe_load(PAIRS), file)
    assert study.blocks.get().task_type_slug == "pairwise"
    assert answers_of(study, "ann")["d/elm~oak"] == {"preferred": {"preference": "first"}}
    assert answers_of(study, "bo") == {"d/elm~oak": {"preferred": {"preference": "second"}}}
    focus = dict(study.units.values_list("key", "focus"))
    assert focus["d/elm~oak"] == {"order": [0, 1], "order_known": False}
    assert focus["e/elm~oak"] == {"order": [0, 1]}
    assert study.annotations.get(rater__name="bo").metadata == {"also": "y"}
    assert study.raters.get(name="bo").metadata == {"age": 40}


def test_judges_on_another_scale_have_a_block_of_their_own(tmp_path: Path) -> None:
    reading = """
tables:
- files: ["*"]
  columns:
  - {column: doc, holds: source}
  - {column: ann, holds: answer, at: {rater: ann}}
  - {column: metric, holds: answer, at: {rater: metric}, kind: judge}
answers:
- {criterion: ""}
"""
    file = write_table(tmp_path / "t.csv", "doc,ann,metric", "d,1,0.31", "e,4,0.72", "f,5,0.9")
    study = made(tmp_path, yaml.safe_load(reading), file)
    assert [block.key for block in study.blocks.order_by("position")] == ["rating", "score"]


def test_criteria_that_are_questions_are_asked_in_their_words(tmp_path: Path) -> None:
    question = "Is the text that you see above fluent in every respect?"
    reading = yaml.safe_load(f"""
tables:
- files: ["*"]
  columns:
  - {{column: doc, holds: source}}
  - {{column: who, holds: rater}}
  - {{column: "{question}", holds: answer, at: {{criterion: "{question}"}}}}
answers:
- {{criterion: "{question}", words: {{"2: Yes": 2, "1: In part": 1, "0: No": 0, "N/A": null}}}}
""")
    rows = ("d,ann,2: Yes", "d,bo,0: No", "e,ann,N/A", "e,bo,1: In part")
    study = made(tmp_path, reading, write_table(tmp_path / "t.csv", f"doc,who,{question}", *rows))
    (criterion,) = study.blocks.get().options["criteria"]
    assert criterion["question"] == question
    assert [point["value"] for point in criterion["points"]] == [0, 1, 2]
    assert study.annotations.count() == 3


def test_accounts_of_crowdworkers_get_other_names(tmp_path: Path) -> None:
    reading = deepcopy(LONG)
    reading["tables"][0]["columns"][2]["column"] = "WorkerId"
    rows = ("d,a,A1B2C3D4E5F6G7,4", "d,a,A2B2C3D4E5F6G7,5")
    file = write_table(tmp_path / "t.csv", "doc,by,WorkerId,fluency", *rows)
    study = made(tmp_path, reading, file)
    assert set(study.raters.values_list("name", flat=True)) == {"rater-1", "rater-2"}


def test_texts_without_answers_are_a_draft_where_it_is_said_what_is_asked(tmp_path: Path) -> None:
    reading = """
tables:
- files: ["*"]
  columns:
  - {column: q, holds: query}
  - {column: oak, holds: text, at: {system: oak}}
  - {column: elm, holds: text, at: {system: elm}}
"""
    file = write_table(tmp_path / "t.csv", "q,oak,elm", "Why?,So.,Because.", "Who?,Me.,You.")
    study = made(tmp_path, yaml.safe_load(reading), file, task_type="likert")
    assert study.units.count() == 4
    assert set(study.items.values_list("system", flat=True)) == {"oak", "elm"}
    pairs = made(tmp_path, yaml.safe_load(reading), file, task_type="pairwise", slug="pairs")
    assert pairs.units.count() == 2
    with pytest.raises(CommandError, match="say what is asked about their texts") as asked:
        made(tmp_path, yaml.safe_load(reading), file, slug="untold")
    assert asked.value.returncode == 2


def test_claims_without_texts_are_a_draft_of_sources(tmp_path: Path) -> None:
    long = "So it is. " * 1_000
    rows = [
        f'c{n},{"" if n == 2 else claim},false,"[""It flooded in {n}."", ""It was dry.""]"'
        for n, claim in enumerate(("The mill burned.", long, "", "The mill burned."))
    ]
    file = write_table(tmp_path / "t.csv", "claim_id,claim,verdict,evidence", *rows)
    study = import_files("table", file, task_type="importance")
    sources = study.sources.order_by("key")
    assert [row.key for row in sources] == ["c0", "c1", "c3"]
    assert sources[1].material.claim == long.strip()
    assert [p.text for p in sources[0].material.passages] == ["It flooded in 0.", "It was dry."]
    assert (study.items.count(), study.units.count()) == (0, 0)


def test_claims_that_may_be_texts_stop_the_import_with_the_options(tmp_path: Path) -> None:
    rows = [f"Did the mill number {n} burn down?,A fire was seen at mill {n}." for n in range(4)]
    file = write_table(tmp_path / "t.csv", "question,passage", *rows)
    with pytest.raises(CommandError, match="--decide texts=unwritten") as asked:
        import_files("table", file, task_type="importance")
    assert asked.value.returncode == 2
    decided = ["texts=unwritten"]
    study = import_files("table", file, task_type="importance", decided=decided)
    assert (study.sources.exclude(query="").count(), study.items.count()) == (4, 0)


def test_choices_beside_ratings_of_single_outputs_are_two_studies(tmp_path: Path) -> None:
    reading = yaml.safe_load(PAIRS)
    reading["tables"][0]["columns"].append(
        {"column": "good", "holds": "answer", "at": {"criterion": "good", "position": "1"}}
    )
    reading["answers"].append({"criterion": "good"})
    file = write_table(tmp_path / "t.csv", "doc,who,a,b,better,also,age,good", "d,x,oak,elm,a,,,3")
    with pytest.raises(CommandError, match="import them as two studies"):
        made(tmp_path, reading, file)


def test_a_folder_of_equal_files_is_one_study(tmp_path: Path) -> None:
    folder = tmp_path / "sheets"
    folder.mkdir()
    for rater in ("ann", "bo"):
        write_table(folder / f"{rater}.csv", "doc,by,fluency", "d,a,4", "d,b,5")
    reading = deepcopy(LONG)
    del reading["tables"][0]["columns"][2]
    reading["tables"][0]["names"] = [{"of": "file", "says": "rater", "pattern": "(.*)[.]csv"}]
    study = made(tmp_path, reading, folder)
    assert set(study.raters.values_list("name", flat=True)) == {"ann", "bo"}
    assert [file["name"] for file in study.imported["files"]] == ["ann.csv", "bo.csv"]


def test_any_tables_are_read_in_a_process_of_their_own(tmp_path: Path) -> None:
    file = write_table(tmp_path / "t.csv", *LONG_ROWS)
    study, _ = import_study(
        format_name="table",
        format_input=FormatInput(files=[file], reading=Reading.model_validate(LONG)),
        slug="apart",
        limits=Limits.waited_for(),
    )
    assert study.annotations.count() == 3
    assert study.imported["reading"]["answers"]


def test_cells_off_the_scale_are_left_out_one_by_one(tmp_path: Path) -> None:
    file = write_table(tmp_path / "t.csv", *LONG_ROWS, "d,a,cy,9", "d,b,cy,x", "d,b,dee,2")
    study = made(tmp_path, LONG, file)
    assert study.annotations.count() == 4
    assert study.imported["counts"]["parts_skipped"] == 2
