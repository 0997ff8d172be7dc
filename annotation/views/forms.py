"""The forms of the workers' pages other than the questions of the study."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.entry.comprehension import check_questions
from annotation.entry.consent import consent_hash
from annotation.entry.questionnaire import LONGEST, questions
from annotation.models import Study

# The largest number that an answer may be.
MOST = 1_000_000_000


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


class QuestionnaireForm(forms.Form):
    """Questions about the person. told: what they answered before."""

    def __init__(
        self, study: Study, when: str, data: Any = None, *, told: Sequence[Mapping[str, Any]] = ()
    ) -> None:
        super().__init__(data)
        self._questions = questions(study, when)
        before = {entry["question"]: entry["answer"] for entry in told}
        for position, asked in enumerate(self._questions):
            self.fields[f"question-{position}"] = _question_field(asked)
            self.initial[f"question-{position}"] = before.get(asked["question"])

    @property
    def answers(self) -> dict[str, Any]:
        """By question, without those that were left open; only after `is_valid()`."""
        given = [self.cleaned_data[name] for name in self.fields]
        pairs = zip(self._questions, given, strict=True)
        return {asked["question"]: answer for asked, answer in pairs if answer not in ("", None)}


def _question_field(asked: Mapping[str, Any]) -> forms.Field:
    said = {
        "required": _("Please answer this question."),
        "invalid_choice": _("Please choose an answer."),
        "invalid": _("Please enter a number."),
    }
    base = {"label": asked["question"], "required": asked["required"], "error_messages": said}
    if asked["kind"] == "choice":
        choices = [(option, option) for option in asked["options"]]
        return forms.ChoiceField(choices=choices, widget=forms.RadioSelect, **base)
    if asked["kind"] == "number":
        return forms.FloatField(min_value=-MOST, max_value=MOST, **base)
    widget = forms.Textarea({"rows": 3, "dir": "auto"})
    return forms.CharField(max_length=LONGEST, widget=widget, **base)
