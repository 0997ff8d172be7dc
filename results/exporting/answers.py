"""Answers as lines that `import_answers` reads again."""

import json
from collections.abc import Iterator, Mapping

from django.db.models import Exists, OuterRef

from annotation.models import Annotation, Rater, Study, Unit
from annotation.models.answers import AnnotationQuerySet
from results.data.parties import report_names

CHUNK = 2000


def answer_lines(study: Study) -> Iterator[str]:
    """One line per exported answer, in the order in which they were given."""
    names = names_of_raters(study)
    rows = (
        exported(study)
        .order_by("pk")
        .values_list(
            *("question__unit__key", "question__block__key"),
            *("rater_id", "rater__kind", "rater__family", "replicate", "answer"),
        )
    )
    for unit, block, rater, kind, family, replicate, answer in rows.iterator(CHUNK):
        record = {
            "unit": unit,
            "block": block,
            "rater": names[rater],
            "kind": kind,
            **({"family": family} if family else {}),
            "replicate": replicate,
            "answer": answer,
        }
        yield json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"


def exported(study: Study) -> AnnotationQuerySet:
    """The answers behind statistics: standing ones of counting rounds and imports, to normal units
    and controls, but those that are retired. The format knows no pilots or exclusions, so they
    would count once read."""
    roles = (Unit.Role.NORMAL, *Unit.CONTROLS)
    standing = Annotation.objects.filter(study=study).standing()
    standing = standing.exclude(question__unit__check_state__in=Unit.UNUSED)
    return standing.filter(question__unit__role__in=roles).exclude(round__counts=False)


def imported_names(study: Study) -> int:
    """How many people stand in every export, and on the pages, by the name in their file."""
    people = study.raters.filter(kind=Rater.Kind.HUMAN, origin=Rater.Origin.IMPORTED)
    return people.filter(Exists(Annotation.objects.filter(rater=OuterRef("pk")))).count()


def names_of_raters(study: Study) -> Mapping[int, str]:
    """Rater id -> the name that a report uses: a pseudonym for people who answered here,
    the name in their file for imported ones."""
    raters = Rater.objects.filter(study=study, annotations__isnull=False).distinct()
    return report_names(study, list(raters))
