"""How far the lists of a study are prepared, in numbers."""

from typing import Any

from django.db.models import Count

from annotation.models import Block, Preparation, Study, UnitItem
from imports.preparation.targets import blocks_to_prepare, lacking_rows, list_of

State = Preparation.State


def preparation_counts(study: Study) -> list[dict[str, Any]]:
    """A row for each block that can be prepared: its lists by state, what has none, and how many
    perturbed items have a list where their original has none, or the other way round."""
    return [_counts(block) for block in blocks_to_prepare(study)]


def _counts(block: Block) -> dict[str, Any]:
    rows = Preparation.objects.filter(block=block)
    by_state = dict(rows.values_list("state").annotate(n=Count("pk")).order_by())
    return {
        "block": block.key,
        "list": list_of(block).name,
        "title": list_of(block).title,
        "missing": lacking_rows(block).count(),
        **{str(state): by_state.get(str(state), 0) for state in State},
        "uneven_twins": _uneven_twins(block),
    }


def _uneven_twins(block: Block) -> int:
    """Pairs of which one has a list of its own, accepted or from its file, and the other none."""
    prepared = list_of(block)
    if prepared.about == "source":
        return 0  # twins share their source
    accepted = Preparation.objects.accepted().filter(block=block).values_list("item", flat=True)
    in_units = UnitItem.objects.filter(
        unit__study=block.study_id, unit__focus__has_key=prepared.name
    )
    listed = {*accepted, *in_units.values_list("item", flat=True)}
    pairs = block.study.items.exclude(perturbed_from=None).values_list("pk", "perturbed_from")
    return sum((twin in listed) != (original in listed) for twin, original in pairs)
