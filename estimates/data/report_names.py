"""The names of raters in a study's report."""

from collections import Counter
from collections.abc import Sequence

from django.db.models import Exists, OuterRef, Q

from annotation.models import Annotation, Rater, Study
from estimates.data.parties import names_by_version
from estimates.data.raters import RaterRecord


def report_names(study: Study, raters: Sequence[Rater]) -> dict[int, str]:
    """Rater id -> name in the study's report, also of raters who are not in it: the newest version
    with answers that count by its plain name, the others by theirs. One query; none where no two
    share a name."""
    times = Counter(rater.name for rater in raters)
    shared = [rater.pk for rater in raters if times[rater.name] > 1]
    if not shared:
        return {rater.pk: rater.name for rater in raters}
    controls = Q(question__unit__in=study.units.checked_controls())
    answers = Annotation.objects.filter(rater=OuterRef("pk"))
    counted = Exists(answers.counted()) | Exists(answers.standing().filter(controls))
    among = study.raters.filter(counted, pk__in=shared)
    reported = set(among.values_list("pk", flat=True))
    records = [RaterRecord(r.pk, r.name, r.kind, r.origin, r.version) for r in raters]
    return names_by_version([one for one in records if one.pk in reported], records)
