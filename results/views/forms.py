"""Forms of the pages of results."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from estimates.catalogue import metric
from estimates.data.groups import SYSTEM
from estimates.data.parties import HUMANS
from estimates.data.rows import Row
from estimates.metrics.systems.differences import OTHER
from estimates.report.stopping import Rule, is_about
from imports.study_file.parts import StopPart
from results.studies.plan import Wish
from tasktypes.facets import Facet


class PlanningForm(forms.Form):
    """The width that an interval is to have, and assumptions about the next study."""

    facet = forms.ChoiceField(
        required=False,
        label=_("Same kind of answers as"),
        help_text=_("Uses the answers and the agreement of this study as the pilot."),
    )
    stage = forms.ChoiceField(
        required=False,
        label=_("Round"),
        help_text=_("A pilot round can be used even if its answers enter no figure."),
    )
    width = forms.FloatField(
        min_value=0.005,
        max_value=2.0,
        initial=0.1,
        label=_("Width of the 95 % interval of α"),
        help_text=_("From the lower to the upper bound: 0.1 means ± 0.05."),
    )
    agreement = forms.FloatField(
        required=False,
        min_value=0.0,
        max_value=1.0,
        label=_("Expected α"),
        help_text=_("Empty: that of this study; 0.5 without a pilot."),
    )
    share = forms.FloatField(
        required=False,
        min_value=0.01,
        max_value=0.99,
        label=_("Expected share of the more common answer"),
        help_text=_("Only without a pilot; empty: 0.5."),
    )

    def __init__(
        self, *args: Any, facets: Sequence[Facet], rounds: Sequence[str], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        named = [(facet.name, facet.title) for facet in facets]
        self._offer("facet", [*named, ("", _("no pilot: two possible answers, as assumed below"))])
        self._offer("stage", [("", _("all rounds that count")), *((name, name) for name in rounds)])

    def _offer(self, name: str, choices: Sequence[tuple[str, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    @property
    def wish(self) -> Wish:
        """The wish that a valid form states."""
        data = self.cleaned_data
        share = data["share"]
        return Wish(
            width=data["width"],
            facet=data["facet"],
            round_=data["stage"],
            share=0.5 if share is None else share,
            agreement=data["agreement"],
        )


class StopForm(forms.Form):
    """The rule by which a study closes: one of its figures, and when it is enough."""

    figure = forms.ChoiceField(
        required=False,
        label=_("Figure"),
        help_text=_("Figures with intervals that hold at every look."),
    )
    half_width = forms.FloatField(
        required=False,
        min_value=0.0001,
        label=_("Narrow enough: half of the interval at most"),
        help_text=_("0.05 means ± 0.05. Leave empty for the next."),
    )
    excludes = forms.FloatField(
        required=False,
        label=_("Decided: the interval leaves out this value"),
        help_text=_("0 for a difference of systems."),
    )

    def __init__(self, *args: Any, rows: Sequence[Row], rule: Rule, **kwargs: Any) -> None:
        self.figures = {str(number): row for number, row in enumerate(filter(_may_stop, rows))}
        chosen = [key for key, row in self.figures.items() if rule and is_about(rule, row)]
        ends = {name: rule.get(name) for name in ("half_width", "excludes")}
        kwargs["initial"] = {**ends, "figure": "".join(chosen[:1])}
        super().__init__(*args, **kwargs)
        field = self.fields["figure"]
        assert isinstance(field, forms.ChoiceField)
        named = [(key, figure_text(row)) for key, row in self.figures.items()]
        field.choices = [("", _("none: the study stays open until a member closes it")), *named]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        ends = [data.get(name) for name in ("half_width", "excludes")]
        if data.get("figure") and sum(end is not None for end in ends) != 1:
            self.add_error("half_width", _("Give either a width or a value."))
        return data

    @property
    def rule(self) -> Rule:
        """The rule that a valid form states; {} for none."""
        data = self.cleaned_data
        if not data["figure"]:
            return {}
        row = self.figures[data["figure"]]
        return StopPart(
            metric=row.metric,
            facet=row.facet,
            raters=row.raters,
            group=dict(row.group),
            half_width=data["half_width"],
            excludes=data["excludes"],
        ).as_stored()


def _may_stop(row: Row) -> bool:
    """Whether a page offers the figure: of people, as a whole or by system."""
    crowd = row.first
    return metric(row.metric).live and crowd == HUMANS and row.group.keys() <= {SYSTEM, OTHER}


def figure_text(row: Row) -> str:
    """What a figure is of, in a line."""
    about = [str(metric(row.metric).title), row.facet, row.raters, *row.group.values()]
    return " · ".join(about)
