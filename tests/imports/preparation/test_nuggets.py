"""Nuggets of a query: proposed, accepted, part of its questions and of the recall of answers."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from annotation.answers.record import GivenAnswer, record_answers
from annotation.models import Block, Preparation, Question, Rater, Study
from estimates.data.bundles.reader import from_bundle
from estimates.data.database import from_database
from files.findings import Findings
from files.skipped import SkippedRecords
from imports.formats.own.jsonl import recorded_entries
from imports.material.storage import MaterialWriter
from imports.preparation.counts import preparation_counts
from imports.preparation.lists import reject
from imports.preparation.targets import lacking, list_of
from imports.preparation.units import NotPossible
from tests.imports.preparation.studies import ROUND, accepted, proposed
from tests.imports.small_files import import_lines, write_lines

pytestmark = pytest.mark.django_db
NUGGETS = [
    {"text": "It was built in 1911.", "importance": "vital"},
    {"text": "It is green.", "importance": "okay"},
]
FACTS = [nugget["text"] for nugget in NUGGETS]


@pytest.fixture
def bridges(tmp_path: Path) -> Study:
    """Two queries with a response each; the file gives nuggets of the second alone."""
    options = {"parts": ["importance", "nuggets"]}
    opening = {"title": "B", "blocks": [{"task_type": "importance", "options": options}]}
    records: list[dict[str, Any]] = [{"study": opening | {"rounds": [ROUND]}}]
    for number, given in enumerate(([], [{"text": "It is old.", "vital": True}])):
        source = {"key": f"b{number}", "query": "When was it built?", "nuggets": given}
        item = {"key": f"b{number}/a", "system": "Alder", "text": "It was built in 1911."}
        records.append({"source": source, "items": [item]})
    return import_lines(tmp_path, records)


def asked(study: Study, key: str) -> list[str]:
    nuggets: list[str] = study.units.get(key=key).questions.get().payload["nuggets"]
    return nuggets


def recall(study: Study) -> float:
    """Of one answer that finds the first nugget alone."""
    rater = Rater.objects.create(study=study, name="ann", kind="human", origin="imported")
    question = Question.objects.get(unit__key="b0/a")
    answer = {"claims": [{"claim": 0, "importance": "vital"}],
              "nuggets": [{"nugget": 0, "support": "supported"},
                          {"nugget": 1, "support": "not"}]}  # fmt: skip
    record_answers(rater=rater, given=[GivenAnswer(question, question.typed_answer(answer))])
    (measured,) = from_database(study).measured.values()
    assert measured.values["vital_nugget_recall"].tolist() == [1.0]
    assert measured.values["vital_missing"].tolist() == [0.0]
    (value,) = measured.values["nugget_recall"].tolist()
    return float(value)


def test_accepted_nuggets_are_asked_about_and_count_for_recall(
    bridges: Study, tmp_path: Path
) -> None:
    block = bridges.blocks.get()
    assert [target.key for target in lacking(block, name="nuggets")] == ["b0"]
    row = proposed(bridges, "b0", NUGGETS)
    assert asked(bridges, "b0/a") == []
    applied = accepted(row)
    assert (applied.made, applied.changed) == (0, 1)
    assert asked(bridges, "b0/a") == FACTS
    assert asked(bridges, "b1/a") == ["It is old."]
    assert bridges.units.get(key="b0/a").focus["prepared"]["nuggets"]["by"] == "person"
    assert recall(bridges) == 0.5
    call_command("export", "s", "--format", "bundle", "--out", str(tmp_path / "out"), verbosity=0)
    (bundle,) = (tmp_path / "out").rglob("*.zip")
    (measured,) = from_bundle(bundle)[1].measured.values()
    assert measured.values["nugget_recall"].tolist() == [0.5]


def test_a_response_written_later_is_asked_by_the_same_nuggets(
    bridges: Study, tmp_path: Path
) -> None:
    accepted(proposed(bridges, "b0", NUGGETS))
    source = {"key": "b0", "query": "When was it built?"}
    item = {"key": "b0/late", "system": "Birch", "text": "In 1812."}
    file = write_lines(tmp_path / "late.jsonl", [{"source": source, "items": [item]}])
    writer = MaterialWriter(bridges, Findings())
    for entry in recorded_entries(file, SkippedRecords()):
        writer.add(entry)
    writer.close()
    assert asked(bridges, "b0/late") == FACTS


def test_claims_and_nuggets_of_one_block_stand_side_by_side(bridges: Study) -> None:
    accepted(proposed(bridges, "b0", NUGGETS))
    accepted(proposed(bridges, "b0/a", ["It was built in 1911.", "It was built."]))
    focus = bridges.units.get(key="b0/a").focus
    assert (len(focus["claims"]), focus["nuggets"]) == (2, NUGGETS)
    assert set(focus["prepared"]) == {"claims", "nuggets"}
    assert asked(bridges, "b0/a") == FACTS


def test_without_accepted_nuggets_there_is_no_recall_which_is_said(bridges: Study) -> None:
    def row() -> dict[str, Any]:
        return next(row for row in preparation_counts(bridges) if row["list"] == "nuggets")

    assert (row()["missing"], row()["are_without"], row()["without"]) == (1, 1, "no recall")
    waiting = proposed(bridges, "b0", NUGGETS)
    assert (row()["missing"], row()["proposed"], row()["are_without"]) == (0, 1, 1)
    reject(preparation=waiting, version=waiting.version, by=None, now=timezone.now())
    assert (row()["missing"], row()["rejected"], row()["are_without"]) == (0, 1, 1)
    assert asked(bridges, "b0/a") == []
    accepted(proposed(bridges, "b0", NUGGETS))
    assert row()["are_without"] == 0


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        (["It is green."], "entries"),
        ([{"text": "It is green.", "importance": "less-important"}], "importance"),
        ([{"text": " ", "importance": "vital"}], "text: empty"),
        ([{"text": "x", "importance": "vital"}] * 151, "too many"),
    ],
)
def test_what_is_no_list_of_nuggets_is_not_proposed(
    bridges: Study, entries: Any, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        proposed(bridges, "b0", entries)
    assert not Preparation.objects.exists()


def test_what_has_nuggets_or_is_not_asked_for_any_gets_none(bridges: Study) -> None:
    with pytest.raises(NotPossible, match="it has its nuggets already"):
        proposed(bridges, "b1", NUGGETS)
    block: Block = bridges.blocks.get()
    block.options = block.options | {"parts": ["importance"]}
    block.save()
    with pytest.raises(ValueError, match="asked by no 'nuggets'"):
        list_of(block, "nuggets")
    with pytest.raises(NotPossible, match="claims of the response are prepared for each item"):
        proposed(bridges, "b0", NUGGETS)
