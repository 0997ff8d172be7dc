"""Tabs: the tables and figures of the three questions, by what they are about, facet by facet.

A table stands on the tab of its section, or on the one that its entry in `TABLES` names.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.utils.translation import gettext_lazy as _

from results.dashboard.missing import condensed
from results.dashboard.panels import Drawing, Page, Section, SectionPart, Tab
from tasktypes.facets import Facet

TITLES = {
    Tab.PEOPLE: _("Agreement"),
    Tab.JUDGES: _("Judge performance"),
    Tab.SYSTEMS: _("Systems"),
    Tab.QUALITY: _("Quality"),
}
LEADS = {
    Tab.PEOPLE: _("How far people agree with each other, and whether that settles."),
    Tab.JUDGES: _("Every judge beside people: agreement, correlation, harm and biases."),
    Tab.SYSTEMS: _("Scores by system with their intervals, and which of them differ."),
    Tab.QUALITY: _("The answers of each rater, the control questions, and what failed."),
}
TOGETHER = ("correlations", "systems", "heat")
MISSING_REASONS = {
    Tab.QUALITY: _("There are no figures of single raters, controls or failures here."),
}


def of_facet(page: Page, facet: Facet | None) -> Page:
    """The page with one of its facets, and of each kind of metric those that stand for it."""
    return replace(page, facets=() if facet is None else (facet,), concise=True)


def parts_of(page: Page, sections: Sequence[Section], tab: Tab) -> list[SectionPart]:
    """What stands on a tab, parts of one title as one, those about the chosen facet first; why
    there is nothing where there is not."""
    parts: dict[str, SectionPart] = {}
    for part in _parts(sections, tab):
        before = parts.get(part.title)
        parts[part.title] = part if before is None else _joined(before, part)
    titles = {facet.title for facet in page.facets}
    return sorted(parts.values(), key=lambda part: part.title not in titles)


def _parts(sections: Sequence[Section], tab: Tab) -> Iterator[SectionPart]:
    for section in sorted(sections, key=lambda section: section.tab is not tab):
        for part in section.parts:
            panels = [panel for panel in part.panels if (panel.tab or section.tab) is tab]
            drawings = [drawing for drawing in part.drawings if drawing.on(tab, section.tab)]
            missing_reason = part.missing_reason if section.tab is tab else ""
            shown = replace(part, panels=panels, drawings=drawings, missing_reason=missing_reason)
            if shown:
                yield condensed(replace(shown, crowded=part.crowded if tab is Tab.QUALITY else 0))


def _rank(drawing: Drawing) -> int:
    """Figures of all raters or systems together come before those of each."""
    return TOGETHER.index(drawing.kind) if drawing.kind in TOGETHER else len(TOGETHER)


def _joined(first: SectionPart, second: SectionPart) -> SectionPart:
    return replace(
        first,
        panels=[*first.panels, *second.panels],
        drawings=sorted([*first.drawings, *second.drawings], key=_rank),
        missing_reason=first.missing_reason or second.missing_reason,
        reasons=[*first.reasons, *second.reasons],
        crowded=first.crowded or second.crowded,
    )
