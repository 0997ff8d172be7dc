"""Likert: one or more qualities of a text, each by a point of its own scale or a label."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby

from tasktypes.contract import TaskType
from tasktypes.facets import Facet, RatingValue, text_at
from tasktypes.likert import schema, sheet
from tasktypes.likert.example import EXAMPLE
from tasktypes.likert.form import LikertForm
from tasktypes.likert.slots import SLOTS
from tasktypes.machines.replies import answer_in
from tasktypes.machines.scores import InScores, Score, ScorePoint, Scoring, against
from tasktypes.machines.votes import together
from tasktypes.pages.candidates import candidates, drawn
from tasktypes.pages.comparison import Compared, listed, part_name
from tasktypes.pages.criteria import check_complete
from tasktypes.pages.elicitation import Elicitation
from tasktypes.pages.sheets import InSheets, Table
from tasktypes.plans import Focus, UnitPlan
from tasktypes.texts.material import Item, Source
from tasktypes.texts.surroundings import ShownInParts, as_prompt, shown, surroundings


class Likert(
    ShownInParts,
    TaskType[schema.Options, schema.Payload, schema.Answer],
    InSheets[schema.Payload, schema.Answer],
    InScores[schema.Payload, schema.Answer],
):
    """Choose a labelled point for every criterion."""

    slug = "likert"
    title = "Rating by criteria"
    elicitation = Elicitation("direct quality estimation")
    Options = schema.Options
    Payload = schema.Payload
    Answer = schema.Answer
    Form = LikertForm
    example = EXAMPLE
    slots = SLOTS
    first_options = ("criteria", "criteria.title", "criteria.question", "criteria.points")
    has_parts = True
    styles = (
        "css/material.css",
        "css/parts.css",
        "css/conversation.css",
        "css/candidates.css",
        "css/option.css",
        "likert/form.css",
    )

    def facets(self, options: schema.Options) -> tuple[Facet, ...]:
        return tuple(_facet(scale) for scale in options.criteria)

    def plan(
        self, source: Source, items: Sequence[Item], options: schema.Options, *, seed: int
    ) -> Iterable[UnitPlan]:
        """One unit per item, or with `together` one of all items in an order drawn by seed."""
        if not options.together or len(items) < 2:
            return super().plan(source, items, options, seed=seed)
        focus, both = {"order": list(drawn(items, seed=seed))}, ("full", "sample")
        return [UnitPlan(items=tuple(items), suffix="", subsets=both, focus=focus)]

    def payload(
        self,
        source: Source,
        items: Sequence[Item],
        focus: Focus,
        options: schema.Options,
    ) -> schema.Payload:
        """Focus: `order`, in which several items are shown, else drawn by the block's seed; and
        the sentences that a control has `blanked`."""
        if not items:
            raise ValueError("items: missing")
        several = len(items) > 1
        if several and options.per_sentence:
            raise ValueError(f"items: sentences are asked about one item, not {len(items)}")
        return schema.Payload(
            **shown(source, options.shows, items),
            criteria=tuple(scale.shown for scale in options.criteria),
            per_sentence=options.per_sentence,
            **({} if several else items[0].shown(focus.get("blanked", ()))),
            candidates=candidates(items, focus, seed=options.seed) if several else (),
        )

    def ratings(self, payload: schema.Payload, answer: schema.Answer) -> tuple[RatingValue, ...]:
        return tuple(
            _rating(payload, scale.key, position, value)
            for scale in payload.criteria
            for position, value in enumerate(answer.of(scale.key))
        )

    def element_text(self, payload: schema.Payload, facet: str, element: str) -> str:
        """The sentence; several texts side by side go by their names."""
        return text_at(payload.sentences, element)

    def check(self, payload: schema.Payload, answer: schema.Answer) -> None:
        self._check(payload, answer, schema.Scale.has_point)

    def check_between(self, payload: schema.Payload, answer: schema.Answer) -> None:
        self._check(payload, answer, schema.Scale.spans)

    def _check(
        self,
        payload: schema.Payload,
        answer: schema.Answer,
        fits: Callable[[schema.Scale, schema.PointValue], bool],
    ) -> None:
        check_complete("scores", answer.scores, [scale.key for scale in payload.criteria])
        for scale in payload.criteria:
            _check_shape(payload, scale.key, answer)
            for value in answer.of(scale.key):
                if not fits(scale, value):
                    points = ", ".join(point.text for point in scale.points)
                    raise ValueError(f"scores.{scale.key}: {value} is not one of {points}")

    def is_right(
        self, payload: schema.Payload, answer: schema.Answer, reference: schema.Answer
    ) -> bool:
        """Every value at the right point, or as many points beside it as its scale tolerates."""
        return all(
            scale.tolerates(value, right)
            for scale in payload.criteria
            for value, right in zip(answer.of(scale.key), reference.of(scale.key), strict=True)
        )

    def compared(
        self, payload: schema.Payload, answer: schema.Answer, reference: schema.Answer
    ) -> list[Compared]:
        """Every value; one that its scale tolerates is right, and the right one is told."""
        return [
            Compared(
                part_name(scale.key, "" if payload.whole else position),
                "right" if scale.tolerates(value, right) else "wrong",
                right="" if value == right else scale.words(right),
            )
            for scale in payload.criteria
            for position, (value, right) in enumerate(
                zip(answer.of(scale.key), reference.of(scale.key), strict=True)
            )
        ]

    def summary(self, payload: schema.Payload, answer: schema.Answer) -> str:
        """Criterion by criterion; several values in the order shown."""
        shown = [candidate.item for candidate in payload.candidates] or range(payload.size)
        lines = []
        for scale in payload.criteria:
            values = [scale.words(answer.of(scale.key)[stored]) for stored in shown]
            runs = [(words, len(list(run))) for words, run in groupby(values)]
            line = ", ".join(words if n == 1 else f"{n} × {words}" for words, n in runs)
            lines.append(line if len(payload.criteria) == 1 else f"{scale.name}: {line}")
        return listed(lines)

    def combined(
        self, payload: schema.Payload, answers: Sequence[schema.Answer], *, how: str | None = None
    ) -> schema.Answer:
        """Numbers may come to lie between the points."""
        scores = [
            together(
                values,
                kind="label" if scale.distance == "nominal" else "number",
                how=how,
                where=f"scores.{scale.key}",
            )
            for scale in payload.criteria
            for values in zip(*(answer.of(scale.key) for answer in answers), strict=True)
        ]
        return self.from_scores(payload, scores)

    def parse_reply(self, payload: schema.Payload, reply: str) -> schema.Answer:
        """Several texts are answered in the order shown, and stored in that of the unit."""
        answer = answer_in(reply, self, payload)
        if not payload.candidates:
            return answer
        order = [candidate.item for candidate in payload.candidates]
        scores = {key: _restored(answer.of(key), order) for key in answer.scores}
        return schema.Answer(scores=scores)

    def written_reply(self, payload: schema.Payload, answer: schema.Answer) -> str:
        """In the order of the criteria, and several texts in the order shown."""
        order = [candidate.item for candidate in payload.candidates]
        scores = {scale.key: answer.scores[scale.key] for scale in payload.criteria}
        if order:
            scores = {key: tuple(answer.of(key)[item] for item in order) for key in scores}
        return super().written_reply(payload, schema.Answer(scores=scores))

    def scorings(self, payload: schema.Payload) -> tuple[Scoring, ...]:
        """Criterion by criterion; within one, in the order in which an answer lists values."""
        texts = _judged(payload)
        document = against(payload.document, [passage.text for passage in payload.passages])
        return tuple(
            Scoring(
                criterion=scale.key,
                question=scale.question,
                definition=scale.definition,
                points=tuple(
                    ScorePoint(
                        point.value, ": ".join(filter(None, (point.label, point.definition)))
                    )
                    for point in scale.points
                ),
                continuous=False,
                material=as_prompt(payload),
                document=document,
                sentences=text,
                surroundings=surroundings(payload),
                spaces=payload.spaces if payload.whole else (),
            )
            for scale in payload.criteria
            for text in texts
        )

    def to_scores(self, payload: schema.Payload, answer: schema.Answer) -> tuple[Score, ...]:
        return tuple(value for scale in payload.criteria for value in answer.of(scale.key))

    def from_scores(self, payload: schema.Payload, scores: Sequence[Score]) -> schema.Answer:
        remaining = iter(scores)
        lists = {
            scale.key: tuple(next(remaining) for _ in range(payload.size))
            for scale in payload.criteria
        }
        whole = {key: values[0] for key, values in lists.items()}
        return schema.Answer(scores=whole if payload.whole else lists)

    def sheet(self, payload: schema.Payload) -> tuple[Table, ...]:
        return sheet.tables(payload)

    def from_sheet(self, payload: schema.Payload, cells: Mapping[str, str]) -> schema.Answer:
        return sheet.answer_of(payload, cells)


def _judged(payload: schema.Payload) -> list[tuple[str, ...]]:
    """The texts that take a value each: candidates by item, sentences, or the whole."""
    if payload.candidates:
        return [
            (candidate.text,)
            for candidate in sorted(payload.candidates, key=lambda candidate: candidate.item)
        ]
    if payload.per_sentence:
        return [(sentence,) for sentence in payload.sentences]
    return [payload.sentences]


def _facet(scale: schema.AskedScale) -> Facet:
    numbers = [value for value in scale.values if not isinstance(value, str)]
    return Facet(
        name=scale.key,
        title=scale.name,
        kind="number" if numbers else "label",
        distance=scale.distance,
        low=min(numbers, default=None),
        high=max(numbers, default=None),
        labels=tuple(value for value in scale.values if isinstance(value, str)),
        compared_with=scale.compared_with,
    )


def _rating(
    payload: schema.Payload, key: str, position: int, value: schema.PointValue
) -> RatingValue:
    if payload.whole:
        return RatingValue(facet=key, value=value)
    about = position if payload.candidates else None
    return RatingValue(facet=key, value=value, element=str(position), element_item=about)


def _check_shape(payload: schema.Payload, key: str, answer: schema.Answer) -> None:
    listed = isinstance(answer.scores[key], tuple)
    what = "texts" if payload.candidates else "sentences"
    if payload.whole and listed:
        raise ValueError(f"scores.{key}: a list, but one value is asked for")
    if not payload.whole and not listed:
        raise ValueError(f"scores.{key}: one value, but {payload.size} {what} are asked about")
    count = len(answer.of(key))
    if count != payload.size:
        raise ValueError(f"scores.{key}: {count} values for {payload.size} {what}")


def _restored(
    values: Sequence[schema.PointValue], order: Sequence[int]
) -> tuple[schema.PointValue, ...]:
    """Values given in the shown order, in that of the unit's items."""
    by_item = dict(zip(order, values, strict=True))
    return tuple(by_item[item] for item in range(len(order)))


LIKERT = Likert()
