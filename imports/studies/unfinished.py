"""A study while it is imported: nobody sees it before it is whole.

Its rows are written in many short transactions, since SQLite lets one process write at a time. An
import that fails takes them back, and what a killed one left is removed by the next.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import uuid4

from django.db import transaction
from django.utils import timezone

from annotation.models import Member, Study
from annotation.models.changes import move_changes
from files.errors import ImportFailure
from imports.material.removal import refuse_loss, remove_study
from imports.study_file.rows import create_study
from imports.study_file.schema import StudyRecord

# An import writes every few seconds. One that has not for so long was killed.
ABANDONED = timedelta(hours=1)

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Listener:
    """What is called while a study is imported; whatever it raises takes the study back.

    begun: when the study has a row, which nobody sees yet. written: after each group of records or
    answers, with the records that are written by now. made: in the transaction in which others see
    the study first.
    """

    begun: Callable[[Study], object] = lambda _study: None
    written: Callable[[int], object] = lambda _records: None
    made: Callable[[Study], object] = lambda _study: None


@contextmanager
def unfinished_study(described: StudyRecord) -> Iterator[Study]:
    """A new study that nobody sees until it is published; removed again where anything fails."""
    named = described.model_copy(update={"slug": _hidden_slug()})
    with transaction.atomic():
        study = create_study(named, importing=timezone.now())
    try:
        yield study
    except BaseException:
        remove_study(study=study)
        raise


def still_importing(study: Study) -> None:
    """Say that the import is at work."""
    Study.with_unfinished.filter(pk=study.pk).update(importing=timezone.now())


@transaction.atomic
def publish(*, study: Study, slug: str, replace: bool) -> Study | None:
    """Let everybody see the study under its slug. One of that slug is hidden in its place, and its
    members are those of the new one; it is returned, to be removed. ImportFailure as for
    `refuse_taken`."""
    standing = refuse_taken(slug, replace=replace)
    if standing is not None:
        hide_study(study=standing)
        for member in list(Member.objects.filter(study=standing)):
            member.pk, member.study = None, study
            member.save(force_insert=True)
        move_changes(of=standing, to=study)
    study.slug, study.importing = slug, None
    study.save(update_fields=["slug", "importing"])
    return standing


def refuse_taken(slug: str, *, replace: bool) -> Study | None:
    """The study of that slug, if there is one. ImportFailure where it is not to be replaced, or
    where work or pay of people would be lost."""
    standing = Study.objects.filter(slug=slug).first()
    if standing is None:
        return None
    if not replace:
        raise ImportFailure(f"study {slug}", "slug", "taken (--replace removes the old study)")
    refuse_loss(standing)
    return standing


def remove_abandoned(*, now: datetime) -> int:
    """Remove what killed imports have left; how many studies."""
    abandoned = Study.with_unfinished.filter(importing__lte=now - ABANDONED)
    for study in (studies := list(abandoned)):
        log.info("An import of %s did not end: it is removed.", study.title)
        remove_study(study=study)
    return len(studies)


def hide_study(*, study: Study) -> None:
    """Let nobody see the study any more, and its slug be free, until it is removed: should that be
    interrupted, `remove_abandoned` completes it."""
    study.slug, study.importing = _hidden_slug(), timezone.now()
    study.save(update_fields=["slug", "importing"])


def _hidden_slug() -> str:
    return f"importing-{uuid4().hex}"
