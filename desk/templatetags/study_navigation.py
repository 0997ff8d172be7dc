"""The tabs of a study, the same on each of its pages."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from django import template
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.access import Role, get_role
from annotation.models import Member, Study

register = template.Library()


@dataclass(frozen=True)
class StudyPage:
    """A page that a tab leads to. least: the role it takes. also: views that are parts of it.
    applies: whether there is anything on it for a study."""

    title: str | Promise
    view: str
    least: Member.Role = Role.VIEWER
    also: tuple[str, ...] = ()
    applies: Callable[[Study], object] = bool

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
    this app belong to it. action: offered on each of its pages, unless that is where it leads.
    carries: its pages pass the filters in their address on to each other."""

    title: str | Promise
    pages: tuple[StudyPage, ...]
    every: str = ""
    action: StudyAction | None = None
    carries: bool = False

    def holds(self, view: str) -> bool:
        """Whether a view belongs to it."""
        return any(view in page.views for page in self.pages) or (
            bool(self.every) and view.startswith(f"{self.every}:")
        )


def _has_rounds(study: Study) -> bool:
    return study.rounds.exists()


def _takes_people(study: Study) -> bool:
    return not study.is_finished_data


def _takes_a_crowd(study: Study) -> bool:
    return _takes_people(study) and not study.has_team


def _has_team(study: Study) -> bool:
    return study.has_team


# The page of the study itself has its own, which depends on the study's state.
OVERVIEW = StudyTab(
    _("Overview"),
    (
        StudyPage(_("Progress"), "desk:study"),
        StudyPage(_("Alerts"), "desk:alerts", also=("desk:alert-rules", "desk:webhook")),
        StudyPage(_("Change log"), "desk:changes", Role.EDITOR),
    ),
)
SET_UP = StudyTab(
    _("Set-up"),
    (
        StudyPage(
            _("Checklist"),
            "desk:set-up",
            # The checklist leads to them.
            also=(
                *("desk:set-up-table", "desk:edit-study", "results:registration"),
                *("desk:preparation", "desk:prepared-list", "desk:propose-lists"),
                *("desk:write-texts", "desk:writing", "desk:write-missing"),
            ),
        ),
        StudyPage(_("Questions"), "desk:set-up-questions", Role.EDITOR),
        StudyPage(
            _("Texts and ethics"),
            "desk:set-up-texts",
            Role.EDITOR,
            ("desk:set-up-introduction", "desk:set-up-ethics"),
            _takes_people,
        ),
        StudyPage(
            _("Controls and examples"),
            "desk:controls",
            Role.EDITOR,
            ("desk:control", "desk:pick-unit", "desk:promote"),
            _takes_people,
        ),
        StudyPage(_("Rounds and pay"), "desk:set-up-rounds", Role.EDITOR, (), _takes_people),
        StudyPage(_("Analysis plan"), "desk:set-up-method", Role.EDITOR),
    ),
    action=StudyAction(
        _("Try it as a worker"), "desk:try-out", Role.EDITOR, posts=True, applies=_has_rounds
    ),
)
PEOPLE = StudyTab(
    _("People"),
    (
        StudyPage(
            _("Team"),
            "desk:team",
            Role.EDITOR,
            ("desk:upload-team-table", "desk:name-members"),
            _has_team,
        ),
        StudyPage(_("Workers"), "desk:workers", Role.REVIEWER, ("desk:worker", "desk:lost-link")),
        StudyPage(_("Review"), "desk:reviews", Role.REVIEWER, ("desk:review",), _takes_people),
        StudyPage(
            _("Finding people"),
            "desk:recruitment",
            Role.REVIEWER,
            (
                *("desk:set-up-recruitment", "desk:invitations", "desk:qualified"),
                *("desk:recruitment-propose", "desk:recruitment-move", "desk:recruitment-decide"),
                *("desk:recruitment-bonuses", "desk:recruitment-payment"),
            ),
            _takes_a_crowd,
        ),
        StudyPage(_("Pay"), "desk:pay", Role.REVIEWER, (), _takes_people),
        StudyPage(_("Consent"), "desk:consents", Role.OWNER, (), _takes_people),
    ),
    action=StudyAction(
        _("Invite people"), "desk:recruitment", Role.EDITOR, "new-links", applies=_takes_a_crowd
    ),
)
JUDGES = StudyTab(
    _("Judges"),
    (
        StudyPage(
            _("Judges"),
            "judges:runs",
            also=("workbench:loop", "workbench:judge", "workbench:look", "workbench:card"),
        ),
    ),
    every="judges",
    action=StudyAction(_("Start a run"), "judges:runs", Role.EDITOR),
)
RESULTS = StudyTab(
    _("Results"),
    (
        StudyPage(_("Summary"), "results:summary"),
        StudyPage(_("Agreement"), "results:people"),
        StudyPage(_("Judge performance"), "results:judges"),
        StudyPage(_("Systems"), "results:systems"),
        StudyPage(_("Quality"), "results:quality"),
        StudyPage(_("Sample size"), "results:plan", also=("results:planning",)),
        StudyPage(
            _("Paper"), "results:paper", also=("results:datasheet", "results:datasheet-part")
        ),
    ),
    every="results",
    carries=True,
)
DATA = StudyTab(
    _("Data"),
    (
        StudyPage(_("Units"), "desk:units", also=("desk:unit", "desk:unit-action")),
        StudyPage(_("Exports"), "desk:exports", Role.REVIEWER),
        StudyPage(
            _("Adjudication"), "desk:adjudication", Role.REVIEWER, ("desk:case", "desk:beside-gold")
        ),
        StudyPage(
            _("Exclusion rules"),
            "desk:exclusions",
            Role.REVIEWER,
            ("desk:exclusion",),
            _takes_people,
        ),
        StudyPage(_("Background work"), "desk:background-work", Role.REVIEWER),
    ),
)
SETTINGS = StudyTab(
    _("Settings"),
    (StudyPage(_("Settings"), "desk:settings", Role.OWNER, also=("desk:members",)),),
)
TABS = (OVERVIEW, SET_UP, PEOPLE, JUDGES, RESULTS, DATA, SETTINGS)


