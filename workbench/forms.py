"""The forms of the loop: the split of a study, and a version of a judge to be changed."""

import json
from collections.abc import Mapping
from typing import Any

import yaml
from django import forms
from django.utils.translation import gettext_lazy

from annotation.models import Study, User
from judges.methods.registry import find_method
from judges.models import Judge
from judges.views.definition_form import OF_CHAT, JudgeForm
from judges.views.forms import AMOUNT
from workbench.splitting import ERROR, PLANNED_LOOKS

# What of an example that is taken from a unit was written by hand.
BY_UNIT = ("unit", "block", "step", "reason")


class SplitForm(forms.Form):
    """How the sources are split, once."""

    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        help_text=gettext_lazy("Of the draw; stored with it."),
        min_value=0,
        max_value=2**31 - 1,
    )
    share = forms.IntegerField(
        label=gettext_lazy("Sealed, in percent of the sources"),
        min_value=10,
        max_value=90,
        initial=50,
    )
    planned_looks = forms.IntegerField(
        label=gettext_lazy("Looks at the sealed half, at most"),
        help_text=gettext_lazy("Fixed now: the fewer, the narrower their intervals."),
        min_value=1,
        max_value=100,
        initial=PLANNED_LOOKS,
    )
    error = forms.FloatField(
        label=gettext_lazy("Error of all looks together"),
        help_text=gettext_lazy("The probability with which any of their intervals may miss."),
        min_value=0.001,
        max_value=0.5,
        initial=ERROR,
    )

    @property
    def choice(self) -> dict[str, Any]:
        """The arguments of `split_sources`; only after `is_valid()`."""
        return {**self.cleaned_data, "share": self.cleaned_data["share"] / 100}


class LookForm(forms.Form):
    """What a look may cost."""

    max_cost = forms.DecimalField(label=gettext_lazy("Cap in USD"), **AMOUNT)


class VersionForm(JudgeForm):
    """The form of a definition, filled with a version: saving another text makes the next one."""

    WRITTEN = ("reason", "system", "template", "examples", "temperature", "parameters")

    def __init__(
        self, study: Study, judge: Judge, data: Any = None, *, user: User | None = None
    ) -> None:
        super().__init__(study, data, user=user)
        self.judge = judge
        for name, value in self._of_judge(judge).items():
            self.fields[name].initial = value
        for name in self.fields.keys() - set(self.WRITTEN):
            self.fields[name].widget = forms.HiddenInput()

    def clean_name(self) -> str:
        """The judge's own name: another one would be another judge."""
        return self.judge.name

    def _of_judge(self, judge: Judge) -> dict[str, Any]:
        written = _written(judge)
        own = {"name": judge.name, "method": judge.method, "family": judge.family}
        pair = json.dumps([written.get("endpoint", "default"), judge.model])
        chosen = self.fields["chosen"]
        assert isinstance(chosen, forms.ChoiceField)
        if chosen.valid_value(pair):
            written.pop("endpoint", None)
            own |= {"chosen": pair}
        else:
            own |= {"model": judge.model, "backend": judge.backend}
        fields: dict[str, Any] = {}
        for name in OF_CHAT:
            shown = _as_field(name, written.get(name))
            if shown is not None:
                fields[name] = shown
                written.pop(name)
        rest = yaml.safe_dump(written, allow_unicode=True, sort_keys=False) if written else ""
        return own | fields | {"parameters": rest}


def _written(judge: Judge) -> dict[str, Any]:
    """The parameters that are not as the method has them by itself; examples as they are named."""
    method = find_method(judge.method)
    usual = {
        name: field.get_default(call_default_factory=True)
        for name, field in method.Parameters.model_fields.items()
    }
    written = {
        name: value
        for name, value in judge.parameters.items()
        if name in usual and value != usual[name] and name != "replies_sha256"
    }
    if "examples" in written:
        written["examples"] = [_named(example) for example in written["examples"]]
    if "reason" in written and "reason_question" in written:  # the study asks for both
        del written["reason_question"]
    return written


def _named(example: Mapping[str, Any]) -> dict[str, Any]:
    """An example as whoever wrote it named it: by its unit and block, or with all of its texts."""
    if example.get("unit"):
        return {name: example[name] for name in BY_UNIT if example.get(name)}
    return {name: value for name, value in example.items() if value not in (None, "", {})}


def _as_field(name: str, value: Any) -> Any:
    """A parameter as its field shows it; None where it has to stay among the others."""
    if name == "reason":
        return True if value == "before" else None
    if name == "examples":
        by_unit = value and all(set(example) <= {"unit", "block"} for example in value)
        lines = [" | ".join(filter(None, map(e.get, ("unit", "block")))) for e in value or ()]
        return "\n".join(lines) if by_unit else None
    return value if isinstance(value, (str, float, int)) else None
