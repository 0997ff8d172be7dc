"""The token that pays for a study. It is read from the environment whenever it is needed."""

import os

from django.conf import settings

from annotation.models import Study
from annotation.panels.prolific_api.client import Prolific
from annotation.panels.prolific_api.errors import NoToken


def connect(study: Study) -> Prolific:
    """A client with the token of the study's workspace; NoToken where the environment has none."""
    token = os.environ.get(token_name(study), "").strip()
    if not token:
        raise NoToken(f"The environment of this installation has no {token_name(study)}.")
    if not token.isascii() or not token.isprintable():
        raise NoToken(f"{token_name(study)} holds characters that no token has.")
    return Prolific(
        base_url=settings.PROLIFIC_API_URL,
        token=token,
        workspace=os.environ.get(_name(study, "PROLIFIC_WORKSPACE"), ""),
        project=os.environ.get(_name(study, "PROLIFIC_PROJECT"), ""),
    )


def is_connected(study: Study) -> bool:
    """Whether the environment has the study's token."""
    return bool(os.environ.get(token_name(study), "").strip())


def token_name(study: Study) -> str:
    """The variable that holds the study's token."""
    return _name(study, "PROLIFIC_TOKEN")


def _name(study: Study, variable: str) -> str:
    workspace = str(study.recruitment.get("workspace") or "")
    return f"{variable}_{workspace.upper()}" if workspace else variable
