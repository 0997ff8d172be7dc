"""The ratings of an audit's questions alone: a page must not read a whole study for them."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Q, QuerySet

from annotation.models import AuditedQuestion, Question, Study, Unit, UnitItem
from annotation.models.answers import AnnotationQuerySet
from estimates.data.database import CHUNK, NAME_FIELDS, DatabaseRecords
from estimates.data.records import ShownItem
from estimates.data.table import Table, build_table


def audited_table(study: Study, audits: Iterable[int]) -> Table:
    """The counted ratings of the questions in these audits (by id), and what they are about."""
    return build_table(_Audited(study, list(audits)))


class _Audited(DatabaseRecords):
    """The rows of a study that are about questions of some audits."""

    def __init__(self, study: Study, audits: list[int]) -> None:
        super().__init__(study)
        self._questions = AuditedQuestion.objects.filter(audit__in=audits).values("question")

    def _counted(self, answers: AnnotationQuerySet) -> AnnotationQuerySet:
        return super()._counted(answers).filter(question__in=self._questions)

    def _normal_questions(self) -> QuerySet[Question]:
        return super()._normal_questions().filter(pk__in=self._questions)

    def _units(self) -> QuerySet[Unit]:
        asked = Question.objects.filter(pk__in=self._questions)
        return Unit.objects.filter(pk__in=asked.values("unit"), role=Unit.Role.NORMAL)

    def units(self) -> Iterable[tuple[int, int]]:
        return self._units().order_by("pk").values_list("pk", "source_id").iterator(CHUNK)

    def verdicts(self) -> Iterable[tuple[int, str]]:
        of_units = Q(units__in=self._units()) | Q(items__units__in=self._units())
        sources = self.study.sources.filter(of_units).distinct()
        return sources.order_by("pk").values_list("pk", "verdict").iterator(CHUNK)

    def shown_items(self) -> Iterable[ShownItem]:
        shown: Any = UnitItem.objects.filter(unit__in=self._units())
        rows = shown.order_by("unit_id", "position").values_list(
            "unit_id", "item_id", "item__key", "item__source_id", *NAME_FIELDS
        )
        for unit, item, key, source, *names in rows.iterator(CHUNK):
            yield ShownItem(unit, item, key, source, tuple(names))

    def subset_units(self) -> Iterable[tuple[str, int]]:
        return ()
