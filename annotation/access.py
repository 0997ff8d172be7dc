"""Who may see and do what: every view fetches and authorises through here.

What a person may not see does not exist for them: an outsider gets 404, never 403. A member whose
role is too low gets 403, since they know that the study is there.
"""

from typing import Any, NamedTuple, cast

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from annotation.middleware.frames import framed_participation
from annotation.middleware.language import activate_language
from annotation.models import Assignment, Member, Participation, Study, User
from annotation.queries.batches import QuestionRow, batch_at, participation_in, questions_at
from annotation.queries.compiled import Asked, ask_together
from annotation.queries.sessions import SessionStore

Role = Member.Role
Visitor = User | AnonymousUser

PLACES_SESSION_KEY = "places"


class StudyVisit(NamedTuple):
    """Where a browser is in a study: its participation, and the key of the visit there."""

    participation: int
    visit_key: str


class SignedOut(Http404):
    """The browser session belongs to no worker (any more). To anyone else, a plain 404."""


class Unproved(Exception):
    """The page is the worker's alone, and this visit may be somebody else's."""

    def __init__(self, participation: Participation) -> None:
        self.participation = participation
        super().__init__(f"{participation}: not the worker's own visit")


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


def may(user: Visitor, study: Study, role: Member.Role) -> bool:
    """Whether the user is a member of the study with at least that role."""
    own = get_role(user, study)
    return own is not None and own.may(role)


def remember_worker(request: HttpRequest, *participations: Participation) -> None:
    """Let this browser session belong to these participations, as far as their visit has proved,
    under a new session key. It opens no other study of the worker."""
    places = dict(request.session.get(PLACES_SESSION_KEY, {}))
    for participation in participations:
        slug = participation.study.slug
        places.pop(slug, None)  # the newest stands last
        places[slug] = [participation.pk, participation.visit_key]
    request.session[PLACES_SESSION_KEY] = places
    request.session.cycle_key()


def forget_worker(request: HttpRequest) -> None:
    """Let this browser session belong to no worker, under a new session key. Nothing stored is
    touched, and a researcher who is signed in beside them stays signed in."""
    request.session.pop(PLACES_SESSION_KEY, None)
    request.session.cycle_key()


def known_participation(request: HttpRequest, study: Study) -> Participation | None:
    """The participation in the study that this browser belongs to, if any. Other studies say
    nothing about that: their researchers may have links of their workers."""
    place = _place_in(request, study.slug)
    rows = Participation.objects.select_related("worker").filter(study=study)
    found = None if place is None else rows.filter(pk=place.participation).first()
    if place is not None and found is not None:
        found.visit_key = place.visit_key
    return found


def get_participation(request: HttpRequest, slug: str) -> Participation:
    """The participation in a study that this browser or, in a frame, the address belongs to,
    whatever its visit may see. From here on the page is in the study's language."""
    place = _place_in(request, slug)
    participation = None if place is None else participation_in(slug, place.participation)
    if place is None or participation is None:
        raise _nothing_here(request)
    participation.visit_key = place.visit_key
    activate_language(participation.study)
    return participation


def get_own_participation(request: HttpRequest, slug: str) -> Participation:
    """The same for pages that are the worker's alone: Unproved in a visit that may be somebody
    else's."""
    participation = get_participation(request, slug)
    if not participation.is_proved:
        raise Unproved(participation)
    return participation


def get_assignment(request: HttpRequest, public_id: str) -> Assignment:
    """An assignment of this browser's participation; another worker's does not exist. Unproved
    where another visit began it. From here on the page is in its study's language."""
    (assignment,) = _ask(request, batch_at(public_id))
    return _own(request, assignment)


def get_questions(
    request: HttpRequest, public_id: str, *, position: int, alone: bool = False
) -> tuple[Assignment, list[QuestionRow]]:
    """The same assignment as far as the page of a question shows it, with its questions: those of
    the unit at `position` with their text. `alone`: as far as saving an answer to those needs
    it."""
    asked = questions_at(public_id, position=position, alone=alone)
    assignment, rows = _ask(request, *asked)
    return _own(request, assignment), rows


def _ask(request: HttpRequest, *asked: Asked) -> list[Any]:
    """Ask for rows and, where a session will say whose they may be, for it beside them."""
    if framed_participation(request) is not None:
        return ask_together(*asked)
    session = cast(SessionStore, request.session)
    return session.ask(*asked)


def _own(request: HttpRequest, assignment: Assignment | None) -> Assignment:
    place = assignment and _place_in(request, assignment.participation.study.slug)
    if not place or not assignment or assignment.participation_id != place.participation:
        raise _nothing_here(request)
    assignment.participation.visit_key = place.visit_key
    activate_language(assignment.participation.study)
    if not assignment.participation.opens(assignment):
        raise Unproved(assignment.participation)
    return assignment


def _places(request: HttpRequest) -> dict[str, StudyVisit]:
    """By the study's slug, those that this browser came to last standing last."""
    places = request.session.get(PLACES_SESSION_KEY, {})
    return {slug: StudyVisit(*place) for slug, place in places.items()}


def _place_in(request: HttpRequest, slug: str) -> StudyVisit | None:
    """In a frame, the one that the address names, whatever a cookie says."""
    framed = framed_participation(request)
    if framed is None:
        place = request.session.get(PLACES_SESSION_KEY, {}).get(slug)
        return None if place is None else StudyVisit(*place)
    return StudyVisit(framed.pk, framed.visit_key or "") if framed.study.slug == slug else None


def _nothing_here(request: HttpRequest) -> Http404:
    """SignedOut where nobody is known in this browser, else a plain 404."""
    if framed_participation(request) is None:
        keys = [place.participation for place in _places(request).values()]
        if not Participation.objects.filter(pk__in=keys).exists():
            return SignedOut("This page opens through an invitation link.")
    return Http404("No such page.")
