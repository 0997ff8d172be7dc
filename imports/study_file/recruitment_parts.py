"""The part of a study file about where workers come from."""

from typing import Annotated

from pydantic import Field, field_validator

from annotation.panels.contract import is_origin, link_or_nothing
from annotation.panels.registry import PANELS, panel_title
from imports.study_file.doors import drawn
from imports.study_file.parts import StudyFilePart

Code = Annotated[str, Field(max_length=100)]
ParameterName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]*$", max_length=100)]


class ParametersPart(StudyFilePart):
    """The names under which a panel puts its ids into the address."""

    worker: ParameterName = drawn("", "The panel's name for a worker's id", section="more")
    """The person's id."""
    session: ParameterName = drawn("", "The panel's name for a visit's id", section="more")
    """The id of this visit."""
    study: ParameterName = drawn("", "The panel's name for the study's id", section="more")
    """The study's id there."""


class RecruitmentPart(StudyFilePart):
    """Where workers come from, and how they go back."""

    panel: str = drawn(
        "",
        "Where workers come from",
        choices=tuple((panel.slug, panel_title(panel.slug)) for panel in PANELS),
    )
    """`invitation` (without it), `prolific`, `generic`, `mturk` or `account`."""
    completion_code: Code = ""
    """For submitted work."""
    screenout_code: Code = drawn("", "Screen-out code", "For those who do not pass a check")
    """For a screen-out."""
    return_code: Code = drawn("", hint="For leaving before anything was submitted")
    """For leaving, or finding nothing to do, before anything was submitted."""
    completion_url: str = drawn(
        "",
        "Link back",
        "With {code}, {worker}, {session} and {study} filled in. Empty: the panel's own",
        section="more",
    )
    """The link back, with `{code}`, `{worker}`, `{session}` and `{study}` filled in."""
    parameters: ParametersPart = ParametersPart()
    """What the panel calls its ids."""
    frame_origins: tuple[str, ...] = drawn(
        (),
        "Sites that may show the study in a frame",
        "One per line, such as https://panel.example",
        rows=2,
        section="more",
    )
    """Origins whose pages may show the study in a frame."""
    workspace: Annotated[str, Field(pattern=r"^[A-Za-z0-9_]{0,40}$")] = drawn(
        "",
        "Account that pays at the panel",
        "Where this installation has several: the name of one",
        section="more",
    )
    """Where the installation has several accounts at the panel, the name of the one that pays."""
    invite_qualified: bool = drawn(
        default=False,
        label="Those who pass a round wait until they are invited to the next",
        section="amounts",
    )
    """Those who pass a round wait until a researcher invites them to the next."""

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
