"""The form by which an export is asked for."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Study
from estimates.data.options import consensus_names
from exports.choice import USUAL, WITH, WITHOUT, ExportChoice, facets_of

TITLES = {
    "dataset": _("Labelled dataset: texts, labels and judges (CSV, JSONL, Parquet)"),
    "huggingface": _("Dataset to publish, with a card (Hugging Face, Croissant)"),
    "csv": _("Ratings and estimates (CSV, long and wide)"),
    "parquet": _("Ratings and estimates (Parquet)"),
    "xlsx": _("Ratings and estimates (Excel)"),
    "jsonl": _("Material and answers, to import again (JSONL)"),
    "label-studio": _("Tasks with annotations and predictions (Label Studio)"),
    "bundle": _("Everything to recompute figures (bundle)"),
}
EXCLUDED = (
    (USUAL, _("flagged among ratings, in no label")),
    (WITH, _("flagged among ratings, and in labels")),
    (WITHOUT, _("nowhere")),
)


class ExportForm(forms.Form):
    """Which format, and which part of the study as labels and ratings."""

    format = forms.ChoiceField(label=_("Format"), choices=list(TITLES.items()))
    consensus = forms.ChoiceField(
        label=_("Labels are"),
        required=False,
        choices=[
            ("", _("union of sets, majority of labels, mean of numbers")),
            *((name, name) for name in consensus_names()),
        ],
        help_text=_("For the two datasets. A rule holds where the kind of value allows it."),
    )
    facet = forms.ChoiceField(label=_("Facet"), required=False)
    subset = forms.ChoiceField(label=_("Subset"), required=False)
    round = forms.ChoiceField(label=_("Round"), required=False)
    excluded = forms.ChoiceField(label=_("Excluded answers"), required=False, choices=EXCLUDED)
    personal = forms.ChoiceField(
        label=_("Texts of people and questionnaires"),
        required=False,
        choices=[(USUAL, _("left out")), (WITH, _("in files of their own: personal data"))],
        help_text=_("They may tell who somebody is. Never in the two datasets."),
    )

    def __init__(self, study: Study, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offered: dict[str, Iterable[str]] = {
            "facet": facets_of(study),
            "subset": study.subsets.order_by("name").values_list("name", flat=True),
            "round": study.rounds.values_list("name", flat=True),
        }
        for name, values in offered.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [("", _("all")), *((value, value) for value in values)]

    @property
    def choice(self) -> ExportChoice:
        """What was chosen, once the form is valid."""
        chosen = {name: value for name, value in self.cleaned_data.items() if name != "format"}
        return ExportChoice(**chosen)
