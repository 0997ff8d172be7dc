"""Tables by what groups sources, outputs, units and raters, own columns of files among it."""

from dataclasses import replace

from django.utils.text import slugify
from django.utils.translation import gettext as _

from annotation.queries.group_keys import OF_RATERS
from estimates.catalogue import Table, alpha_of, first_headline
from estimates.data.own_groups import FEWEST_PEOPLE
from estimates.data.parties import HUMANS
from results.dashboard.panels import Page, Panel, Picked
from results.dashboard.tables import means_of_parties
from results.reading.rows import is_pair, with_crowd
from results.reading.titles import key_title, metric_title
from results.tables.detection import detection_of
from tasktypes.facets import Facet

OTHER_KEYS = ("evidence_source", "label", "condition")


def headlines_by_group(page: Page, facet: Facet) -> list[Panel]:
    """The headline figure by evidence source, verdict, condition and own columns."""
    panels, metrics = list[Panel](), page.metrics(facet.name, Table.SYSTEMS)
    for key in (*OTHER_KEYS, *page.study.group_by):
        picked = page.pick(facet.name, metrics, by=[key])
        rows = means_of_parties(page, picked.rows)
        name = first_headline({row.metric for row in rows})
        shown = Picked([row for row in rows if row.metric == name], picked.whole)
        named = key_title(key).lower() if key in OTHER_KEYS else key_title(key)
        title = f"{metric_title(name, facet)}: {named}"
        panels += _panel(page, f"by-{_slug(key)}-{facet.name}", title, shown, key)
    return panels


def agreement_by_own_columns(page: Page, facet: Facet) -> list[Panel]:
    """α of people, and of judges beside them, by every own column."""
    panels = []
    for key in page.study.group_by:
        picked = page.pick(facet.name, {alpha_of(facet.distance)}, by=[key])
        shown = picked.where(lambda row: not is_pair(row) or with_crowd(row))
        title = _("Krippendorff’s α by %(key)s") % {"key": key_title(key)}
        panels += _panel(page, f"among-{_slug(key)}-{facet.name}", title, shown, key)
    return panels


def detection_by_condition(page: Page, facet: Facet) -> list[Panel]:
    """What measures find of the texts that were altered on purpose, beside their false alarms."""
    return [
        Panel(
            f"detection-{facet.name}-{number}",
            replace(grid, title=_("Altered texts found: %(of)s") % {"of": grid.title}),
        )
        for number, grid in enumerate(detection_of(page.rows_of(facet.name)))
    ]


def _panel(page: Page, name: str, title: str, shown: Picked, key: str) -> list[Panel]:
    layout = page.by_key(key)
    if not key.startswith(OF_RATERS):
        return page.panel(name, title, shown, layout)
    people = {row.group[key]: row.estimate.n_raters for row in shown.rows if row.raters == HUMANS}
    layout = replace(layout, line_title=lambda group: _people(group, people.get(group)))
    return page.panel(name, title, shown, layout, [_personal()])


def _people(group: str, number: int | None) -> str:
    """A group with the number of its people."""
    return f"{group} ({_('%(n)d people') % {'n': number}})" if number else group


def _slug(key: str) -> str:
    return slugify(key, allow_unicode=True)


def _personal() -> str:
    return _(
        "What files tell of raters is personal data: viewers, exports and shared pages get no "
        "figures by it. Groups of fewer than %(fewest)d people are not shown by themselves."
    ) % {"fewest": FEWEST_PEOPLE}
