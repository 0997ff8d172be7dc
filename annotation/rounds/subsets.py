"""Putting units into subsets of a study, and taking them out."""

from collections.abc import Collection

from django.db import transaction

from annotation.models import Study, Subset, Unit
from annotation.rounds.fixed_batches import fix_batches
from annotation.rounds.places import open_places

LONGEST_NAME = 80


@transaction.atomic
def add_to_subset(*, study: Study, units: Collection[int], name: str) -> list[int]:
    """Put units into the subset of that name, which is made where there is none; those that were
    not in it. `open_setting` gives those of the study's own setting their places."""
    if not name.strip() or len(name) > LONGEST_NAME:
        raise ValueError(f"name: from 1 to {LONGEST_NAME} characters")
    subset, _ = Subset.objects.get_or_create(study=study, name=name.strip())
    Subset.objects.select_for_update().get(pk=subset.pk)
    new = study.units.filter(pk__in=units).exclude(subsets=subset)
    keys = list(new.values_list("pk", flat=True))
    link = Unit.subsets.through
    link.objects.bulk_create(link(unit_id=key, subset_id=subset.pk) for key in keys)
    if keys:
        study.touch()
    return keys


@transaction.atomic
def remove_from_subset(*, study: Study, units: Collection[int], name: str) -> list[int]:
    """Take units out of a subset; those that were in it. Their places and answers stay."""
    links = Unit.subsets.through.objects.filter(
        subset__study=study, subset__name=name, unit__in=units
    )
    keys = list(links.values_list("unit", flat=True))
    links.delete()
    if keys:
        study.touch()
    return keys


def open_setting(*, study: Study, name: str) -> int:
    """Give units that have come into the study's own setting their places; how many were opened."""
    if not name or name != study.setting or not study.rounds.exists():
        return 0
    opened = open_places(study)
    if study.state == Study.State.OPEN:
        fix_batches(study=study)
    return opened