class Link(NamedTuple):
    """An entry as the navigation shows it."""

    title: str
    url: str
    here: bool


@register.inclusion_tag("desk/_study_tabs.html", takes_context=True)
def study_tabs(context: dict[str, Any], study: Study) -> dict[str, Any]:
    """The way back, the tabs that the reader may open, and the pages of the one they are on.
    part_of, in the context: the view whose page this one belongs to, where its own name does not
    tell."""
    request = context["request"]
    own = request.resolver_match.view_name if request.resolver_match else ""
    view = context.get("part_of", own)
    role = get_role(request.user, study)
    here = next((tab for tab in TABS if tab.holds(view)), OVERVIEW)
    query = request.GET.urlencode() if here.carries else ""
    pages = list(_links(here.pages, study, role, view, query))
    return {
        "study": study,
        "tab": here.title,
        "tabs": [link for tab in TABS for link in _first(tab, study, role, tab is here)],
        "pages": pages if len(pages) > 1 else [],
        "action": _action(here, study, role, view),
        "csrf_token": context.get("csrf_token"),
    }


def _action(tab: StudyTab, study: Study, role: Role | None, view: str) -> dict[str, object] | None:
    """The action of a tab, if the reader may and is not there."""
    action = tab.action
    if action is None or action.view == view or role is None or not role.may(action.least):
        return None
    if not action.applies(study):
        return None
    anchor = f"#{action.anchor}" if action.anchor else ""
    url = reverse(action.view, args=[study.slug]) + anchor
    return {"title": action.title, "url": url, "posts": action.posts}


def _first(tab: StudyTab, study: Study, role: Role | None, here: bool) -> Iterator[Link]:
    for link in islice(_links(tab.pages, study, role, ""), 1):
        yield Link(str(tab.title), link.url, here)


def _links(
    pages: tuple[StudyPage, ...], study: Study, role: Role | None, view: str, query: str = ""
) -> Iterator[Link]:
    for page in pages:
        if role is not None and role.may(page.least) and page.applies(study):
            url = reverse(page.view, args=[study.slug]) + (f"?{query}" if query else "")
            yield Link(str(page.title), url, view in page.views)
