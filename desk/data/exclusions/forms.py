"""The form of an exclusion rule."""

import re
from typing import Any

from django import forms

from desk.data.exclusions.conditions import Conditions


class RuleForm(forms.Form):
    """Conditions, any of which is enough; at least one."""

    controls = forms.FloatField(
        label="Controls right: below (%)", required=False, min_value=0, max_value=100
    )
    least_controls = forms.IntegerField(
        label="… after so many controls", required=False, min_value=1, max_value=1_000
    )
    seconds = forms.FloatField(label="Seconds per answer: below", required=False, min_value=0)
    longest_run = forms.IntegerField(
        label="The same answer in a row: more than", required=False, min_value=1
    )
    rejected = forms.IntegerField(
        label="Batches excluded on review: at least", required=False, min_value=1
    )
    likeness_q = forms.FloatField(
        label="Similarity to a judge (possible copying): q below",
        required=False,
        min_value=0,
        max_value=1,
        help_text="Proves nothing by itself: look at the worker’s page first.",
    )
    workers = forms.CharField(
        label="These workers", required=False, help_text="Numbers or pseudonyms, such as 3, 17."
    )

    def clean_workers(self) -> tuple[int, ...]:
        """The numbers in the text."""
        parts = [part for part in re.split(r"[\s,;]+", self.cleaned_data["workers"]) if part]
        numbers = [part.removeprefix("worker-") for part in parts]
        wrong = [part for part in numbers if not part.isdecimal() or len(part) > 8]
        if wrong:
            raise forms.ValidationError(f"{wrong[0]!r} is not a worker's number.")
        return tuple(map(int, numbers))

    def clean(self) -> dict[str, Any]:
        """At least one condition."""
        data = super().clean() or {}
        if not self.errors and not self.conditions_of(data).as_json():
            raise forms.ValidationError("Fill in at least one condition.")
        return data

    @staticmethod
    def conditions_of(data: dict[str, Any]) -> Conditions:
        """The conditions in what was entered."""
        percent = data.get("controls")
        return Conditions(
            control_accuracy=None if percent is None else percent / 100,
            least_controls=data.get("least_controls") or 1,
            seconds=data.get("seconds"),
            longest_run=data.get("longest_run"),
            likeness_q=data.get("likeness_q"),
            rejected=data.get("rejected"),
            workers=data.get("workers") or (),
        )
