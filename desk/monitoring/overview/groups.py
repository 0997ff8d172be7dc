"""Progress by subset and by system, counted at most every so often."""

import time
from collections.abc import Sequence
from typing import NamedTuple

from django.core.cache import cache
from django.utils.translation import gettext as _

from annotation.models import Study
from desk.monitoring.overview.progress import GroupProgress, progress_by_subset, progress_by_system

# Seconds for which the counts of a study of so many units are kept: they join every place with its
# unit, which takes the longest of what the overview shows, and changes little in that time.
KEPT, LARGE = 60, 5_000
# Of what takes long no more than one part in so many of the time is spent on it.
PART = 60

# Groups of a kind that are listed at most.
MOST = 20


class Groups(NamedTuple):
    """Groups of a kind, the least complete first, under a title. left_out: how many more there
    are."""

    title: str
    listed: Sequence[GroupProgress]
    left_out: int


def groups_of(study: Study, units: int) -> list[Groups]:
    """The kinds of groups with more than one group each. units: how many the study has in rounds
    that count."""
    if units < LARGE:
        return _count(study)
    key = f"groups/{study.pk}"
    kept: list[Groups] | None = cache.get(key)
    if kept is None:
        began = time.monotonic()
        kept = _count(study)
        cache.set(key, kept, max(KEPT, PART * (time.monotonic() - began)))
    return kept


def _count(study: Study) -> list[Groups]:
    kinds = [
        (_("By subset"), progress_by_subset(study)),
        (_("By system"), progress_by_system(study)),
    ]
    return [
        Groups(title, groups[:MOST], max(0, len(groups) - MOST))
        for title, groups in kinds
        if len(groups) > 1
    ]
