"""Recognise a worker by the personal link that they paste."""

import re
from urllib.parse import urlsplit

from django.urls import Resolver404, get_script_prefix, resolve

from annotation.models import Worker
from annotation.models.links import opened_by

# Far longer than any link of ours.
LONGEST_LINK = 500


def worker_of_link(text: str, *, host: str) -> Worker | None:
    """The worker whose personal link this is; None for anything else.

    Only an address of this host counts, and only its token is used: nobody is sent to what was
    pasted. A token has 128 bits and is looked up by an index, as when the link itself is opened,
    so that pasting tells nothing that opening does not.
    """
    token = token_in(text, host=host)
    return Worker.objects.filter(opened_by(token)).first() if token else None


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
