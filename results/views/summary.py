"""The first screen of a study's results."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from annotation.access import get_study
from annotation.models import Study
from results.figures.elements import element_of
from results.report.newest import newest_report
from results.summary.card import Card, Goal, Step
from results.summary.screen import Screen, screen_of
from results.views.dashboard import is_live, still_counting

PAGES = {Goal.STUDY: "desk:study", Goal.RUN: "judges:runs"}
# Where the page of everything has the same question.
PLACES = {Goal.PEOPLE: "trust", Goal.JUDGES: "replacement", Goal.SYSTEMS: "findings"}


@dataclass(frozen=True)
class Shown:
    """A card with its figure as an element, and the addresses of its steps and of more."""

    card: Card
    svg: str
    steps: Sequence[tuple[Step, str]]
    url: str


@login_required
@require_GET
def summary(request: HttpRequest, slug: str) -> HttpResponse:
    """Three questions, each with its answer in a sentence."""
    study = get_study(request.user, slug)
    report = newest_report(study)
    if report is None:
        return still_counting(request, study)
    screen = screen_of(study, report, request.GET.get("facet", ""))
    page = {
        "study": study,
        "report": report,
        "live": is_live(study),
        "screen": screen,
        "cards": [_shown(study, screen, card) for card in screen.cards],
    }
    return render(request, "results/summary.html", page)


def _shown(study: Study, screen: Screen, card: Card) -> Shown:
    facet = screen.facet.name if screen.facet else ""
    title = f"{card.question} {screen.facet.title if screen.facet else ''}".strip()
    return Shown(
        card=card,
        svg=element_of(card.figure, f"{card.key}-{facet}", title, card.reading)
        if card.figure
        else "",
        steps=[(step, _url(study, facet, step.goal, step.raters)) for step in card.steps],
        url=_url(study, facet, card.goal),
    )


def _url(study: Study, facet: str, goal: Goal, raters: str = "") -> str:
    """The address that a step leads to."""
    if goal in PAGES:
        return reverse(PAGES[goal], args=[study.slug])
    if goal is Goal.PLAN:
        return f"{reverse('results:planning', args=[study.slug])}?{urlencode({'facet': facet})}"
    if goal is Goal.UNITS:
        query = urlencode({"facet": facet, "raters": raters})
        return f"{reverse('results:units', args=[study.slug])}?{query}"
    return f"{reverse('results:dashboard', args=[study.slug])}#{PLACES[goal]}-{facet}"
