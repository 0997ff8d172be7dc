"""The part of a study file that says where workers come from."""

from typing import Annotated

from pydantic import Field, field_validator

from annotation.panels.contract import is_origin, link_or_nothing
from annotation.panels.registry import PANELS
from imports.study_file.parts import Part

Code = Annotated[str, Field(max_length=100)]
ParameterName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]*$", max_length=100)]


class ParametersPart(Part):
    """The names under which a panel puts its ids into the address."""

    worker: ParameterName = ""
    """The person's id."""
    session: ParameterName = ""
    """The id of this visit."""
    study: ParameterName = ""
    """The study's id there."""


class RecruitmentPart(Part):
    """Where workers come from, and how they go back."""

    panel: str = ""
    """`invitation` (without it), `prolific`, `generic`, `mturk` or `account`."""
    parameters: ParametersPart = ParametersPart()
    """What the panel calls its ids."""
    completion_code: Code = ""
    """For submitted work."""
    screenout_code: Code = ""
    """For a screen-out."""
    return_code: Code = ""
    """For leaving, or finding nothing to do, before anything was submitted."""
    completion_url: str = ""
    """The link back, with `{code}`, `{worker}`, `{session}` and `{study}` filled in."""
    frame_origins: tuple[str, ...] = ()
    """Origins whose pages may show the study in a frame."""
    invite_qualified: bool = False
    """Those who pass a round wait until a researcher invites them to the next."""
    workspace: Annotated[str, Field(pattern=r"^[A-Za-z0-9_]{0,40}$")] = ""
    """Where the installation has several accounts at the panel, the name of the one that pays."""

    @field_validator("panel")
    @classmethod
    def _is_known(cls, panel_slug: str) -> str:
        names = [panel.slug for panel in PANELS]
        if panel_slug and panel_slug not in names:
            raise ValueError(f"no such panel: {panel_slug!r} (there are: {', '.join(names)})")
        return panel_slug

    @field_validator("completion_url")
    @classmethod
    def _is_link(cls, address: str) -> str:
        if address and not link_or_nothing(address):
            raise ValueError("not an address such as https://panel.example/done?code={code}")
        return address

    @field_validator("frame_origins")
    @classmethod
    def _are_origins(cls, origins: tuple[str, ...]) -> tuple[str, ...]:
        for origin in origins:
            if not is_origin(origin):
                raise ValueError(f"{origin!r} is not an origin such as https://panel.example")
        return origins
