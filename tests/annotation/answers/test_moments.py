"""What is read as of a moment is what was stored then, whatever comes later."""

import pytest

from annotation.answers.moments import moment_of
from annotation.models import Annotation, Study
from imports.answers.batches import add_answers
from tests.annotation.answers.under_way import an_answer_under_way, line
from tests.cast import make_study
from tests.results.answers import make_rater, questions, rate

pytestmark = pytest.mark.django_db


def test_what_comes_later_was_not_there_and_what_it_replaces_stood(study: Study) -> None:
    rater, question = make_rater(study, "ada"), questions(study, block=1)[0]
    first = rate(rater, question, 40)
    moment = moment_of(study)
    add_answers(study=study, answers=[line("bob")], by=None)
    Annotation.objects.filter(pk=first.pk).update(superseded_at=first.created_at)
    second = rate(rater, question, 60)
    Annotation.objects.filter(pk=second.pk).update(supersedes=first.pk)
    standing = Annotation.objects.filter(study=study)
    assert list(standing.standing(moment=moment)) == [first]
    assert list(standing.filter(rater=rater).standing()) == [second]
    assert list(standing.filter(rater=rater).standing(moment=moment_of(study))) == [second]


@pytest.mark.django_db(transaction=True)
def test_an_answer_that_is_being_stored_was_not_there() -> None:
    """Its key is smaller than that of an answer which was."""
    study, other = make_study("slow"), make_study("quick")
    with an_answer_under_way(study):
        add_answers(study=other, answers=[line("quick")], by=None)
        moment = moment_of(study)
    slow, quick = Annotation.objects.get(study=study), Annotation.objects.get(study=other)
    assert slow.pk < quick.pk
    assert list(Annotation.objects.standing(moment=moment)) == [quick]
    assert set(Annotation.objects.standing(moment=moment_of(study))) == {slow, quick}


def test_a_moment_before_the_first_answer_holds_none_and_the_revision_of_its_study() -> None:
    study = make_study("first")
    Study.objects.filter(pk=study.pk).update(revision=7)
    make_study("other")
    moment = moment_of(study)
    assert (moment.through, moment.revision, moment.open) == (0, 7, ())
