"""What tests ask the database, and which of them ask nothing new."""

import pytest
from django.db import IntegrityError, transaction

from annotation.models import Study, User
from tests.cast import make_study
from tests.selection import _without_repeats
from tests.statements import that_repeat_others, written_down

pytestmark = pytest.mark.django_db


def test_the_same_statement_with_other_values_is_one() -> None:
    with written_down() as asked:
        for keys in ((1,), (2, 3), (4, 5, 6)):
            list(Study.objects.filter(pk__in=keys))
    assert len(asked) == 1


def test_the_same_statement_from_other_lines_of_the_program_is_another() -> None:
    study = make_study()
    with written_down() as by_test:
        study.blocks.count()
    with written_down() as by_program:
        make_study("other")
    assert by_test
    assert len(by_program - by_test) == len(by_program) > 5


def test_a_statement_that_is_refused_is_another() -> None:
    def ask() -> None:
        with transaction.atomic():
            User.objects.create(username="one")

    with written_down() as asked:
        ask()
    with written_down() as refused, pytest.raises(IntegrityError):
        ask()
    assert refused - asked


KEPT = {"few": ["a"], "most": ["a", "b", "c"], "some": ["c", "d"], "same": ["b", "d"]}


def test_tests_that_ask_what_others_ask_are_repeats() -> None:
    assert that_repeat_others(KEPT, (), KEPT) == {"few", "same"}


def test_what_runs_in_any_case_is_asked_already() -> None:
    assert that_repeat_others(KEPT.keys() - {"most"}, ["most"], KEPT) == {"few", "same"}


def test_a_test_of_which_nothing_is_known_is_no_repeat() -> None:
    assert that_repeat_others(["new"], KEPT, KEPT) == set()


@pytest.mark.parametrize("text", ["a", "b"])
def test_of_two_tests_that_ask_the_same_the_first_runs_again_unless_both_are_marked(
    text: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = request.node.originalname
    both = [item for item in request.session.items if name in item.nodeid]
    kept = {item.nodeid: ["SELECT"] for item in both}
    monkeypatch.setattr("tests.selection.read_kept", lambda: kept)
    assert _without_repeats(both) == both[:1]
    for item in both:
        monkeypatch.setattr(item, "own_markers", [*item.own_markers])
        item.add_marker("both_databases")
    assert _without_repeats(both) == both
