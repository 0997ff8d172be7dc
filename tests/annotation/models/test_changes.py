"""The change log: rows are added and never changed, and hold no name of a person."""

import pytest

from annotation.models import Change, Study, User, account_subject, log_change
from annotation.models.changes import AppendOnly, move_changes
from tests.cast import make_study


def test_a_change_is_noted_with_who_made_it(study: Study, owner: User) -> None:
    log_change(study=study, by=owner, action="study.opened", detail={"round": "main"})
    row = study.changes.get()
    assert (row.by, row.account, row.slug) == (owner, owner.pk, study.slug)
    assert (row.action, row.detail) == ("study.opened", {"round": "main"})


def test_rows_are_never_changed_nor_deleted(study: Study, owner: User) -> None:
    log_change(study=study, by=owner, action="study.opened")
    row = study.changes.get()
    with pytest.raises(AppendOnly):
        row.save()
    with pytest.raises(AppendOnly):
        row.delete()
    with pytest.raises(AppendOnly):
        Change.objects.all().delete()
    with pytest.raises(AppendOnly):
        Change.objects.update(action="study.closed")


def test_an_erased_account_leaves_its_number(study: Study, owner: User, colleague: User) -> None:
    log_change(study=study, by=owner, action="member.added", subject=account_subject(colleague))
    number = owner.pk
    owner.delete()
    row = study.changes.get()
    assert (row.by, row.account) == (None, number)
    assert "owner" not in str(row.__dict__)


def test_the_log_outlives_its_study_and_is_not_a_later_ones(owner: User) -> None:
    study = make_study("gone")
    log_change(study=study, by=owner, action="study.opened")
    study.delete()
    row = Change.objects.get()
    assert (row.study, row.slug) == (None, "gone")
    assert not make_study("gone").changes.exists()


def test_the_log_of_a_replaced_study_goes_on(study: Study, owner: User) -> None:
    log_change(study=study, by=owner, action="study.opened")
    later = make_study("later")
    move_changes(of=study, to=later)
    assert later.changes.count() == 1


def test_what_happens_in_a_tryout_is_not_logged(study: Study, owner: User) -> None:
    copy = make_study("copy", tryout_of=study)
    log_change(study=copy, by=owner, action="study.opened")
    assert not Change.objects.exists()


def test_actions_are_found_by_their_first_part(study: Study, owner: User) -> None:
    for action in ("study.opened", "study.closed", "studying.other"):
        log_change(study=study, by=owner, action=action)
    assert study.changes.of_action("study").count() == 2
    assert study.changes.of_action("study.opened").count() == 1
    assert study.changes.by(owner.pk).count() == 3
