"""Prepared lists: who may change them, and what becomes of units when one is accepted."""

from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from annotation.answers.record import GivenAnswer, record_answers
from annotation.models import Place, Preparation, Rater, Study, Unit, User
from exports.records import item_lines
from imports.preparation.counts import preparation_counts
from imports.preparation.lists import JustChanged, accept, edit, propose, reject, reopen
from imports.preparation.targets import lacking
from imports.preparation.units import NotPossible
from tests.imports.preparation.studies import (
    ERROR,
    LINKED,
    PASSAGES,
    accepted,
    claims_without_errors,
    proposed,
    responses_without_claims,
    target,
    unit_keys,
)
from tests.imports.small_files import write_lines
from tests.imports.tables import import_files

pytestmark = pytest.mark.django_db
State = Preparation.State


@pytest.fixture
def mills(tmp_path: Path) -> Study:
    return claims_without_errors(tmp_path)


@pytest.fixture
def bridges(tmp_path: Path) -> Study:
    return responses_without_claims(tmp_path)


def test_an_explanation_without_errors_and_links_is_a_unit_once_they_are_accepted(
    mills: Study, owner: User
) -> None:
    assert unit_keys(mills) == {"mill-0/linked", "mill-1/linked"}
    row = proposed(mills, "mill-0", [ERROR])
    revision = Study.objects.get(pk=mills.pk).revision
    applied = accepted(row, owner)
    assert (applied.made, applied.changed, applied.waiting) == (1, 1, [])
    assert unit_keys(mills) == {"mill-0/linked", "mill-1/linked", "mill-0/plain"}
    unit = mills.units.get(key="mill-0/plain")
    assert unit.focus["errors"] == [ERROR]
    assert unit.focus["prepared"]["errors"]["by"] == "person"
    assert unit.questions.get().payload["errors"] == [ERROR]
    assert {subset.name for subset in unit.subsets.all()} == {"full", "sample"}
    assert Place.objects.filter(unit=unit, wanted=mills.overlap).count() == 1
    row.refresh_from_db()
    assert (row.state, row.decided_by) == (State.ACCEPTED, owner)
    mills.refresh_from_db()
    assert mills.revision > revision
    assert mills.imported["counts"]["units"] == 3


def test_a_unit_that_is_there_gets_the_list_in_all_blocks(tmp_path: Path) -> None:
    blocks = [{"task_type": "slider", "options": {"facet": "holistic"}},
              {"task_type": "actionability"}]  # fmt: skip
    study = claims_without_errors(tmp_path, blocks)
    assert unit_keys(study) == {"mill-0/linked", "mill-1/linked"}
    block = study.blocks.get(position=1)
    row = propose(block=block, target=target(study, "mill-0"), entries=[ERROR], provenance={})
    accepted(row)
    for key in ("mill-0/linked", "mill-0/plain"):
        by_block = {q.block.key: q.payload for q in study.units.get(key=key).questions.all()}
        assert by_block["actionability"]["errors"] == [ERROR]
        assert "errors" not in by_block["slider"]


def test_without_errors_an_explanation_with_a_link_alone_stays_a_unit(mills: Study) -> None:
    applied = accepted(proposed(mills, "mill-0", []))
    assert (applied.made, applied.waiting) == (0, ["mill-0/plain"])
    assert mills.units.get(key="mill-0/linked").focus["errors"] == []


def test_what_comes_later_gets_the_accepted_errors_of_its_claim(
    mills: Study, tmp_path: Path
) -> None:
    from files.findings import Findings
    from files.skipped import SkippedRecords
    from imports.formats.own.jsonl import recorded_entries
    from imports.material.storage import MaterialWriter

    accepted(proposed(mills, "mill-0", [ERROR]))
    source = {"key": "mill-0", "claim": "Mill 0 burnt.", "verdict": "false", "passages": PASSAGES}
    item = {"key": "mill-0/late", "text": "It is false."}
    file = write_lines(tmp_path / "late.jsonl", [{"source": source, "items": [item]}])
    writer = MaterialWriter(mills, Findings())
    for entry in recorded_entries(file, SkippedRecords()):
        writer.add(entry)
    writer.close()
    assert mills.units.get(key="mill-0/late").questions.get().payload["errors"] == [ERROR]


