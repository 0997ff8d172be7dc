"""What a file that nobody explained is proposed to be taken for."""

from pathlib import Path

import pytest

from tests.label_table.tables import checked, refused, value, write_table

TURK = "HITId WorkerId Last30DaysApprovalRate Input.code Input.system1 Answer.best Answer.worst"


def test_an_export_of_mechanical_turk_is_known_and_its_roles_are_proposed(tmp_path: Path) -> None:
    rows = [(unit, worker) for unit in range(4) for worker in range(3)]
    lines = [f"h{u} w{w} 1 c{u} x {'AB'[(u + w) % 2]} {'BA'[(u + w) % 2]}" for u, w in rows]
    path = write_table(tmp_path, TURK, *lines)
    assert refused(path) == (
        "labels.csv:1: columns: it is unclear which column has the labels; looks like a Mechanical "
        "Turk export: go on with --unit Input.code --rater WorkerId --label Answer.best (or "
        "another one: Answer.worst)"
    )
    check = checked(path, unit="Input.code", rater="WorkerId", label="Answer.best")
    assert len(check.table.raters) == 3


def test_an_export_without_workers_says_what_is_lacking(tmp_path: Path) -> None:
    lines = ("a p n", "a n n", "b p p")
    path = write_table(tmp_path, "Input.id Answer.S1 Answer.S2", *lines)
    assert refused(path) == (
        "labels.csv:1: columns: it is unclear which raters are people; looks like a "
        "Mechanical Turk export "
        "without workers: number those of each item in a column WORKER and go on with --unit "
        "Input.id --rater WORKER --label Answer.S1 (or another one: Answer.S2)"
    )


def test_names_with_blanks_are_quoted_and_many_are_cut(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("id,Ada B,Bo C\n1,y,n\n2,y,y\n3,n,n\n")
    assert "--human 'Ada B' 'Bo C'" in refused(path)
    names = " ".join(f"p{at}" for at in range(40))
    path = write_table(tmp_path, f"id {names}", *(f"u{at} {' '.join('yn' * 20)}" for at in "abc"))
    assert " p11 …, or name other columns" in refused(path)


def test_rows_of_people_are_no_labels(tmp_path: Path) -> None:
    path = write_table(tmp_path, "observer u1 u2 u3", "A 1 2 3", "B 1 2 3", "C 1 3 3")
    assert "observer comes once each: rows must be units or labels, not people" in refused(path)


AS_PUBLISHED = {
    "asset-sliders/asset_pairwise*.csv": "--rater worker_id --label winner",
    "asset-sliders/human_ratings.csv.gz": "--unit original_sentence_id --rater worker_id",
    "data2text-mturk-xlsx/Batch*.xlsx": "--unit Input.code --rater WorkerId --label Answer.best_co",
    "definitions-qualtrics/iaa.xlsx": "--unit item --human 001 002 003",
    "explanations-multiselect/fine_grained_cose.csv": "a Mechanical Turk export without workers",
    "mslr-medical/pilot/*A2.tsv": "it is unclear which raters are people",
    "mslr-medical/sample3*.tsv": "it is unclear which raters are people",
    "realsumm-pyramid/abs/banditsumm_out.csv": "a Mechanical Turk export without workers",
}


@pytest.mark.parametrize("pattern", AS_PUBLISHED)
def test_no_published_file_gets_a_verdict_on_columns_that_are_no_people(
    pattern: str, shared_data: Path
) -> None:
    (path,) = _published(shared_data, pattern)
    assert AS_PUBLISHED[pattern] in refused(path)


def test_what_is_proposed_of_a_published_file_is_right(shared_data: Path) -> None:
    (path,) = _published(shared_data, "data2text-mturk-xlsx/Batch*.xlsx")
    check = checked(path, unit="Input.code", rater="WorkerId", label="Answer.best_coh")
    # The note of the data: three workers for each of 50 pairs, 51 in all.
    assert (len(check.table.units), len(check.table.raters)) == (50, 51)
    alpha = value(check, "humans", "krippendorff_alpha_nominal")
    assert alpha == pytest.approx(0.0306, abs=5e-5)


def _published(folder: Path, pattern: str) -> list[Path]:
    found = list((folder / "as-published").glob(pattern))
    if not found:
        pytest.skip(f"no {pattern} among the published files")
    return found
