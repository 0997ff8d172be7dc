"""The token that pays for a study. It is read from the environment whenever it is needed."""

from django.conf import settings

from annotation.models import Study
from annotation.panels.contract import Recruitment
from annotation.panels.prolific import variable, variable_name
from annotation.panels.prolific_api.client import Prolific
from annotation.panels.prolific_api.errors import NoToken


def connect(study: Study) -> Prolific:
    """A client with the token of the study's workspace; NoToken where the environment has none."""
    account = Recruitment.of(study.recruitment)
    token = variable(account, "PROLIFIC_TOKEN")
    if not token:
        raise NoToken(f"The environment of this installation has no {token_name(study)}.")
    if not token.isascii() or not token.isprintable():
        raise NoToken(f"{token_name(study)} holds characters that no token has.")
    return Prolific(
        base_url=settings.PROLIFIC_API_URL,
        token=token,
        workspace=variable(account, "PROLIFIC_WORKSPACE"),
        project=variable(account, "PROLIFIC_PROJECT"),
    )


def is_connected(study: Study) -> bool:
    """Whether the environment has the study's token."""
    return bool(variable(Recruitment.of(study.recruitment), "PROLIFIC_TOKEN"))


def token_name(study: Study) -> str:
    """The variable that holds the study's token."""
    return variable_name(Recruitment.of(study.recruitment), "PROLIFIC_TOKEN")
