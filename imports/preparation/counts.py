"""How far the lists of a study are prepared, in numbers."""

from typing import Any

from django.db.models import Count

from annotation.models import Block, Preparation, Study, UnitItem
from imports.preparation.targets import blocks_to_prepare, lacking_rows, lists_of
from tasktypes.prepared_lists import PreparedList

State = Preparation.State


def preparation_counts(study: Study) -> list[dict[str, Any]]:
    """A row for each list of a block that can be prepared: their number by state, of what has none,
    and of perturbed items that have a list where their original has none, or the other way round;
    what there is not without a list, and for how many there is not."""
    return [
        _counts(block, prepared)
        for block in blocks_to_prepare(study)
        for prepared in lists_of(block)
    ]


def unprepared(study: Study) -> list[tuple[str, str]]:
    """(block, what it asks by before a list is accepted) of blocks that do not wait for one."""
    return [
        (block.key, until)
        for block in blocks_to_prepare(study)
        for prepared in lists_of(block)
        if (until := prepared.until(block.typed_options))
    ]


def _counts(block: Block, prepared: PreparedList) -> dict[str, Any]:
    about_sources = prepared.about == "source"
    rows = Preparation.objects.filter(block=block, item__isnull=about_sources)
    by_state = dict(rows.values_list("state").annotate(n=Count("pk")).order_by())
    unlisted = lacking_rows(block, name=prepared.name, rejected=True).count()
    return {
        "block": block.key,
        "list": prepared.name,
        "title": prepared.title,
        "missing": lacking_rows(block, name=prepared.name).count(),
        **{str(state): by_state.get(str(state), 0) for state in State},
        "uneven_twins": 0 if about_sources else _uneven_twins(block, prepared),
        "without": prepared.without,
        "are_without": unlisted + by_state.get(str(State.PROPOSED), 0) if prepared.without else 0,
    }


def _uneven_twins(block: Block, prepared: PreparedList) -> int:
    """Pairs of which one has a list of its own, accepted or from its file, and the other none."""
    accepted = Preparation.objects.accepted().filter(block=block).values_list("item", flat=True)
    in_units = UnitItem.objects.filter(
        unit__study=block.study_id, unit__focus__has_key=prepared.name
    )
    listed = {*accepted, *in_units.values_list("item", flat=True)}
    pairs = block.study.items.exclude(perturbed_from=None).values_list("pk", "perturbed_from")
    return sum((twin in listed) != (original in listed) for twin, original in pairs)
