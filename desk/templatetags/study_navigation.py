"""The tabs of a study, the same on each of its pages."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any, NamedTuple

from django import template
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.access import Role, get_role
from annotation.models import Member, Study
from imports.preparation.targets import blocks_to_prepare

register = template.Library()
# As many pages of a tab stand in a row below it; more are grouped beside the page.
IN_A_ROW = 5


@dataclass(frozen=True)
class StudyPage:
    """A page that a tab leads to. least: the role it takes. also: views that are parts of it.
    applies: whether there is anything on it for a study. group: the heading above it, in a tab
    that has many pages."""

    title: str | Promise
    view: str
    least: Member.Role = Role.VIEWER
    also: tuple[str, ...] = ()
    applies: Callable[[Study], object] = bool
    group: str | Promise = ""

    @property
    def views(self) -> tuple[str, ...]:
        """The names of its views."""
        return (self.view, *self.also)


@dataclass(frozen=True)
class StudyAction:
    """What is most often done next in a tab. posts: its view changes something, so it is a button
    of a form."""

    title: str | Promise
    view: str
    least: Member.Role = Role.VIEWER
    anchor: str = ""
    posts: bool = False
    applies: Callable[[Study], object] = bool


@dataclass(frozen=True)
class StudyTab:
    """A tab: it opens the first of its pages that the reader's role may see. every: all views of
    this app belong to it. action: offered on each of its pages, unless that is where it leads."""

    title: str | Promise
    pages: tuple[StudyPage, ...]
    every: str = ""
    action: StudyAction | None = None

    def holds(self, view: str) -> bool:
        """Whether a view belongs to it."""
        return any(view in page.views for page in self.pages) or (
            bool(self.every) and view.startswith(f"{self.every}:")
        )


def _has_rounds(study: Study) -> bool:
    return study.rounds.exists()


def _takes_people(study: Study) -> bool:
    return not study.is_finished_data


# The page of the study itself has its own, which depends on the study's state.
OVERVIEW = StudyTab(
    _("Overview"),
    (
        StudyPage(_("Overview"), "desk:study"),
        StudyPage(_("Alerts"), "desk:alerts", also=("desk:alert-rules", "desk:webhook")),
    ),
)
_ASKED, _RUN, _MORE = _("What is asked"), _("How it runs"), _("More")
SET_UP = StudyTab(
    _("Set-up"),
    (
        StudyPage(_("Checklist"), "desk:set-up"),
        StudyPage(
            _("Units to ask about"),
            "desk:set-up-table",
            Role.EDITOR,
            (),
            _takes_people,
            _ASKED,
        ),
        StudyPage(_("Questions"), "desk:set-up-questions", Role.EDITOR, group=_ASKED),
        StudyPage(_("Texts"), "desk:set-up-texts", Role.EDITOR, (), _takes_people, _ASKED),
        StudyPage(
            _("What workers are told"),
            "desk:set-up-introduction",
            Role.EDITOR,
            (),
            _takes_people,
            _ASKED,
        ),
        StudyPage(
            _("Controls and worked examples"),
            "desk:pick-units",
            Role.EDITOR,
            ("desk:pick-unit",),
            _takes_people,
            _ASKED,
        ),
        StudyPage(
            _("Generated controls"),
            "desk:controls",
            Role.EDITOR,
            ("desk:control",),
            _takes_people,
            _ASKED,
        ),
        StudyPage(
            _("Preparation"),
            "desk:preparation",
            Role.EDITOR,
            ("desk:prepared-list",),
            blocks_to_prepare,
            _ASKED,
        ),
        StudyPage(_("Rounds and pay"), "desk:set-up-rounds", Role.EDITOR, (), _takes_people, _RUN),
        StudyPage(
            _("Recruitment"), "desk:set-up-recruitment", Role.EDITOR, (), _takes_people, _RUN
        ),
        StudyPage(_("Ethics"), "desk:set-up-ethics", Role.EDITOR, (), _takes_people, _RUN),
        StudyPage(
            _("Judges"), "desk:set-up-judges", Role.EDITOR, ("desk:add-own-judge",), group=_RUN
        ),
        StudyPage(
            _("Units and conclusions"), "desk:set-up-method", Role.EDITOR, (), _takes_people, _RUN
        ),
        StudyPage(_("Study file"), "desk:edit-study", Role.EDITOR, group=_MORE),
        StudyPage(_("Registration"), "results:registration", group=_MORE),
    ),
    action=StudyAction(
        _("Try it as a worker"), "desk:try-out", Role.EDITOR, posts=True, applies=_has_rounds
    ),
)
_WORK, _ENTRY, _RECORDS = _("Their work"), _("Finding people"), _("Money and consent")
PEOPLE = StudyTab(
    _("People"),
    (
        StudyPage(_("Workers"), "desk:workers", Role.REVIEWER, ("desk:worker",), group=_WORK),
        StudyPage(
            _("Submitted batches"),
            "desk:reviews",
            Role.REVIEWER,
            ("desk:review",),
            _takes_people,
            _WORK,
        ),
        StudyPage(_("Reported problems"), "desk:problems", Role.REVIEWER, (), _takes_people, _WORK),
        StudyPage(
            _("Exclusion rules"),
            "desk:exclusions",
            Role.REVIEWER,
            ("desk:exclusion",),
            _takes_people,
            _WORK,
        ),
        StudyPage(
            _("Invitation links"),
            "desk:invitations",
            Role.EDITOR,
            ("desk:qualified",),
            _takes_people,
            _ENTRY,
        ),
        StudyPage(_("Invited people"), "desk:invited", Role.EDITOR, (), _takes_people, _ENTRY),
        StudyPage(
            _("Prolific"),
            "desk:recruitment",
            Role.REVIEWER,
            (
                "desk:recruitment-propose",
                "desk:recruitment-move",
                "desk:recruitment-decide",
                "desk:recruitment-bonuses",
                "desk:recruitment-payment",
            ),
            _takes_people,
            _ENTRY,
        ),
        StudyPage(_("Pay"), "desk:pay", Role.REVIEWER, (), _takes_people, _RECORDS),
        StudyPage(_("Consent"), "desk:consents", Role.OWNER, (), _takes_people, _RECORDS),
        StudyPage(_("Lost links"), "desk:lost-link", Role.OWNER, (), _takes_people, _RECORDS),
    ),
    action=StudyAction(_("Invite people"), "desk:invitations", Role.EDITOR, applies=_takes_people),
)
JUDGES = StudyTab(
    _("Judges"),
    (StudyPage(_("Judges"), "judges:runs"),),
    every="judges",
    action=StudyAction(_("Start a run"), "judges:runs", Role.EDITOR),
)
RESULTS = StudyTab(
    _("Results"),
    (StudyPage(_("Results"), "results:summary"),),
    every="results",
    action=StudyAction(_("Write it up"), "results:paper"),
)
DATA = StudyTab(
    _("Data"),
    (
        StudyPage(_("Units"), "desk:units", also=("desk:unit", "desk:unit-action")),
        StudyPage(_("Exports"), "desk:exports", Role.REVIEWER),
        StudyPage(
            _("Adjudication"),
            "desk:adjudication",
            Role.REVIEWER,
            ("desk:case", "desk:beside-gold", "desk:promote"),
        ),
    ),
    action=StudyAction(_("Export"), "desk:exports", Role.REVIEWER),
)
SETTINGS = StudyTab(
    _("Settings"),
    (
        StudyPage(_("General"), "desk:settings", Role.OWNER),
        StudyPage(_("Members and roles"), "desk:members", Role.OWNER),
        StudyPage(_("Change log"), "desk:changes", Role.EDITOR),
    ),
    action=StudyAction(_("Invite a colleague"), "desk:members", Role.OWNER, anchor="add"),
)
TABS = (OVERVIEW, SET_UP, PEOPLE, JUDGES, RESULTS, DATA, SETTINGS)


class Link(NamedTuple):
    """An entry as the navigation shows it."""

    title: str
    url: str
    here: bool
    group: str = ""


class Group(NamedTuple):
    """Pages of a tab below a heading, which is empty for those that stand alone."""

    title: str
    links: tuple[Link, ...]


@register.inclusion_tag("desk/_study_tabs.html", takes_context=True)
def study_tabs(context: dict[str, Any], study: Study) -> dict[str, Any]:
    """The way back, the tabs that the reader may open, and the pages of the one they are on:
    in a row, or grouped where there are many. part_of, in the context: the view whose page this one
    belongs to, where its own name does not tell."""
    request = context["request"]
    own = request.resolver_match.view_name if request.resolver_match else ""
    view = context.get("part_of", own)
    role = get_role(request.user, study)
    here = next((tab for tab in TABS if tab.holds(view)), OVERVIEW)
    pages = list(_links(here.pages, study, role, view))
    groups = _grouped(pages)
    return {
        "study": study,
        "tab": here.title,
        "here": next((link.title for link in pages if link.here), ""),
        "groups": groups if len(pages) > IN_A_ROW else [],
        "tabs": [link for tab in TABS for link in _first(tab, study, role, tab is here)],
        "pages": pages if len(pages) > 1 else [],
        "action": _action(here, study, role, view),
        "csrf_token": context.get("csrf_token"),
    }


def _grouped(pages: list[Link]) -> list[Group]:
    groups = groupby(pages, key=lambda link: link.group)
    return [Group(title, tuple(links)) for title, links in groups]


def _action(
    tab: StudyTab, study: Study, role: Member.Role | None, view: str
) -> dict[str, object] | None:
    """The action of a tab, if the reader may and is not there."""
    action = tab.action
    if action is None or action.view == view or role is None or not role.may(action.least):
        return None
    if not action.applies(study):
        return None
    anchor = f"#{action.anchor}" if action.anchor else ""
    url = reverse(action.view, args=[study.slug]) + anchor
    return {"title": action.title, "url": url, "posts": action.posts}


def _first(tab: StudyTab, study: Study, role: Member.Role | None, here: bool) -> Iterator[Link]:
    for link in islice(_links(tab.pages, study, role, ""), 1):
        yield Link(str(tab.title), link.url, here)


def _links(
    pages: tuple[StudyPage, ...], study: Study, role: Member.Role | None, view: str
) -> Iterator[Link]:
    for page in pages:
        if role is not None and role.may(page.least) and page.applies(study):
            url = reverse(page.view, args=[study.slug])
            yield Link(str(page.title), url, view in page.views, str(page.group))
