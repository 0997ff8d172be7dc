"""The worker's page part: sentences to tick, or the explicit answer that none can cite it."""

from typing import NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_lazy

from tasktypes.citation_recovery.schema import Answer, Payload
from tasktypes.pages.answer_forms import AnswerForm
from tasktypes.pages.comparison import PartMark, part_name
from tasktypes.texts.text_forms import written_part

# The answer that excludes all others, by the one name that it has.
NONE = gettext_lazy("None of these sentences")
# Of one digit or two.
MOST_KEYS = 99


class SentenceRow(NamedTuple):
    """A sentence as the template draws it. `key`: the digit or two that toggle it, or empty."""

    number: int
    id: str
    text: str
    key: str
    chosen: bool
    mark: PartMark | None


class RecoveryForm(AnswerForm[Payload, Answer]):
    """Sentences as checkboxes and "None of these sentences", which excludes them."""

    sentences = forms.TypedMultipleChoiceField(
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
        required=False,
        error_messages={"invalid_choice": gettext_lazy("That sentence is not in this question.")},
    )
    none = forms.BooleanField(required=False)

    def add_fields(self) -> None:
        """Let the sentences of the payload be chosen."""
        field = self.fields["sentences"]
        assert isinstance(field, forms.TypedMultipleChoiceField)
        field.choices = [(number, str(number)) for number in self.payload.numbers]

    def clean(self) -> None:
        """Exactly one of the two: some sentences, or none of them."""
        super().clean()
        if self.errors:
            return
        some, none = self.cleaned_data["sentences"], self.cleaned_data["none"]
        if some and none:
            message = gettext(
                "You chose sentences and “None of these sentences”. Please keep one or the other."
            )
            raise ValidationError(message, code="contradiction")
        if not some and not none:
            message = gettext("Please choose at least one sentence, or “None of these sentences”.")
            raise ValidationError(message, code="unanswered")

    def answer(self) -> Answer:
        """The sentences chosen, which are none where "None of these sentences" was."""
        return Answer(sentences=tuple(self.cleaned_data["sentences"]))

    def filled(self, answer: Answer) -> dict[str, list[str]]:
        """The sentences ticked, or "None of these sentences"."""
        if not answer.sentences:
            return {"none": ["on"]}
        return {"sentences": [str(number) for number in answer.sentences]}

    def rows(self) -> list[SentenceRow]:
        """The sentences in order, ticked as they were posted."""
        chosen = {str(value) for value in self["sentences"].value() or ()}
        passages = {passage.index for passage in self.payload.passages}
        return [
            SentenceRow(
                sentence.number,
                f"{self.id_prefix}sentence-{sentence.number}",
                written_part(sentence.text, self.text_form, passages) if sentence.text else "",
                key=str(position) if position <= MOST_KEYS else "",
                chosen=str(sentence.number) in chosen,
                mark=self.marks.get(part_name("recovery", sentence.number)),
            )
            for position, sentence in enumerate(self.payload.sentences, start=1)
        ]

    @property
    def none_label(self) -> str:
        """What the answer that excludes the others is called."""
        return str(NONE)

    def none_mark(self) -> PartMark | None:
        """What stands beside it."""
        return self.marks.get(part_name("recovery", "none"))

    def problems(self) -> list[str]:
        """Every message to show beside the sentences."""
        return [str(message) for messages in self.errors.values() for message in messages]
