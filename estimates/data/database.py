"""The data of a study from the database: a constant number of queries, streamed where rows may be
many."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet, TextField
from django.db.models.functions import Cast

from annotation.models import (
    Annotation,
    Item,
    Question,
    Round,
    Source,
    Study,
    Unit,
    UnitItem,
)
from annotation.models.answers import AnnotationQuerySet, Moment
from annotation.queries.metadata import own_values
from estimates.data.raters import RaterKind, RaterOrigin, RaterRecord
from estimates.data.records import (
    AnswerRecord,
    AskedUnit,
    BlockRecord,
    Chains,
    ControlRecord,
    EvidenceChoice,
    ItemTexts,
    RatingRecord,
    ShownItem,
    StoredReference,
    UnansweredRecord,
)
from estimates.data.study_data import StudyData, gather
from estimates.data.table import Table, build_table
from judges.models import Call
from tasktypes.pages.candidates import ORDER_KNOWN

CHUNK, FEW = 5000, 500
# The fields of items that are called `ITEM_NAMES` in the results.
NAME_FIELDS = ("item__system", "item__evidence_source", "item__condition", "item__system_family")


def from_database(study: Study, *, excluded: bool = False) -> StudyData:
    """The current data of a study. excluded: with excluded answers."""
    return gather(DatabaseRecords(study, excluded=excluded))


def load_table(
    study: Study,
    *,
    facet: str = "",
    excluded: bool = False,
    round_: Round | None = None,
    moment: Moment | None = None,
    sealed: bool = False,
) -> Table:
    """The counted ratings of a study (of one facet, if named) and what they are about.

    excluded: with those that somebody excluded. round_: those of this round alone, whether it
    counts or not. moment: those that were stored then. sealed: with those of judges about the half
    that they are tested on.
    """
    records = DatabaseRecords(
        study, facet=facet, excluded=excluded, round_=round_, moment=moment, sealed=sealed
    )
    return build_table(records)


def block_records(study: Study) -> list[BlockRecord]:
    """The blocks of a study as statistics see them, by position."""
    rows = study.blocks.values_list("pk", "key", "task_type_slug", "options")
    return [BlockRecord.of(*row) for row in rows]


def rater_records(study: Study, **chosen: Any) -> list[RaterRecord]:
    """The raters of a study, or the chosen ones, as statistics see them, by kind, name and
    version."""
    raters = study.raters.filter(**chosen).order_by("kind", "name", "version")
    fields = [name for name in RaterRecord._fields if name != "numbered"]
    return [_numbered(RaterRecord(*row), study) for row in raters.values_list(*fields)]


def _numbered(rater: RaterRecord, study: Study) -> RaterRecord:
    is_number = study.numbers_raters and rater.origin == RaterOrigin.IMPORTED
    return rater._replace(numbered=is_number and rater.kind != RaterKind.JUDGE)


class DatabaseRecords:
    """The rows of a study as `Records`."""

    def __init__(
        self,
        study: Study,
        *,
        facet: str = "",
        excluded: bool = False,
        round_: Round | None = None,
        moment: Moment | None = None,
        sealed: bool = False,
    ) -> None:
        self.study = study
        self.facet = facet
        self.excluded = excluded
        self.round_ = round_
        self.moment = moment
        self.sealed = sealed
        self.epsilon = study.epsilon
        self.overlap = study.overlap
        self.margins: Mapping[str, float] = study.margins
        self.group_by: Sequence[str] = study.group_by
        self.published: Sequence[Mapping[str, Any]] = study.imported.get("published", [])

    def own_values(self, key: str) -> Iterable[tuple[int, str]]:
        return own_values(self.study, key)

    @cached_property
    def _blocks(self) -> Sequence[BlockRecord]:
        return block_records(self.study)

    def blocks(self) -> Sequence[BlockRecord]:
        return self._blocks

    def rounds(self) -> Mapping[int, str]:
        return dict(Round.objects.filter(study=self.study).values_list("pk", "name"))

    def raters(self) -> Sequence[RaterRecord]:
        return rater_records(self.study)

    def ratings(self) -> Iterable[RatingRecord]:
        """One query. Sets come as text: each distinct one is read once, not once per rating."""
        # One filter() call, or each condition would join the ratings anew.
        wanted: dict[str, Any] = (
            {"ratings__facet": self.facet} if self.facet else {"ratings__isnull": False}
        )
        answers = Annotation.objects.filter(study=self.study)
        if self.round_ is None:
            counted = self._counted(answers)
        else:
            counted = answers.of_round(self.round_, self.moment)
        rows = (
            counted.filter(**wanted)
            .annotate(members=Cast("ratings__members", TextField()))
            # PostgreSQL promises no order by itself, and sums depend on it in their last digits.
            .order_by("pk", "ratings__pk")
            .values_list(
                *("question_id", "rater_id", "replicate", "round_id"),
                *("ratings__facet", "ratings__element", "ratings__number", "ratings__label"),
                "members",
            )
        )
        return map(RatingRecord._make, rows.iterator(CHUNK))

    def units(self) -> Iterable[tuple[int, int]]:
        normal = Unit.objects.filter(study=self.study, role=Unit.Role.NORMAL)
        return normal.order_by("pk").values_list("pk", "source_id").iterator(CHUNK)

    def verdicts(self) -> Iterable[tuple[int, str]]:
        return self.study.sources.order_by("pk").values_list("pk", "verdict").iterator(CHUNK)

    def shown_items(self) -> Iterable[ShownItem]:
        rows = (
            UnitItem.objects.filter(unit__study=self.study, unit__role=Unit.Role.NORMAL)
            .order_by("unit_id", "position")
            .values_list("unit_id", "item_id", "item__key", "item__source_id", *NAME_FIELDS)
        )
        for unit, item, key, source, *names in rows.iterator(CHUNK):
            yield ShownItem(unit, item, key, source, tuple(names))

    def subset_units(self) -> Iterable[tuple[str, int]]:
        members = Unit.subsets.through.objects.filter(subset__study=self.study)
        rows = members.order_by("subset_id").values_list("subset__name", "unit_id")
        return rows.iterator(CHUNK)

    def questions(self) -> Iterable[tuple[int, int]]:
        return self._normal_questions().values_list("pk", "unit_id").iterator(CHUNK)

    def references(self) -> Iterable[StoredReference]:
        return self._stored(self._normal_questions().order_by("pk"))

    def control_questions(self) -> Iterable[StoredReference]:
        controls = self.study.units.checked_controls()
        return self._stored(Question.objects.filter(study=self.study, unit__in=controls))

    def control_answers(self) -> Iterable[ControlRecord]:
        rows = (
            Annotation.objects.filter(
                study=self.study,
                question__unit__in=self.study.units.checked_controls(),
                question__reference__isnull=False,
            )
            .standing(excluded=self.excluded, moment=self.moment)
            .order_by("pk")
            .values_list("question_id", "rater_id", "answer", "round__name", "round__counts")
        )
        return map(ControlRecord._make, rows.iterator(FEW))

    def times(self) -> Iterable[tuple[int, int, float]]:
        answers = Annotation.objects.filter(study=self.study, active_seconds__isnull=False)
        rows = (
            self._counted(answers)
            .order_by("pk")
            .values_list("question__block_id", "rater_id", "active_seconds")
        )
        for block, rater, seconds in rows.iterator(CHUNK):
            assert seconds is not None  # as filtered
            yield block, rater, seconds

    def answers(self, block: BlockRecord) -> Iterator[AnswerRecord]:
        """A question's texts are read once for all of its answers."""
        answers = Annotation.objects.filter(study=self.study, question__block=block.pk)
        rows = self._counted(answers).select_related("question__unit__source")
        texts: AskedUnit | None = None
        for row in rows.order_by("question_id", "pk").iterator(CHUNK):
            if texts is None or texts.question != row.question_id:
                question, unit = row.question, row.question.unit
                texts = AskedUnit.of(
                    *(block, (question.pk, unit.pk), unit.source.material),
                    payload=question.payload,
                    focus=unit.focus,
                )
            yield AnswerRecord(texts, row.rater_id, row.replicate, row.round_id, row.answer)

    def perturbed(self) -> Iterable[tuple[int, int]]:
        pairs = Item.objects.filter(study=self.study, perturbed_from__isnull=False)
        return pairs.values_list("pk", "perturbed_from_id").iterator(CHUNK)

    def sentences(self) -> Iterable[tuple[int, Sequence[Mapping[str, Any]]]]:
        items = Item.objects.filter(study=self.study).order_by("pk")
        return items.values_list("pk", "sentences").iterator(FEW)

    def item_texts(self) -> Iterator[ItemTexts]:
        sources = Source.objects.filter(study=self.study).iterator(FEW)
        typed = {source.pk: source.material for source in sources}
        for item in self._result_items().order_by("pk").iterator(FEW):
            yield ItemTexts(item.pk, item.source_id, item.material, typed[item.source_id])

    def chains(self) -> Iterable[Chains]:
        sources = Source.objects.filter(study=self.study).exclude(chains=[]).order_by("pk")
        rows = sources.values_list("pk", "chains", "passages").iterator(FEW)
        return map(Chains._make, rows)

    def choices(self, *, but: Sequence[str]) -> Iterable[EvidenceChoice]:
        items = self._result_items().exclude(evidence_source__in=but).order_by("source_id", "pk")
        rows = items.values_list("pk", "key", "source_id", "evidence_source").iterator(CHUNK)
        return map(EvidenceChoice._make, rows)

    def payloads(self, blocks: Sequence[BlockRecord]) -> Iterable[tuple[int, int, Any]]:
        ids = [block.pk for block in blocks]
        questions = self._normal_questions().filter(block__in=ids).order_by("pk")
        return questions.values_list("unit_id", "block_id", "payload").iterator(FEW)

    def unknown_orders(self) -> Iterable[int]:
        units = Unit.objects.filter(study=self.study, **{f"focus__{ORDER_KNOWN}": False})
        return units.values_list("pk", flat=True)

    def unanswered(self) -> Iterable[UnansweredRecord]:
        answers = Annotation.objects.filter(
            rater=OuterRef("run__rater"), question=OuterRef("question"), superseded_at=None
        )
        failed = Call.objects.filter(
            run__study=self.study, run__probe_set=None, status__in=Call.FAILED
        )
        rows = (
            failed.filter(~Exists(answers), question__unit__role=Unit.Role.NORMAL)
            .exclude(question__unit__source__sealed=True)
            .order_by("run__rater", "question")
            .values_list("question__unit", "question__block__key", "run__rater")
            .distinct()
        )
        return map(UnansweredRecord._make, rows)

    def differing(self) -> Sequence[str]:
        odd: Mapping[str, Sequence[str]] = self.study.imported.get("odd", {})
        return odd.get("selected_passages_differ", [])

    def _counted(self, answers: AnnotationQuerySet) -> AnnotationQuerySet:
        return answers.counted(excluded=self.excluded, moment=self.moment, sealed=self.sealed)

    def _normal_questions(self) -> QuerySet[Question]:
        return Question.objects.filter(study=self.study, unit__role=Unit.Role.NORMAL)

    def _result_items(self) -> QuerySet[Item]:
        """What controls, examples and training are about enters no figure of items."""
        apart = self.study.units.exclude(role=Unit.Role.NORMAL)
        apart = apart.exclude(check_state__in=Unit.UNCHECKED)
        return Item.objects.filter(study=self.study).exclude(units__in=apart)

    def _stored(self, questions: QuerySet[Question]) -> Iterable[StoredReference]:
        rows = questions.filter(reference__isnull=False).values_list(
            *("pk", "unit_id", "unit__source_id", "block_id", "payload", "reference")
        )
        return map(StoredReference._make, rows.iterator(FEW))
