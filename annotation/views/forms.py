"""What a worker fills in beside the questions themselves."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.entry.comprehension import asked_of
from annotation.entry.consent import consent_hash
from annotation.models import Study


class ConsentForm(forms.Form):
    """A box to tick, one more where there is a minimum age, and which text was shown."""

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
    """A choice per question about the instructions, and which try it is."""

    number = forms.IntegerField(widget=forms.HiddenInput, min_value=1)

    def __init__(self, study: Study, number: int, data: Any = None) -> None:
        super().__init__(data, initial={"number": number})
        self._asked = asked_of(study)
        for position, asked in enumerate(self._asked):
            self.fields[f"question-{position}"] = forms.ChoiceField(
                label=asked.question,
                choices=[(str(n), option) for n, option in enumerate(asked.options)],
                widget=forms.RadioSelect,
                error_messages={
                    "required": _("Please choose one of these."),
                    "invalid_choice": _("Please choose one of these."),
                },
            )

    @property
    def questions(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name != "number"]

    @property
    def chosen(self) -> list[str]:
        """The option chosen per question; only after `is_valid()`."""
        return [
            asked.options[int(self.cleaned_data[f"question-{position}"])]
            for position, asked in enumerate(self._asked)
        ]
