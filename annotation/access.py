"""Who may see and do what: every view fetches and authorises through here.

What a person may not see does not exist for them: an outsider gets 404, never 403. A member whose
role is too low gets 403, since they know that the study is there.
"""

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from annotation.middleware.frames import framed_participation
from annotation.middleware.language import speak_as_study
from annotation.models import Assignment, Member, Participation, Study, User, Worker
from annotation.queries.batches import batch_of, participation_of

Role = Member.Role
Visitor = User | AnonymousUser

WORKER_SESSION_KEY = "worker"
NOBODY = 0  # no row has this key


class SignedOut(Http404):
    """The browser session belongs to no worker (any more). To anyone else, a plain 404."""


def account(request: HttpRequest) -> User:
    """Who is signed in; for views behind `login_required`."""
    if not isinstance(request.user, User):
        raise PermissionDenied(_("Please sign in."))
    return request.user


def get_study(user: Visitor, slug: str, role: Member.Role = Role.VIEWER) -> Study:
    """The study, for a member with at least that role."""
    members = Member.objects.select_related("study").filter(study__slug=slug)
    member = members.filter(user=user).first() if isinstance(user, User) else None
    if member is None:
        raise Http404("No such study.")
    if not Role(member.role).may(role):
        raise PermissionDenied(_("This needs the role “%(role)s” in the study.") % {"role": role})
    member.study.viewer = member
    return member.study


def get_role(user: Visitor, study: Study) -> Member.Role | None:
    """The user's role in the study; None for an outsider."""
    if not isinstance(user, User):
        return None
    viewer = study.viewer
    if viewer is None or viewer.user_id != user.pk:
        viewer = study.members.filter(user=user).first()
    return None if viewer is None else Role(viewer.role)


def current_worker(request: HttpRequest) -> Worker:
    """The worker whom this browser session belongs to; SignedOut for anyone else."""
    worker = known_worker(request)
    if worker is None:
        raise SignedOut("This page opens through an invitation link.")
    return worker


def known_worker(request: HttpRequest) -> Worker | None:
    """The worker whom this browser session belongs to, if any; in a frame, the one whom the address
    names, whatever a cookie says."""
    framed = framed_participation(request)
    if framed is not None:
        return framed.worker
    worker_id = request.session.get(WORKER_SESSION_KEY)
    return None if worker_id is None else Worker.objects.filter(pk=worker_id).first()


def remember_worker(request: HttpRequest, worker: Worker) -> None:
    """Let this browser session belong to the worker, under a new session key."""
    request.session[WORKER_SESSION_KEY] = worker.pk
    request.session.cycle_key()


def forget_worker(request: HttpRequest) -> None:
    """Let this browser session belong to no worker, under a new session key. Nothing stored is
    touched, and a researcher who is signed in beside them stays signed in."""
    request.session.pop(WORKER_SESSION_KEY, None)
    request.session.cycle_key()


def get_participation(request: HttpRequest, slug: str) -> Participation:
    """The current worker's participation in a study; in a frame, of that one study alone.
    From here on the page is in the study's language."""
    framed = framed_participation(request)
    if framed is not None and framed.study.slug != slug:
        raise Http404("Another study's page.")
    participation = participation_of(_worker_key(request), slug)
    if participation is None:
        current_worker(request)
        raise Http404("No such study.")
    speak_as_study(participation.study)
    return participation


def get_assignment(request: HttpRequest, public_id: str, *, whole: bool = True) -> Assignment:
    """An assignment of the current worker; another worker's does not exist. From here on the
    page is in its study's language. Not `whole`: as far as the page of a question shows it."""
    assignment = batch_of(_worker_key(request), public_id, whole=whole)
    framed = framed_participation(request)
    if assignment is None or (framed is not None and assignment.participation_id != framed.pk):
        current_worker(request)
        raise Http404("No such batch.")
    speak_as_study(assignment.participation.study)
    return assignment


def _worker_key(request: HttpRequest) -> int:
    framed = framed_participation(request)
    key = request.session.get(WORKER_SESSION_KEY) if framed is None else framed.worker_id
    return key or NOBODY
