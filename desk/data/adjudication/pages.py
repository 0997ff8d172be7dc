"""What the page of a case shows: the question, and all answers to it side by side."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from annotation.models import AdjudicationCase, Annotation, Question, Rating
from annotation.work.drafts import answer_form
from estimates.data.facts.gold import rate_references
from estimates.data.report_names import report_names
from judges.models import Call
from tasktypes.facets import RatingValue, Value, in_words
from tasktypes.pages.answer_forms import AnswerForm

Key = tuple[str, str]


@dataclass(frozen=True)
class Candidate:
    """An answer as it is shown. letter: its name in the API; the page numbers answers, as letters
    are what a question calls its texts. who: empty as long as the case is blind."""

    letter: str
    annotation: Annotation
    summary: str
    texts: Sequence[str]
    who: str = ""
    kind: str = ""

    @property
    def is_excluded(self) -> bool:
        return bool(self.annotation.excluded_reason)


@dataclass(frozen=True)
class ComparedPart:
    """One quantity of the question with the value that each answer has there, and whether these
    differ."""

    name: str
    cells: Sequence[tuple[str, bool]]
    differs: bool
    right: str = ""


@dataclass(frozen=True)
class SideBySide:
    """All answers to a question. with_reference: whether the right answer of the file is shown."""

    candidates: Sequence[Candidate]
    parts: Sequence[ComparedPart]
    with_reference: bool

    @property
    def one_below_another(self) -> list[tuple[Candidate, str, bool]]:
        """Each answer with its value, and whether that differs from most, where the question has a
        single part: then answers are rows, which fit any window. Empty for several parts."""
        if len(self.parts) != 1:
            return []
        cells = zip(self.candidates, self.parts[0].cells, strict=True)
        return [(candidate, text, other) for candidate, (text, other) in cells]


def side_by_side(case: AdjudicationCase) -> SideBySide:
    """The standing answers of a case's question, in an order that says nothing about who gave
    them. Names, kinds and the reference only once somebody has asked for them."""
    blind, question = case.revealed_at is None, case.question
    annotations = sorted(_standing(question), key=lambda row: _shuffled(case, row))
    names = {} if blind else report_names(case.study, [row.rater for row in annotations])
    reference = [] if blind else rate_references([question])[0]
    candidates = [
        Candidate(
            letter=letter_of(at),
            annotation=row,
            summary=_summary(question, row),
            texts=(row.reasons or []) + [text for call in row.calls.all() for text in call.texts],
            who=names.get(row.rater_id, ""),
            kind="" if blind else row.rater.kind,
        )
        for at, row in enumerate(annotations)
    ]
    parts = _parts(question, annotations, reference)
    if len(parts) == 1:
        parts = [_in_words_of(question, parts[0], candidates, with_reference=bool(reference))]
    return SideBySide(candidates, parts, bool(reference))


def _in_words_of(
    question: Question, part: ComparedPart, candidates: Sequence[Candidate], *, with_reference: bool
) -> ComparedPart:
    """The only part in the words of the question, whose own numbers may begin with 1."""
    others = [other for _, other in part.cells]
    cells = [(row.summary, other) for row, other in zip(candidates, others, strict=True)]
    right, kind = question.typed_reference if with_reference else None, question.block.task_type
    text = "" if right is None else kind.summary(question.typed_payload, right)
    return replace(part, cells=cells, right=text)


def letter_of(at: int) -> str:
    """A to Z, then AA, AB, …"""
    before, last = divmod(at, len(ascii_uppercase))
    return (letter_of(before - 1) if before else "") + ascii_uppercase[last]


def _standing(question: Question) -> QuerySet[Annotation]:
    """Excluded ones too: that an answer does not count does not make it wrong."""
    return (
        question.annotations.filter(superseded_at=None, withdrawn_at=None)
        .select_related("rater")
        .prefetch_related(
            Prefetch("ratings", queryset=Rating.objects.order_by("pk")),
            Prefetch("calls", queryset=Call.objects.order_by("sample")),
        )
    )


def _shuffled(case: AdjudicationCase, annotation: Annotation) -> bytes:
    return hashlib.blake2b(f"{case.pk}\n{annotation.pk}".encode(), digest_size=8).digest()


def _summary(question: Question, annotation: Annotation) -> str:
    kind = question.block.task_type
    return kind.summary(question.typed_payload, question.typed_answer(annotation.answer))


class _Names:
    """Parts of a question, and values given to them, in the words of its page. Items go by the
    letters under which it shows them: their keys, and their systems, would end the blindness."""

    def __init__(self, question: Question) -> None:
        self.kind, self.payload = question.block.task_type, question.typed_payload
        self.titles = {facet.name: facet.title for facet in question.block.facets}
        self.letters = _letters(question)

    def part(self, facet: str, element: str) -> str:
        name = self.titles.get(facet, facet)
        text = self.kind.element_text(self.payload, facet, element)
        about = self.letters.get(element) or text or element
        return f"{name}: {about}" if element else name

    def value(self, facet: str, value: Value | None) -> str:
        if value is None:
            return ""
        if isinstance(value, str) and value in self.letters:
            return self.letters[value]
        return self.kind.value_text(self.payload, facet, value) or in_words(value)


def _letters(question: Question) -> dict[str, str]:
    """The letter of each item that the question shows side by side, by key and by system."""
    shown = question.payload.get("candidates") or ()
    if not shown:
        return {}
    items = [row.item for row in question.unit.unit_items.select_related("item")]
    by_place = [(items[each["item"]], f"Text {each['letter']}") for each in shown]
    by_system = {item.system: letter for item, letter in by_place if item.system}
    return by_system | {item.key: letter for item, letter in by_place}


def _parts(
    question: Question, annotations: Sequence[Annotation], reference: Sequence[RatingValue]
) -> list[ComparedPart]:
    """Every facet and element that some answer has a value for, in the order of the answers."""
    values = [annotation.values for annotation in annotations]
    right = {(rating.facet, rating.element): rating.value for rating in reference}
    keys, names = dict.fromkeys(key for of in (right, *values) for key in of), _Names(question)
    return [_part(names, key, [of.get(key) for of in values], right.get(key)) for key in keys]


def _part(
    names: _Names, key: Key, given: Sequence[Value | None], right: Value | None
) -> ComparedPart:
    votes = Counter(value for value in given if value is not None)
    most = {value for value, n in votes.items() if n == max(votes.values())}
    words = [names.value(key[0], value) for value in given]
    return ComparedPart(
        name=names.part(*key),
        cells=[
            (text or "–", len(most) == 1 and value not in most)
            for text, value in zip(words, given, strict=True)
        ],
        differs=len(votes) > 1,
        right=names.value(key[0], right),
    )


def draw_form_of(
    case: AdjudicationCase, posted: Mapping[str, Sequence[str]], *, refused: bool
) -> SafeString:
    """The question with its form, as a worker has it, and what was entered so far."""
    form: AnswerForm[Any, Any] = answer_form(case.question, posted or None)
    form.complains, form.text_form = refused, case.study.text_form
    summary = render_to_string("pages/refused.html", {"form": form}) if refused else SafeString("")
    return summary + render_to_string(case.question.block.task_type.template, {"form": form})
