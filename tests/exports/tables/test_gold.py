"""Gold answers leave with the data: as a column, and as a file with everything about them."""

import json
import zipfile
from pathlib import Path

import pytest
from django.utils import timezone

from annotation.models import GoldAnswer, Study, User
from estimates.data.bundles.files import BundleError
from estimates.data.bundles.reader import from_bundle
from exports.files import write_export
from exports.tables.gold import gold_lines
from tests.cast import make_study
from tests.results.answers import disagree, questions


@pytest.fixture
def decided(study: Study, owner: User) -> Study:
    """Two people and a judge; the first question was decided twice."""
    disagree(study)
    first = questions(study)[0]
    old = GoldAnswer.objects.create(
        study=study,
        question=first,
        answer={"sentences": [1]},
        by=owner,
        superseded_at=timezone.now(),
    )
    GoldAnswer.objects.create(
        study=study,
        question=first,
        answer={"sentences": [0, 2]},
        reason="Both say so.",
        by=owner,
        blind=False,
        supersedes=old,
    )
    return study


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_the_labelled_dataset_has_a_column_of_gold(decided: Study, tmp_path: Path) -> None:
    write_export(study=decided, format_name="dataset", folder=tmp_path)
    rows = lines(tmp_path / "dataset.jsonl")
    gold = [row["gold"] for row in rows if row["facet"] == "recovery"]
    assert gold == [[0, 2], None, None]


def test_every_decision_is_in_a_file_with_its_reason(decided: Study, tmp_path: Path) -> None:
    write_export(study=decided, format_name="jsonl", folder=tmp_path)
    first, second = lines(tmp_path / "gold.jsonl")
    assert (first["answer"], first["current"]) == ({"sentences": [1]}, False)
    assert (second["answer"], second["current"]) == ({"sentences": [0, 2]}, True)
    assert (second["reason"], second["blind"], second["adjudicator"]) == ("Both say so.", False, 1)
    assert "owner" not in (tmp_path / "gold.jsonl").read_text(encoding="utf-8")
    assert "gold.jsonl" in (tmp_path / "README-jsonl.txt").read_text(encoding="utf-8")


def test_a_bundle_vouches_for_its_gold_and_is_read_with_and_without(
    decided: Study, tmp_path: Path
) -> None:
    (path,) = write_export(study=decided, format_name="bundle", folder=tmp_path)
    from_bundle(path)
    broken = tmp_path / "broken.zip"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(broken, "w") as new:
        for name in old.namelist():
            new.writestr(name, b"{}" if name.endswith("gold.jsonl") else old.read(name))
    with pytest.raises(BundleError, match=r"gold\.jsonl: not as it was exported"):
        from_bundle(broken)
    GoldAnswer.objects.all().delete()
    (path,) = write_export(study=decided, format_name="bundle", folder=tmp_path)
    with zipfile.ZipFile(path) as archive:
        assert not [name for name in archive.namelist() if name.endswith("gold.jsonl")]
    from_bundle(path)


def test_only_decisions_of_the_study_are_written_with_times_in_whole_seconds(
    decided: Study, owner: User
) -> None:
    other = make_study("other")
    GoldAnswer.objects.create(study=other, question=questions(other)[0], answer={}, by=owner)
    written = [json.loads(line) for line in gold_lines(decided)]
    assert [line["current"] for line in written] == [False, True]
    assert not any("." in line["decided_at"] for line in written)
