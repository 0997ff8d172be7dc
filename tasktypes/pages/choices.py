"""A question with a few fixed answers, as radio buttons: what `choices.html` draws."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from django import forms
from django.forms.boundfield import BoundField
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

Text = str | Promise
# What is stored, and what is read.
Offered = Sequence[tuple[str, Text]]


class RadioGroup(NamedTuple):
    """One group of radio buttons under its question. `mark`: how the choice compares with the
    right one, where that is shown."""

    legend: Text
    field: BoundField
    mark: object = None


def choice_field(offered: Offered, coerce: Callable[[str], Any] = str) -> forms.TypedChoiceField:
    """A field that one of these values must be chosen for. coerce: what is made of it."""
    return forms.TypedChoiceField(
        choices=list(offered),
        coerce=coerce,
        widget=forms.RadioSelect,
        error_messages={
            "required": gettext_lazy("Please choose an answer."),
            "invalid_choice": gettext_lazy("Please choose an answer."),
        },
    )


def choices_of(form: forms.Form, name: str, legend: Text, mark: object = None) -> RadioGroup:
    """A field of `choice_field` as it is drawn, chosen as it was posted."""
    return RadioGroup(legend, form[name], mark)
