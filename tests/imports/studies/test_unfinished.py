"""A study is seen when its import has ended, and nothing is left of one that has not."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotation.models import Annotation, Member, Source, Study, User
from files.errors import ImportFailure
from imports import tasks
from imports.formats.contract import FormatInput
from imports.studies.importing import import_study
from imports.studies.unfinished import ABANDONED, remove_abandoned
from tests.cast import join, make_study

pytestmark = pytest.mark.django_db
TABLE = "item,rater,rating\na,ann,1\na,ben,2\nb,ann,3\n"


def table(folder: Path, text: str = TABLE) -> Path:
    path = folder / "ratings.csv"
    path.write_text(text)
    return path


def load(path: Path, *, replace: bool = False, watched: list[list[str]] | None = None) -> Study:
    def watch(_read: int) -> None:
        if watched is not None:
            watched.append([study.title for study in Study.objects.all()])

    files = FormatInput(files=[path], watch=watch)
    study, _ = import_study(
        format_name="ratings", format_input=files, slug="rated", title="new", replace=replace
    )
    return study


def left_behind(path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:
    """What an import leaves that was killed when all of it but the end was written."""

    def killed(**_of: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr("imports.studies.importing.publish", killed)
        patch.setattr("imports.studies.unfinished.remove_study", killed)
        with pytest.raises(SystemExit):
            load(path)
    return Study.with_unfinished.get()


def test_the_old_study_is_there_until_the_new_one_is_whole(tmp_path: Path, owner: User) -> None:
    old = make_study("rated")
    Study.objects.filter(pk=old.pk).update(title="old")
    join(old, owner, Member.Role.REVIEWER)
    seen: list[list[str]] = []

    study = load(table(tmp_path), replace=True, watched=seen)

    assert seen
    assert all(titles == ["old"] for titles in seen)
    assert [other.title for other in Study.with_unfinished.all()] == ["new"]
    study.refresh_from_db()
    assert study.revision == 1
    assert study.members.get(user=owner).role == Member.Role.REVIEWER
    assert study.annotations.count() == 3


def test_of_an_import_that_fails_nothing_is_left(tmp_path: Path) -> None:
    with pytest.raises(ImportFailure, match="has already answered"):
        load(table(tmp_path, TABLE + "b,ann,1\n"))
    with pytest.raises(ImportFailure, match="owner"):
        import_study(
            format_name="ratings",
            format_input=FormatInput(files=[table(tmp_path)]),
            slug="rated",
            owner="nobody",
        )

    assert not Study.with_unfinished.exists()
    assert not Source.objects.exists()


def test_a_killed_import_is_seen_by_nobody_and_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = table(tmp_path)
    left = left_behind(path, monkeypatch)
    assert Annotation.objects.count() == 3
    assert not Study.objects.exists()
    assert remove_abandoned(now=timezone.now()) == 0  # it may be at work

    Study.with_unfinished.filter(pk=left.pk).update(importing=timezone.now() - ABANDONED)
    load(path)

    assert [study.slug for study in Study.with_unfinished.all()] == ["rated"]
    assert Annotation.objects.count() == 3


def test_what_killed_imports_left_goes_at_night(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = left_behind(table(tmp_path), monkeypatch)
    long_ago = timezone.now() - ABANDONED - timedelta(minutes=1)
    Study.with_unfinished.filter(pk=left.pk).update(importing=long_ago)

    tasks.remove_abandoned()

    assert not Study.with_unfinished.exists()


def test_a_taken_slug_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    make_study("rated")
    with pytest.raises(ImportFailure, match="taken"):
        load(table(tmp_path))
    assert Study.with_unfinished.count() == 1


def test_commands_know_no_unfinished_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = left_behind(table(tmp_path), monkeypatch)
    with pytest.raises(CommandError, match="no study"):
        call_command("report", left.slug)
