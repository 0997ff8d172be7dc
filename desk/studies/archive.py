"""Taking studies out of the way, and away."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import Study, User, log_change
from imports.material.removal import remove_study
from imports.studies.unfinished import hide_study, still_importing
from jobs.kinds import JobOutcome, Kind
from jobs.models import Job
from jobs.queue import ask
from jobs.reports import Report

# Of so many sources the removal is waited for; of more it is left to a worker.
AT_ONCE = 100


class StillOpen(Exception):
    """The study lets people work: close it first."""


class NotRemovable(Exception):
    """The study cannot be deleted; `str()` says why, in plain words."""


@transaction.atomic
def archive_study(*, study: Study, by: User | None) -> bool:
    """Leave the study out of lists; whether it was in them. StillOpen where people may work."""
    rows = Study.objects.select_for_update().filter(pk=study.pk)
    state = rows.values_list("state", flat=True).first()
    if state == Study.State.OPEN:
        raise StillOpen
    archived = bool(rows.filter(archived_at=None).update(archived_at=timezone.now()))
    if archived:
        log_change(study=study, by=by, action="study.archived")
    return archived


@transaction.atomic
def unarchive_study(*, study: Study, by: User | None) -> bool:
    """Bring an archived study back to the lists; whether it was archived."""
    rows = Study.objects.filter(pk=study.pk, archived_at__isnull=False)
    back = bool(rows.update(archived_at=None))
    if back:
        log_change(study=study, by=by, action="study.unarchived")
    return back


def why_kept(study: Study) -> str:
    """Why the study cannot be deleted, in words; empty for a draft that nobody has worked on."""
    if study.state != Study.State.DRAFT:
        return _("Only a draft can be deleted. This study has been open: archive it instead.")
    if study.participations.exists():
        return _("People have taken part in this study: archive it instead.")
    if study.annotations.exists():
        return _("This study has answers: archive it instead.")
    return ""


def delete_study(*, study: Study, by: User | None, typed: str) -> None:
    """Delete a draft study without answers, with its material. typed: its slug, as a confirmation.

    NotRemovable where something would be lost, or the slug is another one.
    """
    if typed.strip() != study.slug:
        raise NotRemovable(_("Type %(slug)s to confirm.") % {"slug": study.slug})
    with transaction.atomic():
        _hide(study, by)
        if is_large := study.sources.count() > AT_ONCE:
            ask(REMOVE, by=by, parameters={"study": study.pk, "title": study.title})
    if not is_large:
        remove_study(study=study)


def _hide(study: Study, by: User | None) -> None:
    locked = Study.objects.select_for_update().filter(pk=study.pk).first()
    if locked is None:
        raise NotRemovable(_("This study has been deleted already."))
    if reason := why_kept(locked):
        raise NotRemovable(reason)
    log_change(study=study, by=by, action="study.deleted", subject=study.slug)
    hide_study(study=locked)


class Removal(Kind):
    """Remove a large study that was deleted, piece by piece."""

    name, title, waits = "remove_study", "Removing a deleted study", True
    is_private = True

    def run(self, job: Job, report: Report) -> JobOutcome:
        """Remove what is left of it."""
        unfinished = Study.with_unfinished.exclude(importing=None)
        study = unfinished.filter(pk=job.parameters["study"]).first()
        if study is not None:
            self._remove(study, report)
        return report.progress

    def _remove(self, study: Study, report: Report) -> None:
        def removed(n: int) -> None:
            still_importing(study)  # what is silent for long is removed by the clean-up
            report(sources=n)

        remove_study(study=study, removed=removed)

    def words(self, job: Job) -> str:
        """The title that it had."""
        return str(job.parameters["title"])

    def so_far(self, job: Job) -> str:
        """Sources that have gone."""
        return f"{job.progress.get('sources', 0):,} sources removed"


REMOVE = Removal()
