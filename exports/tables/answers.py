"""Answers as lines that `import_answers` reads again."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from django.db.models import Exists, OuterRef

from annotation.models import Annotation, Rater, Study, Unit
from annotation.models.answers import AnnotationQuerySet, Moment
from estimates.data.report_names import report_names
from imports.demonstration import kind_outside
from judges.models import Call, JudgeRun

CHUNK = 2000


def answer_lines(
    study: Study, *, moment: Moment | None = None, personal: bool = False
) -> Iterator[str]:
    """One line per exported answer, in the order in which they were given. personal: with what
    people wrote beside it here."""
    names, reasoned = names_of_raters(study), _raters_with_reasons(study)
    rows = (
        exported(study, moment=moment)
        .order_by("pk")
        .values_list(
            *("pk", "question__unit__key", "question__block__key"),
            *(
                "rater_id",
                "rater__kind",
                "rater__origin",
                "rater__family",
                "replicate",
                "answer",
                "reasons",
                "metadata",
            ),
        )
    )
    stored = rows.iterator(CHUNK)
    while chunk := list(islice(stored, CHUNK)):
        reasons = _reasons([row[0] for row in chunk if row[3] in reasoned])
        for pk, unit, block, rater, kind, origin, family, replicate, answer, imported, own in chunk:
            ours = origin == Rater.Origin.HERE and not personal
            said = (None if ours else imported) or reasons.get(pk)
            record = {
                "unit": unit,
                "block": block,
                "rater": names[rater],
                "kind": kind_outside(study, kind, origin),
                **({"family": family} if family else {}),
                "replicate": replicate,
                "answer": answer,
                **({"reasons": said} if said else {}),
                **({"metadata": own} if own else {}),
            }
            yield json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"


def _raters_with_reasons(study: Study) -> frozenset[int]:
    """The judges that give a reason before an answer."""
    runs = JudgeRun.objects.filter(study=study, judge__parameters__has_key="reason")
    return frozenset(runs.values_list("rater_id", flat=True))


def _reasons(annotations: Sequence[int]) -> Mapping[int, list[str]]:
    """The reasons behind answers, in the order of the calls."""
    reasons: dict[int, list[str]] = defaultdict(list)
    calls = Call.objects.filter(annotation__in=annotations, detail__has_key="reason")
    for annotation, detail in calls.order_by("sample").values_list("annotation_id", "detail"):
        reasons[annotation].append(detail["reason"])
    return reasons


def exported(study: Study, *, moment: Moment | None = None) -> AnnotationQuerySet:
    """The answers behind statistics: standing ones of counting rounds and imports, to normal units
    and controls, but those that are retired. The format knows no pilots or exclusions, so they
    would count once read."""
    roles = (Unit.Role.NORMAL, *Unit.CONTROLS)
    standing = Annotation.objects.filter(study=study).standing(moment=moment)
    standing = standing.exclude(question__unit__check_state__in=Unit.UNUSED)
    return standing.filter(question__unit__role__in=roles).exclude(round__counts=False)


def imported_names(study: Study) -> int:
    """How many people stand in every export, and on the pages, by the name in their file."""
    people = study.raters.filter(kind=Rater.Kind.HUMAN, origin=Rater.Origin.IMPORTED)
    return people.filter(Exists(Annotation.objects.filter(rater=OuterRef("pk")))).count()


class _Names(dict[int, str]):
    """Names of raters; those of whoever answers first while they are in use are read then."""

    def __init__(self, study: Study) -> None:
        super().__init__(_names_now(study))
        self._study = study

    def __missing__(self, rater: int) -> str:
        now = _names_now(self._study)
        self.update(now)
        return now[rater]


def names_of_raters(study: Study) -> Mapping[int, str]:
    """Rater id -> the name that a report uses: a pseudonym for people who answered here,
    the name in their file for imported ones."""
    return _Names(study)


def _names_now(study: Study) -> Mapping[int, str]:
    raters = Rater.objects.filter(study=study, annotations__isnull=False).distinct()
    return report_names(study, list(raters))
