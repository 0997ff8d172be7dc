"""Progress by subset and by system, counted at most every so often."""

from collections.abc import Sequence

from django.core.cache import cache
from django.utils.translation import gettext as _

from annotation.models import Study
from desk.monitoring.progress import GroupProgress, progress_by_subset, progress_by_system

# Seconds for which the counts are kept: they join every place of the study with its unit, which
# takes the longest of what the overview shows, and changes little in that time.
KEPT = 60

Groups = Sequence[tuple[str, Sequence[GroupProgress]]]


def groups_of(study: Study) -> Groups:
    """The kinds of groups with more than one group each, with their title."""
    key = f"groups/{study.pk}"
    kept: Groups | None = cache.get(key)
    if kept is None:
        kinds = [(_("By subset"), progress_by_subset(study))]
        kinds.append((_("By system"), progress_by_system(study)))
        kept = [(title, groups) for title, groups in kinds if len(groups) > 1]
        cache.set(key, kept, KEPT)
    return kept
