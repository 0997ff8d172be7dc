"""The first screen of a study's results."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from annotation.access import Role, get_study, may
from annotation.models import Study
from estimates.report.newest import newest_report
from results.figures.elements import element_of
from results.reading.answer import Goal, NextStep
from results.summary.cards import TRIED, Card
from results.summary.more_units import planned, with_units
from results.summary.room import shown_caveats
from results.summary.screen import Screen, first_planned, screen_of
from results.views.dashboard import is_live, still_counting
from tasktypes.facets import Facet

PAGES = {
    Goal.STUDY: "desk:study",
    Goal.RUN: "judges:runs",
    Goal.PLAN: "results:plan",
    Goal.UNITS: "results:units",
    Goal.PEOPLE: "results:people",
    Goal.JUDGES: "results:judges",
    Goal.SYSTEMS: "results:systems",
}
# Pages that know no facets.
WHOLE = (Goal.STUDY, Goal.RUN)


@dataclass(frozen=True)
class CardView:
    """A card with its figure as an element, the addresses of its steps and of more, and its
    caveats: shown at once, and folded."""

    card: Card
    svg: str
    steps: Sequence[tuple[NextStep, str]]
    url: str
    caveats: Sequence[str]
    folded: Sequence[str]


@login_required
@require_GET
def summary(request: HttpRequest, slug: str) -> HttpResponse:
    """Three questions, each with its answer in a sentence."""
    study = get_study(request.user, slug)
    report = newest_report(study)
    if report is None:
        return still_counting(request, study)
    asked = request.GET.get("epsilon")
    tried = next((epsilon for epsilon in TRIED if f"{epsilon:g}" == asked), None)
    screen = screen_of(study, report, request.GET.get("facet", ""), tried)
    page = {
        "study": study,
        "report": report,
        "live": is_live(study),
        "screen": screen,
        "cards": [_shown(study, screen, card) for card in screen.cards],
        "plan_url": _plan_url(study, screen.facet),
        "may_edit": may(request.user, study, Role.EDITOR),
    }
    return render(request, "results/summary.html", page)


@login_required
@require_GET
def planned_step(request: HttpRequest, slug: str) -> HttpResponse:
    """The step towards more units with their number, which takes a moment to simulate."""
    study = get_study(request.user, slug)
    report = newest_report(study)
    if report is None:
        raise Http404("There is nothing to plan.")
    screen = screen_of(study, report, request.GET.get("facet", ""))
    step = first_planned(screen)
    if screen.facet is None or step is None or step.width is None:
        raise Http404("There is nothing to plan.")
    step = with_units(step, planned(report, screen.facet, step.width))
    page = {"step": step, "url": _url(study, screen.facet, step)}
    return render(request, "results/_step.html", page)


def _shown(study: Study, screen: Screen, card: Card) -> CardView:
    facet = screen.facet
    title = f"{card.question} {facet.title if facet else ''}".strip()
    key, at = f"{card.key}-{facet.name if facet else ''}", shown_caveats(card, len(screen.notes))
    return CardView(
        card=card,
        svg=element_of(card.drawn.figure, key, title, card.drawn.reading)
        if card.drawn.figure
        else "",
        steps=[(step, _url(study, facet, step)) for step in card.answer.steps],
        url=_place(study, facet, card.goal),
        caveats=card.caveats[:at],
        folded=card.caveats[at:],
    )


def _plan_url(study: Study, facet: Facet | None) -> str:
    """Where the step with a number of units comes from."""
    query = urlencode({"facet": facet.name if facet else ""})
    return f"{reverse('results:planned-step', args=[study.slug])}?{query}"


def _url(study: Study, facet: Facet | None, step: NextStep) -> str:
    """The address that a step leads to."""
    about = {"raters": step.raters} if step.raters else {}
    if step.width is not None:
        about["width"] = f"{step.width:g}"
    return _place(study, facet, step.goal, **about)


def _place(study: Study, facet: Facet | None, goal: Goal, **about: str) -> str:
    """The page of a goal, with the facet and what else it is to show."""
    address = reverse(PAGES[goal], args=[study.slug])
    if facet is None or goal in WHOLE:
        return address
    return f"{address}?{urlencode({'facet': facet.name, **about})}"
