"""Recognise a worker by the personal link that they paste, and give it to who has lost it."""

import re
from urllib.parse import urlsplit

from django.db import transaction
from django.urls import Resolver404, get_script_prefix, resolve, reverse

from annotation.entry.arrival import find_worker
from annotation.models import Participation, Study, User, log_change
from annotation.models.links import new_link, opened_by
from annotation.panels.visits import forget_proofs

# Far longer than any link of ours.
LONGEST_LINK = 500


def token_of_link(text: str, *, host: str) -> str:
    """The token of the personal link that this is; empty for anything else.

    Only an address of this host counts, and only its token is used: nobody is sent to what was
    pasted. A token has 128 bits and is looked up by an index, as when the link itself is opened,
    so that pasting tells nothing that opening does not.
    """
    token = token_in(text, host=host)
    return token if token and Participation.objects.filter(opened_by(token)).exists() else ""


def token_in(text: str, *, host: str) -> str:
    """The token in a personal link of this host, with or without `https://`; else empty."""
    text = text.strip()
    if not text or len(text) > LONGEST_LINK:
        return ""
    try:
        address = urlsplit(text if re.match(r"https?://|/", text) else f"//{text}")
        match = resolve("/" + f"{address.path.rstrip('/')}/".removeprefix(get_script_prefix()))
    except (ValueError, Resolver404):
        return ""
    ours = address.netloc in ("", host) and match.view_name == "annotation:return"
    return str(match.kwargs["token"]) if ours else ""


def participation_by_id(study: Study, *, panel: str, external_id: str) -> Participation | None:
    """The participation in a study of the worker whom a panel knows by that id."""
    worker = find_worker(panel=panel, external_id=external_id)
    people = study.participations.select_related("study", "worker")
    return None if worker is None else people.filter(worker=worker).first()


@transaction.atomic
def give_link(*, participation: Participation, by: User | None) -> str:
    """The path of a new personal link, for a researcher to send to the worker. It is logged, since
    it opens all that the worker can see and do in this study, and nothing in any other. From then
    on it alone proves who they are: the link before it, browsers and sessions do no more."""
    forget_proofs(participation)
    Participation.objects.filter(pk=participation.pk).update(**new_link())
    participation.refresh_from_db(fields=["sealed_token", "token_hash"])
    subject = participation.pseudonym
    log_change(study=participation.study, by=by, action="worker.link_given", subject=subject)
    return reverse("annotation:return", args=[participation.token])