def test_a_response_is_no_unit_until_its_claims_are_accepted(bridges: Study) -> None:
    assert unit_keys(bridges) == set()
    block = bridges.blocks.get()
    assert [goal.key for goal in lacking(block)] == ["bridge/a", "bridge/a/wrong"]
    accepted(proposed(bridges, "bridge/a", ["It was built in 1911.", "It is green."]))
    assert unit_keys(bridges) == {"bridge/a"}
    assert preparation_counts(bridges) == [
        {"block": "importance", "list": "claims",
            "title": "Claims of the response", "missing": 1, "proposed": 0, "accepted": 1,
         "rejected": 0, "uneven_twins": 1, "without": "", "are_without": 0}
    ]  # fmt: skip
    accepted(proposed(bridges, "bridge/a/wrong", ["It was built in 1812.", "It is green."]))
    assert unit_keys(bridges) == {"bridge/a", "bridge/a/wrong"}
    assert preparation_counts(bridges)[0]["uneven_twins"] == 0


def test_by_default_sentences_are_claims_until_a_list_is_accepted(tmp_path: Path) -> None:
    study = responses_without_claims(tmp_path, "sentences")
    assert unit_keys(study) == {"bridge/a", "bridge/a/wrong"}
    applied = accepted(proposed(study, "bridge/a", ["It was built in 1911.", "It is green."]))
    assert (applied.made, applied.changed) == (0, 1)
    payload = study.units.get(key="bridge/a").questions.get().payload
    assert payload["claims"] == ["It was built in 1911.", "It is green."]


def test_a_question_that_was_answered_keeps_its_list(tmp_path: Path) -> None:
    study = responses_without_claims(tmp_path, "sentences")
    row = proposed(study, "bridge/a", ["It was built in 1911.", "It is green."])
    question = study.units.get(key="bridge/a").questions.get()
    answer = {"claims": [{"claim": 0, "importance": "vital", "support": "supported"}]}
    rater = Rater.objects.create(study=study, name="r", kind="human", origin="imported")
    record_answers(rater=rater, given=[GivenAnswer(question, question.typed_answer(answer))])
    with pytest.raises(NotPossible, match="unit bridge/a has answers"):
        accepted(row)
    row.refresh_from_db()
    assert row.state == State.PROPOSED
    assert study.units.get(key="bridge/a").focus == {}


def test_the_second_of_two_editors_is_told(mills: Study, owner: User) -> None:
    row = proposed(mills, "mill-0", [ERROR])
    seen = row.version
    edit(preparation=row, entries=[], version=seen, by=owner)
    stale = Preparation.objects.get(pk=row.pk)
    for change in (
        lambda: edit(preparation=stale, entries=[ERROR], version=seen, by=None),
        lambda: accept(preparation=stale, version=seen, by=None, now=timezone.now()),
        lambda: reject(preparation=stale, version=seen, by=None, now=timezone.now()),
    ):
        with pytest.raises(JustChanged, match="somebody else"):
            change()
    row.refresh_from_db()
    assert (row.entries, row.proposed, row.edited_by) == ([], [ERROR], owner)


def test_a_list_stands_once_until_it_is_rejected(mills: Study) -> None:
    row = proposed(mills, "mill-0", [ERROR])
    with pytest.raises(NotPossible, match="waits for a decision already"):
        proposed(mills, "mill-0", [])
    reject(preparation=row, version=row.version, by=None, now=timezone.now())
    block = mills.blocks.get()
    assert "mill-0" not in [goal.key for goal in lacking(block)]
    assert "mill-0" in [goal.key for goal in lacking(block, rejected=True)]
    again = proposed(mills, "mill-0", [ERROR])
    with pytest.raises(NotPossible, match="another list stands"):
        reopen(preparation=row, version=row.version)
    accepted(again)
    with pytest.raises(NotPossible, match="accepted already"):
        proposed(mills, "mill-0", [ERROR])


