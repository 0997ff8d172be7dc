"""Workers' pages inside a panel's frame, where browsers keep no cookies of ours.

`/in/<study>/<token>/work/…` is `/work/…` for the participation and the visit that the token names
under our signature, and every address on such a page begins the same way. Nothing rests on a cookie
there, so a page of another site can forge no form either: it does not know the address.
"""

import re
from collections.abc import Callable
from typing import Any, cast

from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse
from django.urls import get_script_prefix, reverse, set_script_prefix

from annotation.middleware.security_policy import allow_sources
from annotation.models import Participation, Study
from annotation.panels.registry import frame_origins

# Only what workers see: a researcher's page stays behind the session and its checked forms.
FRAMED = re.compile(r"/in/(?P<slug>[-\w]+)/(?P<token>[-.\w]+)(?P<rest>/work/.*)", re.ASCII)


def framed_pages(get_response: Callable[[HttpRequest], HttpResponse]) -> Any:
    """The middleware that serves them."""

    def middleware(request: HttpRequest) -> HttpResponse:
        found = FRAMED.fullmatch(request.path_info)
        participation = None if found is None else _whose(found["slug"], found["token"])
        if found is None or participation is None:
            return get_response(request)
        own = get_script_prefix()
        set_script_prefix(f"{own}in/{found['slug']}/{found['token']}/")
        request.path_info = found["rest"]
        vars(request).update(framed=participation, unframed_prefix=own, csrf_processing_done=True)
        try:
            response = get_response(request)
        finally:
            set_script_prefix(own)
        allow_frames(response, participation.study)
        return response

    return middleware


def _signer() -> Signer:
    return Signer(sep=".", salt="annotation.frames")


def _whose(slug: str, token: str) -> Participation | None:
    """Until the worker's data are erased."""
    try:
        key, _, visit_key = _signer().unsign(token).partition("-")
    except BadSignature:
        return None
    rows = Participation.objects.select_related("study", "worker")
    found = rows.filter(study__slug=slug, worker__erased_at=None, pk=key).first()
    if found is not None:
        found.visit_key = visit_key
    return found


def framed_participation(request: HttpRequest) -> Participation | None:
    """Whose page this is, where the address says so."""
    return cast(Participation | None, getattr(request, "framed", None))


def framed_lobby(participation: Participation) -> str:
    """The address of the lobby for a worker inside a frame, in this visit."""
    if participation.visit_key is None:
        raise ValueError("nobody visits")
    own, study = get_script_prefix(), participation.study
    token = _signer().sign(f"{participation.pk}-{participation.visit_key}")
    lobby = reverse("annotation:lobby", args=[study.slug]).removeprefix(own)
    return f"{own}in/{study.slug}/{token}/{lobby}"


def return_link(request: HttpRequest, participation: Participation) -> str:
    """The worker's own way back, which leads out of any frame. Empty in a visit that may be
    somebody else's, and after an erasure."""
    if not participation.is_proved or participation.worker.erased_at is not None:
        return ""
    address = reverse("annotation:return", args=[participation.token])
    own = getattr(request, "unframed_prefix", None)
    if own is not None:
        address = own + address.removeprefix(get_script_prefix())
    return f"{request.scheme}://{request.get_host()}{address}"


def allow_frames(response: HttpResponse, study: Study) -> None:
    """Let the pages of the study's panel show this one in a frame; nobody else's."""
    origins = frame_origins(study)
    if not origins:
        return
    allow_sources(response, "frame-ancestors", tuple(origins))
    vars(response)["xframe_options_exempt"] = True  # an old header that knows no list
    response.headers.pop("X-Frame-Options", None)


def allow_form_to(response: HttpResponse, origins: tuple[str, ...]) -> None:
    """Let the forms of this page be sent to these origins beside our own."""
    allow_sources(response, "form-action", ("'self'", *origins))
