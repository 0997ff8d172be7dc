"""One unit with all answers of people and machines to it, side by side."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Prefetch

from agreement import set_scores
from annotation.models import Annotation, Question, Rater, Rating, Study, Unit
from estimates.data.facts.gold import rate_references
from estimates.data.not_counted import why_not_counted
from estimates.data.report_names import report_names
from judges.models import Call
from results.reading.wording import number_text
from tasktypes.facets import RatingValue

# More choices than this are listed, not drawn as columns.
MOST_COLUMNS = 12


@dataclass(frozen=True)
class StoredAnswer:
    """One answer: a value per facet and element, and where it stands. whole: those of its values
    that are about the unit as a whole."""

    who: str
    kind: str
    values: Sequence[str]
    chosen: Sequence[bool]
    whole: Sequence[str] = ()
    f1: float | None = None
    at: datetime | None = None
    standing: str = ""
    replies: Sequence[Call] = ()
    # The stored answer; none for the right one.
    annotation: Annotation | None = None


@dataclass(frozen=True)
class AboutElement:
    """The answers about one part of the unit: per facet the right value first, if known, then
    one of each answer."""

    name: str
    facets: Sequence[tuple[str, Sequence[str]]]


@dataclass(frozen=True)
class AnsweredQuestion:
    """One question of the unit with all of its answers; the right one first, if known."""

    question: Question
    title: str
    heads: Sequence[str]
    columns: Sequence[str]
    reference: StoredAnswer | None
    answers: Sequence[StoredAnswer]
    whole_heads: Sequence[str] = ()
    elements: Sequence[AboutElement] = ()

    @property
    def scored(self) -> bool:
        """Whether some answer has an F1 to show."""
        return any(answer.f1 is not None for answer in self.answers)


def asked_about(unit: Unit, *, superseded: bool = False) -> list[AnsweredQuestion]:
    """Every question of a unit with its answers; a constant number of queries. superseded: also
    those that a later answer has replaced."""
    return asked_about_each(unit.study, [unit.pk], superseded=superseded)[unit.pk]


def asked_about_each(
    study: Study,
    units: Sequence[int],
    *,
    kinds: Collection[str] = tuple(Rater.Kind),
    superseded: bool = False,
) -> dict[int, list[AnsweredQuestion]]:
    """The same for several units, with the answers of raters of these kinds alone."""
    annotations = Prefetch(
        "annotations",
        _annotations(superseded=superseded).filter(rater__kind__in=kinds),
        to_attr="given",
    )
    questions = list(
        Question.objects.filter(study=study, unit__in=units)
        .order_by("block__position")
        .select_related("block")
        .prefetch_related(annotations)
    )
    names = report_names(study, list(study.raters.filter(kind=Rater.Kind.JUDGE)))
    by_unit: dict[int, list[AnsweredQuestion]] = {unit: [] for unit in units}
    for question, reference in zip(questions, rate_references(questions), strict=True):
        by_unit[question.unit_id].append(_asked(question, reference, names))
    return by_unit


def _annotations(*, superseded: bool) -> Any:
    answers = Annotation.objects.all() if superseded else Annotation.objects.filter(**NEWEST)
    return (
        answers.unsealed()
        .select_related("rater__participation", "round", "question__unit", "assignment")
        .prefetch_related(
            Prefetch("ratings", queryset=Rating.objects.order_by("pk")),
            Prefetch("calls", queryset=Call.objects.order_by("sample")),
        )
        .order_by("rater__kind", "rater__name", "rater__version", "replicate", "-pk")
    )


NEWEST = {"superseded_at": None}
Key = tuple[str, str]


def _asked(
    question: Question, rated: Sequence[RatingValue], names: Mapping[int, str]
) -> AnsweredQuestion:
    annotations: list[Annotation] = question.given  # type: ignore[attr-defined]  # prefetched
    reference = {(rating.facet, rating.element): rating.value for rating in rated}
    values = [annotation.values for annotation in annotations]
    keys = list(dict.fromkeys(key for of in [reference, *values] for key in of))
    columns = _columns([reference, *values], keys)
    drawn = [_members(of, columns) for of in values]
    whole = [key for key in keys if not key[1]]
    answers = [
        StoredAnswer(
            who=_who(annotation, names),
            kind=annotation.rater.kind,
            values=[] if columns else [text_of(of.get(key)) for key in keys],
            chosen=chosen,
            whole=[] if columns else [text_of(of.get(key)) for key in whole],
            f1=_f1(of, reference),
            at=annotation.created_at,
            standing=why_not_counted(annotation),
            replies=list(annotation.calls.all()),
            annotation=annotation,
        )
        for annotation, of, chosen in zip(annotations, values, drawn, strict=True)
    ]
    right = StoredAnswer(
        who="",
        kind="reference",
        values=[] if columns else [text_of(reference.get(key)) for key in keys],
        chosen=_members(reference, columns),
        whole=[] if columns else [text_of(reference.get(key)) for key in whole],
    )
    return AnsweredQuestion(
        question=question,
        title=f"{question.block.task_type.title}",
        heads=[] if columns else [_head(question, *key) for key in keys],
        columns=_column_heads(question, keys, columns),
        reference=right if reference else None,
        answers=answers,
        whole_heads=[] if columns else [facet for facet, _element in whole],
        elements=[] if columns else _elements(question, [reference, *values], keys),
    )


def _head(question: Question, facet: str, element: str) -> str:
    """A quantity, and the part that it is about in the words of the question, whose page may number
    parts otherwise."""
    kind, payload = question.block.task_type, question.typed_payload
    text = kind.element_text(payload, facet, element) if element else ""
    return " ".join(filter(None, (facet, text or element)))


def _elements(
    question: Question, all_values: Sequence[Mapping[Key, Any]], keys: Sequence[Key]
) -> list[AboutElement]:
    """One per part of the unit in its words. Parts of several kinds share numbers, so that a part
    is known by both its number and its text."""
    columns = all_values if all_values[0] else all_values[1:]
    kind, payload = question.block.task_type, question.typed_payload
    about_each: dict[tuple[str, str], list[tuple[str, Sequence[str]]]] = {}
    for facet, element in sorted(keys, key=_by_element):
        if element:
            about = (element, kind.element_text(payload, facet, element))
            texts = [text_of(values.get((facet, element))) for values in columns]
            about_each.setdefault(about, []).append((facet, texts))
    return [AboutElement(text or element, facets) for (element, text), facets in about_each.items()]


def _by_element(key: Key) -> tuple[bool, int, str]:
    """Numbers by their size, else by name."""
    number = int(key[1]) if key[1].isdecimal() else 0
    return not key[1].isdecimal(), number, key[1]


def _who(annotation: Annotation, names: Mapping[int, str]) -> str:
    name = names.get(annotation.rater_id, annotation.rater.name)
    return f"{name} #{annotation.replicate}" if annotation.replicate else name


def _columns(all_values: Sequence[Mapping[Key, Any]], keys: Sequence[Key]) -> list[str]:
    """Every chosen member, where answers are sets with few different members."""
    sets = [value for of in all_values for value in of.values() if isinstance(value, frozenset)]
    if len(keys) != 1 or not sets:
        return []
    members = sorted({member for chosen in sets for member in chosen}, key=_in_order)
    if len(members) > MOST_COLUMNS:
        return []
    return [*map(str, members), "none"]


def _column_heads(question: Question, keys: Sequence[Key], columns: Sequence[str]) -> list[str]:
    """The chosen members in the words of the question, whose page may number them otherwise."""
    if not columns:
        return []
    (facet, _element), payload = keys[0], question.typed_payload
    members = [int(column) if column.isdecimal() else column for column in columns[:-1]]
    texts = (
        question.block.task_type.value_text(payload, facet, frozenset([member]))
        for member in members
    )
    return [*(text or str(member) for text, member in zip(texts, members, strict=True)), "none"]


def _in_order(member: int | str) -> tuple[bool, int | str]:
    return isinstance(member, str), member


def _members(values: Mapping[Key, Any], columns: Sequence[str]) -> list[bool]:
    chosen = next(iter(values.values()), None)
    if not columns or chosen is None:
        return [False] * len(columns)
    named = {str(member) for member in chosen} or {"none"}
    return [column in named for column in columns]


def text_of(value: Any) -> str:
    """A value of an answer as pages show it."""
    if isinstance(value, frozenset):
        return ", ".join(map(str, sorted(value, key=_in_order))) or "none"
    if isinstance(value, float | int):
        return f"{value:g}" if float(value).is_integer() else number_text(value)
    return str(value or "–")


def _f1(values: Mapping[Key, Any], reference: Mapping[Key, Any]) -> float | None:
    """F1 against the right answer, averaged over elements, where answers are sets."""
    scores = [
        set_scores(value, reference[key]).f1
        for key, value in values.items()
        if isinstance(value, frozenset) and key in reference
    ]
    return sum(scores) / len(scores) if scores else None


def unit_of(study: Study, unit_id: int) -> Unit | None:
    """The unit with its source, items and subsets, if it is the study's."""
    return (
        Unit.objects.filter(study=study, pk=unit_id)
        .select_related("source", "study")
        .prefetch_related("unit_items__item", "subsets")
        .first()
    )