def test_an_accepted_list_is_reopened_changed_and_accepted_again(mills: Study) -> None:
    row = proposed(mills, "mill-0", [ERROR])
    accepted(row)
    reopen(preparation=row, version=row.version)
    with pytest.raises(NotPossible, match="units were made by the list"):
        reject(preparation=row, version=row.version, by=None, now=timezone.now())
    other = ERROR | {"sentence": "It burnt down."}
    edit(preparation=row, entries=[other], version=row.version, by=None)
    applied = accepted(row)
    assert (applied.made, applied.changed) == (0, 2)
    for unit in Unit.objects.filter(source__key="mill-0"):
        assert unit.questions.get().payload["errors"] == [other]
        assert unit.focus["prepared"]["errors"]["edited"] is True


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        ([ERROR | {"reason": " "}], r"entries\[0\]\.reason: empty"),
        ([ERROR, {"sentence": "a"}], r"entries\[1\]\.reason: missing"),
        ([ERROR | {"more": "b"}], r"entries\[0\]\.more: unknown field"),
        (["It burnt."], r"entries\[0\]: "),
        ([ERROR] * 10_000, r"entries: 10,000 are too many \(at most 150\)"),
        ("It burnt.", "entries: not a list"),
    ],
)
def test_entries_that_are_wrong_are_named(mills: Study, entries: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        proposed(mills, "mill-0", entries)
    assert not Preparation.objects.exists()


def test_an_empty_list_of_claims_is_not_accepted(bridges: Study) -> None:
    row = proposed(bridges, "bridge/a", [])
    with pytest.raises(NotPossible, match="the list of claims is empty"):
        accepted(row)


def test_what_has_nothing_to_prepare_is_refused(mills: Study, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    lines = [{"source": {"key": "x", "claim": "X."}, "items": [{"key": "x/1", "text": LINKED}],
              "unit": {"key": "x/1", "focus": {"errors": [ERROR]}}}]  # fmt: skip
    opening = [{"study": {"title": "A", "task_type": "actionability"}}]
    other = import_files("jsonl", write_lines(tmp_path / "o.jsonl", opening + lines), slug="o")
    block, listed = other.blocks.get(), target(other, "x")
    assert list(lacking(block)) == []
    for goal, reason in (
        (target(mills, "mill-0"), "belongs to another study"),
        (target(other, "x/1"), "prepared for each source"),
        (listed, "nothing to prepare"),
    ):
        with pytest.raises(NotPossible, match=reason):
            propose(block=block, target=goal, entries=[ERROR], provenance={})


def test_a_source_with_a_control_is_left_alone(tmp_path: Path) -> None:
    control = {"source": {"key": "pool", "claim": "It opened."},
               "items": [{"key": "pool/c", "text": LINKED}],
               "unit": {"key": "pool/c", "role": "positive", "focus": {"errors": [ERROR]},
                        "reference": {"errors": [{"error": 0, "points_out": True,
                                                  "corrects": True}],
                                      "links": [{"link": 0, "exists": True, "relevant": True,
                                                 "supports": True}]}}}  # fmt: skip
    plain = {"source": {"key": "pool", "claim": "It opened."},
             "items": [{"key": "pool/p", "text": "It did not."}]}  # fmt: skip
    opening = {"study": {"title": "A", "task_type": "actionability", "rounds": [
        {"name": "main", "counts": True, "batch": {"normal": 1, "positive": 1}}]}}  # fmt: skip
    study = import_files("jsonl", write_lines(tmp_path / "s.jsonl", [opening, control, plain]))
    assert list(lacking(study.blocks.get())) == []


def test_an_accepted_list_comes_back_with_its_origin_from_an_export(
    mills: Study, bridges_folder: Path
) -> None:
    accepted(proposed(mills, "mill-0", [ERROR]))
    file = bridges_folder / "export.jsonl"
    file.write_text("".join(item_lines(mills)), encoding="utf-8")
    restored = import_files("jsonl", file, slug="restored")
    before, after = (study.units.get(key="mill-0/plain") for study in (mills, restored))
    assert after.focus == before.focus
    assert after.questions.get().payload == before.questions.get().payload
    assert unit_keys(restored) == unit_keys(mills)
    assert [goal.key for goal in lacking(restored.blocks.get())] == ["mill-1"]


@pytest.fixture
def bridges_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "export"
    folder.mkdir()
    return folder


def test_a_variant_is_counted_as_unlike_an_original_whose_file_lists_its_claims(
    tmp_path: Path,
) -> None:
    options = {"parts": ["importance"]}
    source = {"key": "b", "query": "When?"}
    right = {"source": source, "items": [{"key": "b/a", "text": "In 1911, and it is green."}],
             "unit": {"key": "b/a", "focus": {"claims": ["In 1911.", "It is green."]}}}  # fmt: skip
    twin = {"key": "b/a/wrong", "text": "In 1812, and green.", "perturbed_from": "b/a"}
    wrong = {"source": source, "items": [twin]}
    opening = {"study": {"title": "A", "task_type": "importance", "options": options}}
    study = import_files("jsonl", write_lines(tmp_path / "s.jsonl", [opening, right, wrong]))
    assert preparation_counts(study)[0]["uneven_twins"] == 1
    assert [goal.key for goal in lacking(study.blocks.get())] == ["b/a/wrong"]
    accepted(proposed(study, "b/a/wrong", ["In 1812.", "It is green."]))
    assert preparation_counts(study)[0]["uneven_twins"] == 0
