"""Slider: one quality of a text, judged on a continuous scale (direct assessment)."""

from collections.abc import Sequence
from typing import Literal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tasktypes.contract import TaskType
from tasktypes.facets import Facet, RatingValue
from tasktypes.machines.scores import InScores, Score, ScorePoint, Scoring, against
from tasktypes.machines.votes import together
from tasktypes.pages.comparison import Compared
from tasktypes.pages.elicitation import Elicitation
from tasktypes.pages.figures import in_figures
from tasktypes.plans import Focus
from tasktypes.slider import schema
from tasktypes.slider.example import EXAMPLE
from tasktypes.slider.form import SliderForm
from tasktypes.slider.slots import SLOTS
from tasktypes.texts.material import Item, Source, only_item
from tasktypes.texts.surroundings import as_prompt, shown_turns, surroundings

# On a control question, this share of the scale on either side still counts as right.
TOLERANCE = 0.1


class Slider(
    TaskType[schema.Options, schema.Payload, schema.Answer],
    InScores[schema.Payload, schema.Answer],
):
    """Place a text on a scale between two ends."""

    slug = "slider"
    title = "Rating on a scale"
    elicitation = Elicitation("direct quality estimation", "Slider")
    Options = schema.Options
    Payload = schema.Payload
    Answer = schema.Answer
    Form = SliderForm
    example = EXAMPLE
    slots = SLOTS
    first_options = ("question", "low", "high", "low_label", "high_label", "facet")
    has_points = False
    keys = (("0–9", gettext_lazy("type the number")),)
    scripts = ("slider/form.js",)
    styles = ("css/material.css", "css/conversation.css", "slider/form.css")

    def facets(self, options: schema.Options) -> tuple[Facet, ...]:
        return (
            Facet(
                name=options.facet,
                title=options.facet.replace("_", " ").capitalize(),
                kind="number",
                distance="interval",
                low=options.low,
                high=options.high,
                compared_with=options.compared_with,
                own_scale=bool(options.compared_with),
                ends_observed=options.ends_observed,
            ),
        )

    def payload(
        self,
        source: Source,
        items: Sequence[Item],
        focus: Focus,
        options: schema.Options,
    ) -> schema.Payload:
        """The item as it was written, less the sentences that a control blanks.

        What else another block's unit is about does not matter.
        """
        item = only_item(items, "a slider")
        return schema.Payload(
            **options.model_dump(exclude={"compared_with", "ends_observed"}),
            claim=source.claim,
            verdict=source.verdict,
            query=source.query,
            document=source.document,
            passages=source.passages,
            turns=shown_turns(source, items),
            **item.shown(focus.get("blanked", ())),
        )

    def ratings(self, payload: schema.Payload, answer: schema.Answer) -> tuple[RatingValue, ...]:
        return (RatingValue(facet=payload.facet, value=answer.value),)

    def check(self, payload: schema.Payload, answer: schema.Answer) -> None:
        if not payload.low <= answer.value <= payload.high:
            ends = f"{payload.low:g} to {payload.high:g}"
            raise ValueError(f"value: {answer.value:g} is not on the scale from {ends}")

    def is_right(
        self, payload: schema.Payload, answer: schema.Answer, reference: schema.Answer
    ) -> bool:
        """Within a tenth of the scale: nobody hits one point of a continuous scale."""
        allowed = TOLERANCE * (payload.high - payload.low)
        return abs(answer.value - reference.value) <= allowed

    def compared(
        self, payload: schema.Payload, answer: schema.Answer, reference: schema.Answer
    ) -> list[Compared]:
        """How far off, and what is near enough."""
        right, allowed = reference.value, TOLERANCE * (payload.high - payload.low)
        around = {
            "value": in_figures(right),
            "low": in_figures(max(payload.low, right - allowed)),
            "high": in_figures(min(payload.high, right + allowed)),
        }
        words = _("about %(value)s (%(low)s to %(high)s counts as right)") % around
        is_right = self.is_right(payload, answer, reference)
        verdict: Literal["right", "wrong"] = "right" if is_right else "wrong"
        return [Compared(payload.facet, verdict, right=words, note=_distance(answer.value, right))]

    def summary(self, payload: schema.Payload, answer: schema.Answer) -> str:
        return _("%(value)s, on a scale from %(low)s to %(high)s") % {
            "value": in_figures(answer.value),
            "low": in_figures(payload.low),
            "high": in_figures(payload.high),
        }

    def combined(
        self, payload: schema.Payload, answers: Sequence[schema.Answer], *, how: str | None = None
    ) -> schema.Answer:
        values = [answer.value for answer in answers]
        return schema.Answer(value=together(values, kind="number", how=how, where="value"))

    def scorings(self, payload: schema.Payload) -> tuple[Scoring, ...]:
        ends = ((payload.low, payload.low_label), (payload.high, payload.high_label))
        return (
            Scoring(
                criterion=payload.facet,
                question=payload.question,
                definition="",
                points=tuple(ScorePoint(value, meaning) for value, meaning in ends),
                continuous=True,
                material=as_prompt(payload),
                document=against(payload.document, [passage.text for passage in payload.passages]),
                sentences=payload.sentences,
                spaces=payload.spaces,
                surroundings=surroundings(payload),
            ),
        )

    def to_scores(self, payload: schema.Payload, answer: schema.Answer) -> tuple[Score, ...]:
        return (answer.value,)

    def from_scores(self, payload: schema.Payload, scores: Sequence[Score]) -> schema.Answer:
        return schema.Answer(value=float(scores[0]))


def _distance(own: float, right: float) -> str:
    if own == right:
        return ""
    off = {"own": in_figures(own), "off": in_figures(abs(own - right))}
    if own > right:
        return _("Your answer: %(own)s, which is %(off)s too high.") % off
    return _("Your answer: %(own)s, which is %(off)s too low.") % off


SLIDER = Slider()
