"""Questions come into the queue once, whoever sends them."""

from types import ModuleType

import pytest
from django.db import connection
from django.utils import timezone

from annotation.models import AdjudicationCase, Study, User
from annotation.work.submission import submit
from desk.data.adjudication import audits, queue
from desk.data.adjudication.queue import send_to_adjudication
from desk.data.adjudication.work import (
    NOTHING_LEFT,
    UNANSWERED,
    UNCONTESTED,
    ask_for_audit,
    ask_for_contested,
)
from estimates.data.database import load_table
from estimates.data.table import Table
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import make_study
from tests.results.answers import disagree


@pytest.mark.django_db
def test_units_are_sent_with_all_their_questions_and_wait_once(study: Study, owner: User) -> None:
    units = list(study.units.all())

    assert send_to_adjudication(study=study, units=units, by=owner) == 6
    assert send_to_adjudication(study=study, units=units, by=owner) == 0

    cases = AdjudicationCase.objects.filter(study=study)
    assert {case.why for case in cases} == {"asked"}
    assert {case.question_id for case in cases} == set(study.questions.values_list("pk", flat=True))


@pytest.mark.django_db
def test_units_of_another_study_are_not_sent(study: Study, owner: User) -> None:
    other = make_study("other")

    assert send_to_adjudication(study=study, units=other.units.all(), by=owner) == 0
    assert not AdjudicationCase.objects.exists()


@pytest.mark.django_db
def test_why_nothing_is_added_is_told(study: Study, owner: User) -> None:
    def added(most: int) -> str:
        job = ask_for_contested(study=study, most=most, by=owner)
        assert job.outcome is not None
        return str(job.outcome["done"])

    assert added(1) == UNANSWERED
    submit(assignment=answer_all(lease(newcomer(study))), now=timezone.now())
    assert added(2) == UNCONTESTED
    disagree(study)
    assert added(100).endswith("added.")
    assert added(101) == NOTHING_LEFT


@pytest.mark.django_db
@pytest.mark.parametrize("module", [queue, audits])
def test_answers_are_read_once_and_outside_of_the_transaction(
    study: Study, owner: User, monkeypatch: pytest.MonkeyPatch, module: ModuleType
) -> None:
    """On SQLite one that writes keeps all other writers waiting."""
    disagree(study)
    depth, depths = len(connection.savepoint_ids), list[int]()

    def read(of: Study) -> Table:
        depths.append(len(connection.savepoint_ids))
        return load_table(of)

    monkeypatch.setattr(module, "load_table", read)
    for turn in (1, 2):  # the second one rests on the same answers
        if module is queue:
            job = ask_for_contested(study=study, most=turn, by=owner)
        else:
            block = study.blocks.all()[0]
            job = ask_for_audit(study=study, block=block, size=10, seed=turn, by=owner)
        assert job.outcome is not None
        assert "done" in job.outcome
    assert depths == [depth]
