from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.answers.record import GivenAnswer, record_answers
from annotation.models import LedgerRow, Participation, Rater, Source, Study, Worker
from imports.material import removal
from tests.imports.small_files import import_lines, record, write_lines

pytestmark = pytest.mark.django_db


def replace_refusal(folder: Path) -> str:
    path = write_lines(folder / "new.jsonl", [record(9)])
    with pytest.raises(CommandError) as caught:
        call_command("import_study", "jsonl", str(path), slug="s", replace=True)
    assert Source.objects.get().key == "mill-0"
    return str(caught.value)


def give_answer(study: Study, **rater: str) -> None:
    question = study.questions.filter(block__position=0).select_related("block").first()
    assert question is not None
    assert question.typed_reference is not None
    someone = Rater.objects.create(study=study, name="someone", **rater)
    record_answers(rater=someone, given=[GivenAnswer(question, question.typed_reference)])


def test_a_study_that_owes_money_is_not_replaced(tmp_path: Path) -> None:
    study = import_lines(tmp_path, [record()])
    worker = Worker.objects.create(panel="test", external_id="1")
    participation = Participation.objects.create(study=study, worker=worker, number=1)
    LedgerRow.objects.create(
        participation=participation, kind="adjustment", amount=1, currency="USD"
    )
    assert replace_refusal(tmp_path).startswith("study s: replace: refused (workers are owed")


def test_answers_that_people_gave_here_are_not_replaced(tmp_path: Path) -> None:
    give_answer(import_lines(tmp_path, [record()]), kind="human", origin="here")
    assert replace_refusal(tmp_path).startswith("study s: replace: refused (people have answered")


@pytest.mark.parametrize(("kind", "origin"), [("human", "imported"), ("judge", "here")])
def test_answers_that_can_be_had_again_go_with_the_study(
    tmp_path: Path, kind: str, origin: str
) -> None:
    give_answer(import_lines(tmp_path, [record()]), kind=kind, origin=origin)
    study = import_lines(tmp_path, [record(9)], replace=True)
    assert not study.annotations.exists()
    assert not study.raters.exists()


def test_a_study_of_many_sources_is_removed_whole_a_few_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove, counts = removal._remove_sources, list[int]()

    def counting(study: Study, most: int) -> int:
        counts.append(study.sources.count())
        return remove(study, most)

    monkeypatch.setattr(removal, "_FEW", 3)
    monkeypatch.setattr(removal, "_remove_sources", counting)
    import_lines(tmp_path, [record(n) for n in range(10)])
    import_lines(tmp_path, [record(9)], replace=True)
    assert counts[:5] == [10, 7, 4, 1, 0]
    assert Source.objects.count() == 1
