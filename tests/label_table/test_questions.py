"""What a file that nobody explained is taken for, and what is asked."""

from pathlib import Path

import pytest

from label_table.check import Check
from tests.label_table.tables import checked, checks, refused, value, write_table


def test_a_question_is_decided_by_the_option_that_it_names(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("id,Ada B,Bo C\n1,y,n\n2,y,y\n3,n,n\n")
    assert refused(path) == (
        "labels.csv: question: What do the columns `Ada B`, `Bo C` stand for? --decide "
        "columns=rater (who answered); --decide columns=criterion (criteria); --decide "
        "columns=system (systems)"
    )
    decided = checked(path, decided={"columns": "rater"})
    assert decided.table.columns.humans == ("Ada B", "Bo C")


def test_labels_that_nobody_is_said_to_have_given_are_not_checked(tmp_path: Path) -> None:
    path = write_table(tmp_path, "id category", *(f"u{at} {'xyz'[at % 3]}" for at in range(30)))
    with pytest.raises(Exception, match=r"answers|who else gave labels"):
        checked(path)


# Files and the flags with which they are read -> α by criterion, as the notes of the data have it.
AS_PUBLISHED = {
    "asset-sliders/human_ratings.csv.gz": {
        "fluency": 0.561,
        "meaning": 0.587,
        "simplicity": 0.435,
    },
    "data2text-mturk-xlsx/Coherence.xlsx": {"": 0.133},
    "explanations-multiselect/commonsenseqa_test.csv": {"": 0.401},
    "pandalm/testset-v1.json": {"": 0.864},
}


@pytest.mark.parametrize("name", AS_PUBLISHED)
def test_published_files_give_the_figures_of_their_notes(name: str, shared_data: Path) -> None:
    (path,) = _published(shared_data, name)
    found = {check.table.criterion: round(_alpha(check), 3) for check in checks(path)}
    assert found == AS_PUBLISHED[name]


@pytest.mark.parametrize(
    "pattern",
    [
        "definitions-qualtrics/terms.json",
        "definitions-qualtrics/definitions.json",
        "mslr-medical/sample3*.tsv",
        "realsumm-pyramid/SCUs_list.csv",
        "summeval-op/summeval-op.jsonl",
    ],
)
def test_no_published_file_gets_a_verdict_on_what_is_nobody_s(
    pattern: str, shared_data: Path
) -> None:
    (path,) = _published(shared_data, pattern)
    assert "name" in refused(path) or "--decide" in refused(path)


def _alpha(check: Check) -> float:
    alpha = value(check, "humans", f"krippendorff_alpha_{check.facet.distance}")
    assert alpha is not None
    return alpha


def _published(folder: Path, pattern: str) -> list[Path]:
    found = list((folder / "as-published").glob(pattern))
    if not found:
        pytest.skip(f"no {pattern} among the published files")
    return found
