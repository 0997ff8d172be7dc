"""Accepting lists beside other work on the study: other blocks, batches, judges, study files."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.models import FixedBatchPlace, Place, Preparation, Rater, Study
from imports.preparation.lists import edit, propose
from imports.preparation.units import NotPossible
from judges.definitions.versions import define_judge
from judges.models import Call, Chunk, JudgeRun
from tests.annotation.workers import lease, newcomer
from tests.imports.preparation.studies import (
    ERROR,
    accepted,
    claims_without_errors,
    proposed,
    responses_without_claims,
    target,
    unit_keys,
)
from tests.imports.small_files import write_lines

pytestmark = pytest.mark.django_db


@pytest.fixture
def mills(tmp_path: Path) -> Study:
    return claims_without_errors(tmp_path)


def test_two_lists_of_one_item_are_accepted_in_either_order(tmp_path: Path) -> None:
    blocks = [
        {"task_type": "actionability"},
        {"task_type": "importance", "options": {"parts": ["importance"], "claims": "prepared"}},
    ]
    study = claims_without_errors(tmp_path, blocks)
    assert unit_keys(study) == set()
    errors, claims = study.blocks.order_by("position")
    about = target(study, "mill-0/plain")
    of_item = propose(block=claims, target=about, entries=["It flooded."], provenance={})
    waiting = accepted(of_item)
    assert (waiting.made, waiting.waiting) == (0, ["mill-0/plain"])
    of_claim = propose(block=errors, target=target(study, "mill-0"), entries=[ERROR], provenance={})
    applied = accepted(of_claim)
    assert (applied.made, applied.waiting) == (1, ["mill-0/linked"])
    focus = study.units.get(key="mill-0/plain").focus
    assert (focus["errors"], focus["claims"]) == ([ERROR], ["It flooded."])
    assert focus["prepared"].keys() == {"errors", "claims"}


def test_a_question_that_was_given_out_keeps_its_list(mills: Study) -> None:
    Study.objects.filter(pk=mills.pk).update(state=Study.State.OPEN, consent_text="Fine.")
    mills.refresh_from_db()
    row = proposed(mills, "mill-0", [ERROR])
    for _ in range(2):
        lease(newcomer(mills))
    with pytest.raises(NotPossible, match="unit mill-0/linked has been given out"):
        accepted(row)
    assert unit_keys(mills) == {"mill-0/linked", "mill-1/linked"}


def test_a_question_that_a_judge_is_being_asked_keeps_its_list(mills: Study) -> None:
    judge = define_judge(study=mills, name="words", method="lexical")
    rater = Rater.objects.create(study=mills, name="words", kind="judge", origin="here")
    run = JudgeRun.objects.create(study=mills, judge=judge, rater=rater)
    chunk = Chunk.objects.create(run=run, position=0)
    question = mills.units.get(key="mill-0/linked").questions.get()
    Call.objects.create(run=run, chunk=chunk, question=question)
    row = proposed(mills, "mill-0", [ERROR])
    with pytest.raises(NotPossible, match="part of a run of a judge"):
        accepted(row)
    JudgeRun.objects.update(state=JudgeRun.State.CANCELLED)
    row.refresh_from_db()
    assert accepted(row).changed == 1


def test_a_question_of_a_files_own_words_is_left_as_it_is(tmp_path: Path) -> None:
    study = responses_without_claims(tmp_path, "sentences")
    question = study.units.get(key="bridge/a").questions.get()
    question.payload["claims"] = ["Written in the file."]
    question.save()
    with pytest.raises(NotPossible, match="its file gives the question or its answer verbatim"):
        accepted(proposed(study, "bridge/a", ["It is green."]))


def test_new_units_of_an_open_study_join_its_batches(mills: Study) -> None:
    Study.objects.filter(pk=mills.pk).update(
        state=Study.State.OPEN, batches=Study.Batches.FIXED, consent_text="Fine."
    )
    mills.refresh_from_db()
    accepted(proposed(mills, "mill-0", [ERROR]))
    place = Place.objects.get(unit__key="mill-0/plain")
    assert FixedBatchPlace.objects.filter(place=place).exists()


def test_checked_lists_are_not_lost_when_a_study_file_changes(tmp_path: Path) -> None:
    source = {"key": "mill", "claim": "It burnt."}
    write_lines(tmp_path / "i.jsonl", [{"source": source, "items": [{"key": "m", "text": "No."}]}])
    file = tmp_path / "study.yaml"
    text = "slug: s\ntitle: A\ntask_type: actionability\nitems: i.jsonl\n"
    file.write_text(text, encoding="utf-8")
    call_command("apply_study", str(file), verbosity=0)
    study = Study.objects.get(slug="s")
    changed = text + "options: {link_score: weighted}\n"
    row = proposed(study, "mill", [ERROR])
    edit(preparation=row, entries=[], version=row.version, by=None)
    file.write_text(changed, encoding="utf-8")
    with pytest.raises(CommandError, match="people have checked lists of the study"):
        call_command("apply_study", str(file), verbosity=0)
    Preparation.objects.update(entries=[ERROR])
    call_command("apply_study", str(file), verbosity=0)
    assert not Preparation.objects.exists()
