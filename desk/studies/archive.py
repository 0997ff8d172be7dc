"""Taking studies out of the way, and away."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import Study, User, log_change
from imports.material.removal import remove_study


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
    _hide(study, by)
    remove_study(study=study)


@transaction.atomic
def _hide(study: Study, by: User | None) -> None:
    """Let nobody see the study any more, as one whose import was given up: should its removal be
    interrupted, the clean-up of those completes it."""
    rows = Study.objects.select_for_update().filter(pk=study.pk)
    locked = rows.first()
    if locked is None:
        raise NotRemovable(_("This study has been deleted already."))
    if reason := why_kept(locked):
        raise NotRemovable(reason)
    log_change(study=study, by=by, action="study.deleted", subject=study.slug)
    rows.update(importing=timezone.now())
