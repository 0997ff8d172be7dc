"""The forms of the workers' pages other than the questions of the study."""

from random import Random
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.entry.comprehension import check_questions
from annotation.entry.consent import consent_hash
from annotation.models import Study


class ConsentForm(forms.Form):
    """Agreement, age where there is a minimum age, and the hash of the text that was shown."""

    text_hash = forms.CharField(widget=forms.HiddenInput)
    of_age = forms.BooleanField(
        required=False, error_messages={"required": _("Please confirm your age, or leave.")}
    )
    agree = forms.BooleanField(
        label=_("I have read this, and I agree to take part."),
        error_messages={"required": _("Please tick this box if you agree, or leave.")},
    )

    def __init__(self, study: Study, data: Any = None) -> None:
        super().__init__(data, initial={"text_hash": consent_hash(study)})
        age = study.ethics.get("minimum_age")
        if age:
            self.fields["of_age"].required = True
            self.fields["of_age"].label = _("I am %(age)s years old or older.") % {"age": age}
        else:
            del self.fields["of_age"]

    @property
    def boxes(self) -> list[forms.BoundField]:
        return [self[name] for name in ("of_age", "agree") if name in self.fields]


class ComprehensionForm(forms.Form):
    """One choice per comprehension question, and the number of the try.

    Options are shown in an order drawn by seed: the right one stands anywhere.
    """

    number = forms.IntegerField(widget=forms.HiddenInput, min_value=1)

    def __init__(self, study: Study, number: int, data: Any = None, *, seed: int = 0) -> None:
        super().__init__(data, initial={"number": number})
        draw = Random(f"{seed} {number}")  # noqa: S311 (a fair order, no secret)
        self._questions = check_questions(study)
        for position, question in enumerate(self._questions):
            options = [(str(n), option) for n, option in enumerate(question.options)]
            self.fields[f"question-{position}"] = forms.ChoiceField(
                label=question.text,
                choices=draw.sample(options, len(options)),
                widget=forms.RadioSelect,
                error_messages={
                    "required": _("Please choose an answer."),
                    "invalid_choice": _("Please choose an answer."),
                },
            )

    @property
    def questions(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name != "number"]

    @property
    def chosen(self) -> list[str]:
        """The option chosen per question; only after `is_valid()`."""
        return [
            question.options[int(self.cleaned_data[f"question-{position}"])]
            for position, question in enumerate(self._questions)
        ]
