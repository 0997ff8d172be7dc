"""A question with a few fixed answers, as radio buttons: what `choices.html` draws."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

Text = str | Promise
# What is stored, and what is read.
Offered = Sequence[tuple[str, Text]]


class Choice(NamedTuple):
    """One radio button."""

    id: str
    value: str
    label: Text
    chosen: bool


class Choices(NamedTuple):
    """One group of radio buttons under its question, with what is wrong with the answer."""

    name: str
    legend: Text
    options: tuple[Choice, ...]
    errors: tuple[str, ...]


def choice_field(offered: Offered) -> forms.ChoiceField:
    """A field that one of these values must be chosen for."""
    return forms.ChoiceField(
        choices=list(offered),
        error_messages={
            "required": gettext_lazy("Please choose an answer."),
            "invalid_choice": gettext_lazy("Please choose one of these answers."),
        },
    )


def choices_of(form: forms.Form, name: str, legend: Text) -> Choices:
    """A field of `choice_field` as it is drawn, chosen as it was posted."""
    field: Any = form.fields[name]
    posted = form[name].value()
    options = tuple(
        Choice(id=f"{name}-{value}", value=value, label=label, chosen=value == posted)
        for value, label in field.choices
    )
    return Choices(name, legend, options, errors_of(form, name))


def errors_of(form: forms.Form, name: str) -> tuple[str, ...]:
    """What is wrong with a field; nothing while the form is unbound."""
    return tuple(str(message) for message in form.errors.get(name, ()))
