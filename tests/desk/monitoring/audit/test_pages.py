"""The change log's page and files."""

import csv
import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from annotation.models import Change, Member, Study, User, account_subject, log_change
from tests.cast import PASSWORD, join, make_user
from tests.sessions import as_user

pytestmark = pytest.mark.both_databases


def page_of(study: Study) -> str:
    return reverse("desk:changes", args=[study.slug])


def file_of(study: Study, form: str) -> str:
    return reverse("desk:change-file", args=[study.slug, form])


def text(response: Any) -> str:
    return b"".join(response.streaming_content).decode()


def test_editors_see_the_log_and_nobody_else(
    study: Study, owner: User, outsider: User, colleague: User
) -> None:
    for address in (page_of(study), file_of(study, "csv")):
        assert as_user(owner).get(address).status_code == 200
        assert as_user(colleague).get(address).status_code == 403
        assert as_user(outsider).get(address).status_code == 404
    assert as_user(owner).get(file_of(study, "exe")).status_code == 404


def test_a_change_by_a_page_is_shown_with_the_name_of_who_made_it(
    study: Study, owner: User, outsider: User
) -> None:
    client = as_user(owner)
    sent = {"username": "outsider", "role": "editor"}
    client.post(reverse("desk:members", args=[study.slug]), sent)
    page = client.get(page_of(study))
    (line,) = page.context["lines"]
    assert (line.who, line.action, line.subject) == ("owner", "member.added", "outsider")
    assert line.detail == {"role": "editor"}
    outsider.delete()
    (line,) = client.get(page_of(study)).context["lines"]
    assert line.subject.startswith("former account ")


def test_changes_are_filtered_by_person_action_and_time(study: Study, owner: User) -> None:
    other = make_user("other")
    log_change(study=study, by=owner, action="study.opened")
    log_change(study=study, by=other, action="study.closed")
    log_change(study=study, by=None, action="answers.imported", detail={"command": "x"})
    client = as_user(owner)

    def shown(**query: str) -> list[str]:
        return [line.action for line in client.get(page_of(study), query).context["lines"]]

    assert shown() == ["answers.imported", "study.closed", "study.opened"]
    assert shown(who=str(other.pk)) == ["study.closed"]
    assert shown(who="none") == ["answers.imported"]
    assert shown(action="study") == ["study.closed", "study.opened"]
    assert shown(action="study.opened") == ["study.opened"]
    tomorrow = (timezone.now() + timedelta(days=1)).date().isoformat()
    assert shown(first=tomorrow) == []
    assert len(shown(last=tomorrow)) == 3
    assert len(shown(who="gibberish", first="gibberish", page="99")) == 3


def test_files_hold_what_is_filtered_and_no_formulas(study: Study, owner: User) -> None:
    log_change(study=study, by=owner, action="control.retired", subject="=HYPERLINK(1)")
    log_change(study=study, by=owner, action="study.opened", detail={"a": 1})
    client = as_user(owner)
    rows = list(csv.DictReader(text(client.get(file_of(study, "csv"))).splitlines()))
    assert [row["action"] for row in rows] == ["study.opened", "control.retired"]
    assert rows[1]["subject"] == "'=HYPERLINK(1)"
    chosen = text(client.get(file_of(study, "jsonl"), {"action": "study"}))
    (record,) = map(json.loads, chosen.splitlines())
    assert (record["who"], record["detail"]) == ("owner", {"a": 1})


def test_the_page_takes_the_same_queries_however_long_the_log(
    study: Study, owner: User, django_assert_num_queries: Any
) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    client = as_user(owner)
    log_change(study=study, by=owner, action="study.opened")
    client.get(page_of(study))
    with CaptureQueriesContext(connection) as before:
        client.get(page_of(study))
    others = [make_user(f"u{n}") for n in range(5)]
    for other in others:
        log_change(study=study, by=other, action="x.y", subject=account_subject(owner))
    with django_assert_num_queries(len(before)):
        client.get(page_of(study))


def test_a_file_of_many_changes_is_read_in_parts(
    study: Study, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desk.monitoring.audit.changes._CHUNK", 2)
    for n in range(5):
        log_change(study=study, by=owner, action="x.y", subject=str(n))
    lines = text(as_user(owner).get(file_of(study, "jsonl"))).splitlines()
    assert [json.loads(line)["subject"] for line in lines] == ["4", "3", "2", "1", "0"]


def test_a_command_is_named_and_has_no_account(study: Study, owner: User, tmp_path: Any) -> None:
    call_command("export", study.slug, format="jsonl", out=tmp_path, verbosity=0)
    row = study.changes.get()
    assert (row.by, row.action, row.detail) == (None, "export.written", {"command": "export"})
    (line,) = as_user(owner).get(page_of(study)).context["lines"]
    assert line.who == "command export"


def test_a_changed_password_is_logged_without_it(owner: User) -> None:
    new = "another password for tests"
    sent = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    assert as_user(owner).post(reverse("desk:password"), sent).status_code == 302
    row = Change.objects.get()
    assert (row.study, row.by) == (None, owner)
    assert row.action.startswith("account.password")
    assert new not in str(row.__dict__)


def test_a_reviewer_has_no_entry_for_the_log(study: Study) -> None:
    reviewer = make_user("reviewer")
    join(study, reviewer, Member.Role.REVIEWER)
    page = as_user(reviewer).get(reverse("desk:study", args=[study.slug]))
    assert page_of(study) not in page.content.decode()


def test_a_unit_that_is_called_like_an_account_is_none(study: Study, owner: User) -> None:
    stranger = make_user("stranger")
    for key in (account_subject(stranger), f"account:{'9' * 40}"):
        log_change(study=study, by=owner, action="control.retired", subject=key)
    page = as_user(owner).get(page_of(study))
    assert page.status_code == 200
    assert "stranger" not in page.content.decode()
