"""The worker's page part: a number field, which a script turns into a slider.

A range input alone would post its middle for somebody who never touched it; an empty number
field posts nothing.
"""

from django import forms
from django.utils.translation import gettext, gettext_lazy

from tasktypes.pages.answer_forms import AnswerForm
from tasktypes.pages.comparison import PartMark
from tasktypes.pages.figures import in_figures
from tasktypes.slider.schema import Answer, Payload
from tasktypes.texts.surroundings import asked_numbers


class SliderForm(AnswerForm[Payload, Answer]):
    """One number between the ends of the scale."""

    value = forms.FloatField(
        error_messages={
            "required": gettext_lazy("Please place your answer on the scale."),
            "invalid": gettext_lazy("Please enter a number."),
        }
    )

    def clean_value(self) -> float:
        """The number, where it lies on the scale."""
        value: float = self.cleaned_data["value"]
        low, high = self.payload.low, self.payload.high
        if not low <= value <= high:
            raise forms.ValidationError(
                gettext("Please enter a number from %(low)s to %(high)s.")
                % {"low": in_figures(low), "high": in_figures(high)},
                code="out_of_range",
            )
        return value

    def named(self, name: str) -> tuple[str, ...]:
        return (self.payload.question,) if name == "value" else ()

    @property
    def judges_conversation(self) -> bool:
        """Whether turns of the conversation shown are judged."""
        return bool(asked_numbers(self.payload.turns))

    def mark(self) -> PartMark | None:
        """What stands beside the scale."""
        return self.marks.get(self.payload.facet)

    def answer(self) -> Answer:
        """The point chosen."""
        return Answer(value=self.cleaned_data["value"])

    def filled(self, answer: Answer) -> dict[str, list[str]]:
        """The point as a number, without digits that say nothing."""
        value = answer.value
        return {"value": [str(int(value)) if value.is_integer() else str(value)]}
