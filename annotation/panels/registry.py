"""All panels. A new one is a module and a line here."""

from django.db.models import Q
from django.urls import reverse

from annotation.models import Round, Study
from annotation.panels import account, generic, invitation, mturk, prolific
from annotation.panels.contract import Panel, Recruitment

PANELS: tuple[Panel, ...] = (
    invitation.PANEL,
    prolific.PANEL,
    generic.PANEL,
    mturk.PANEL,
    account.PANEL,
)

# In words, where the panel is not one platform.
_TITLES = {
    "invitation": "Invitation links",
    "account": "Accounts of this installation",
    "generic": "Another panel, by its links",
}
_BY_SLUG = {panel.slug: panel for panel in PANELS}


def panel_of(study: Study) -> Panel:
    """The panel that the study file names; invitations where it names none that we know."""
    return _BY_SLUG.get(Recruitment.of(study.recruitment).panel, invitation.PANEL)


def panel_title(slug: str) -> str:
    """A panel in words."""
    panel = _BY_SLUG.get(slug)
    return (panel and panel.name) or _TITLES.get(slug, slug)


def missing_for_panel(study: Study) -> list[str]:
    """The recruitment keys that the study's panel needs and that are missing."""
    failing = study.rounds.filter(failing=Round.Failing.SCREEN_OUT)
    may_fail = Q(pass_accuracy__isnull=False) | Q(keep_accuracy__isnull=False)
    screens_out = bool(study.comprehension) or failing.filter(may_fail).exists()
    return panel_of(study).missing(Recruitment.of(study.recruitment), screens_out=screens_out)


def frame_origins(study: Study) -> tuple[str, ...]:
    """The origins that may show the study's worker pages in a frame; empty for none."""
    return panel_of(study).frame_origins(Recruitment.of(study.recruitment))


def arrival_link(study: Study) -> str | None:
    """The path and query that researchers enter at the panel; None for invitations."""
    panel = panel_of(study)
    query = panel.placeholders(Recruitment.of(study.recruitment))
    if query is None:
        return None
    address = reverse("annotation:arrive", args=[study.slug, panel.slug])
    return f"{address}?{query}" if query else address
