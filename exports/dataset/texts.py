"""The texts that labels are about, read for a few hundred units at a time."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from statistics import median

from annotation.models import Item, Question, Rater, Source, Subset, Unit, UnitItem
from annotation.models.answers import AnnotationQuerySet
from tasktypes.facets import ItemName, called
from tasktypes.schemas import Schema
from tasktypes.texts.material import is_known
from tasktypes.texts.surroundings import turns_text


class UnitTexts:
    """Some units with their sources, items and subsets, and the questions about them. answers:
    those that labels are made of."""

    def __init__(
        self, units: Collection[int], questions: Collection[int], answers: AnnotationQuerySet
    ) -> None:
        self.units = Unit.objects.select_related("source").in_bulk(units)
        self.seconds = _median_seconds(answers.filter(question__in=questions))
        self._questions = questions
        self._asked: dict[int, tuple[Question, Schema]] | None = None
        self._items: dict[int, list[Item]] = defaultdict(list)
        shown = UnitItem.objects.filter(unit__in=units).order_by("unit", "position")
        for unit_item in shown.select_related("item"):
            self._items[unit_item.unit_id].append(unit_item.item)
        self.subsets: dict[int, list[str]] = defaultdict(list)
        subsets = Subset.objects.filter(units__in=units).order_by("name")
        for unit, name in subsets.values_list("units", "name"):
            self.subsets[unit].append(name)

    def item(self, unit: int, item: int) -> Item | None:
        """The item of this id, None where the unit shows none such."""
        return next((shown for shown in self._items[unit] if shown.pk == item), None)

    def candidates(self, unit: int) -> tuple[list[str], list[str]]:
        """The texts of a unit's items, and what labels call them."""
        items = self._items[unit]
        names = called([ItemName(item.key, item.system) for item in items])
        return [item.text for item in items], names

    def element_text(self, question: int, facet: str, element: str) -> str:
        """What an element stands for, in the words of the question."""
        if self._asked is None:
            # Read only where something has elements: payloads are as large as the texts.
            stored = Question.objects.filter(pk__in=self._questions).select_related("block")
            self._asked = {asked.pk: (asked, asked.typed_payload) for asked in stored}
        asked, payload = self._asked[question]
        return str(asked.block.task_type.element_text(payload, facet, element))


def source_cells(source: Source) -> Sequence[object]:
    """Claim, query, document, verdict, and the passages with their numbers."""
    talk = turns_text(source.material.turns) if source.turns else ""
    texts = (source.claim, source.query, source.document or talk)
    return (
        *(text if is_known(text) else "" for text in texts),
        source.verdict,
        [passage["text"] for passage in source.passages],
        [passage["index"] for passage in source.passages],
    )


def _median_seconds(answers: AnnotationQuerySet) -> Mapping[int, float]:
    """The median of people's active seconds, by question."""
    timed = answers.filter(rater__kind=Rater.Kind.HUMAN)
    seconds: dict[int, list[float]] = defaultdict(list)
    for question, value in timed.values_list("question_id", "active_seconds"):
        if value is not None:
            seconds[question].append(value)
    return {question: median(values) for question, values in seconds.items()}
