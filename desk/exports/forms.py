"""The form by which an export is asked for."""

from django import forms
from django.utils.translation import gettext_lazy as _

from results.data.options import consensus_names

TITLES = {
    "dataset": _("Labelled dataset: texts, labels and judges (CSV, JSONL, Parquet)"),
    "huggingface": _("Dataset to publish, with a card (Hugging Face, Croissant)"),
    "csv": _("Ratings and estimates (CSV, long and wide)"),
    "parquet": _("Ratings and estimates (Parquet)"),
    "xlsx": _("Ratings and estimates (Excel)"),
    "jsonl": _("Material and answers, to import again (JSONL)"),
    "bundle": _("Everything to recompute figures (bundle)"),
}


class ExportForm(forms.Form):
    """Which format, and how several people become one label in it."""

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
