"""The form that defines a judge, or tries it on one unit."""

import json
import re
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Study, User
from endpoints.allowances import choosable_models
from endpoints.models import ModelEndpoint
from files.errors import ImportFailure
from files.readers.yaml_texts import read_yaml
from judges.backends.factory import CHAT
from judges.methods.conversation import ChatParameters
from judges.methods.registry import backends_of, every_method, find_method
from judges.runs.plans.asks import served_blocks

# The fields that are parameters of chat judges, by the parameter.
OF_CHAT = ("system", "template", "examples", "temperature", "reason")
MOST_EXAMPLES = 100


class JudgeForm(forms.Form):
    """The definition of a judge, as in the study's file. user: whose models it offers."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        help_text=gettext_lazy("In results, with the version. Empty: that of the chat model."),
        max_length=80,
        required=False,
    )
    method = forms.ChoiceField(label=gettext_lazy("Method"))
    chosen = forms.ChoiceField(
        label=gettext_lazy("Chat model"),
        help_text=gettext_lazy("Models of the endpoints that you may use."),
        error_messages={
            "invalid_choice": gettext_lazy(
                "You may not ask this model, or have spent what you may there. Choose another one "
                "or ask the operator."
            )
        },
        required=False,
    )
    temperature = forms.FloatField(
        label=gettext_lazy("Temperature"),
        help_text=gettext_lazy("0 (or empty) for the likeliest reply; higher for varied ones."),
        min_value=0,
        max_value=2,
        required=False,
    )
    reason = forms.BooleanField(
        label=gettext_lazy("Ask for a reason first"),
        help_text=gettext_lazy("Kept and shown beside the answer, never read as the answer."),
        required=False,
    )
    system = forms.CharField(
        label=gettext_lazy("System message"),
        help_text=gettext_lazy("Sent before everything else. Empty: none."),
        max_length=100_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    template = forms.CharField(
        label=gettext_lazy("Prompt"),
        max_length=100_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
    )
    examples = forms.CharField(
        label=gettext_lazy("Examples"),
        help_text=gettext_lazy(
            "Keys of units, one per line; “KEY | BLOCK” where several blocks ask about it. The "
            "judge is shown each with its reference, or with what people agree on, and is not "
            "asked about their sources."
        ),
        max_length=100_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
    )
    unit = forms.CharField(
        label=gettext_lazy("Unit to try it on"),
        help_text=gettext_lazy(
            "Its key, or empty for the first. Only “Try it on one unit” uses it."
        ),
        max_length=200,
        required=False,
    )
    model = forms.CharField(
        label=gettext_lazy("Another model"),
        help_text=gettext_lazy("One that is not listed, or a local model."),
        max_length=200,
        required=False,
    )
    backend = forms.ChoiceField(required=False)
    family = forms.CharField(
        label=gettext_lazy("Model family"),
        help_text=gettext_lazy("It is compared with the families of the systems."),
        max_length=200,
        required=False,
    )
    parameters = forms.CharField(
        label=gettext_lazy("Other parameters"),
        help_text=gettext_lazy("Of the method, as YAML, one per line, for example: samples: 5"),
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
        required=False,
    )
    # What is folded away: few judges need it.
    FOLDED = ("model", "backend", "family", "parameters")

    def __init__(self, study: Study, data: Any = None, *, user: User | None = None) -> None:
        super().__init__(data)
        offered = [method for method in every_method() if method.by_hand]
        usable = [method for method in offered if served_blocks(study, method)]
        backends = dict.fromkeys(backend for method in usable for backend in backends_of(method))
        self.fields["method"] = forms.ChoiceField(
            label=_("Method"),
            help_text=_(
                "How the question is put; its page describes it once it is defined. Baselines are "
                "added by their own button on this page."
            ),
            choices=[(method.name, method.title) for method in usable],
        )
        self.fields["backend"] = forms.ChoiceField(
            label=_("Backend"),
            help_text=_("Empty: the method's default."),
            choices=[("", _("the method's default")), *((name, name) for name in backends)],
            required=False,
        )
        groups = chat_models(study, user)
        chosen = self.fields["chosen"]
        assert isinstance(chosen, forms.ChoiceField)
        chosen.choices = [("", _("none of these")), *groups]
        if not groups:
            chosen.help_text = why_no_models()
        self.fields["template"].help_text = _help_on_slots(study)
        if groups:
            chats = (one.name for one in usable if issubclass(one.Parameters, ChatParameters))
            self.fields["method"].initial = next(chats, None)

    def main_fields(self) -> list[Any]:
        """The fields that are always open."""
        return [field for field in self if field.name not in self.FOLDED]

    def folded_fields(self) -> list[Any]:
        """The others."""
        return [self[name] for name in self.FOLDED]

    @property
    def shows_folded(self) -> bool:
        """Whether one of the others has an error, or was filled in."""
        return any(self[name].errors or self[name].data for name in self.FOLDED)

    def clean_parameters(self) -> dict[str, Any]:
        """The parameters as a mapping."""
        try:
            parameters = read_yaml(self.cleaned_data["parameters"], "") or {}
        except ImportFailure as failure:
            line = f"{_('This is not valid YAML.')} {failure.where}: {failure.reason}"
            raise forms.ValidationError(line) from failure
        if not isinstance(parameters, dict) or not all(isinstance(key, str) for key in parameters):
            raise forms.ValidationError(_("Enter one name and value per line."))
        return parameters

    def clean_examples(self) -> list[dict[str, str]]:
        """The examples, each a unit and perhaps a block."""
        lines = [line.strip() for line in str(self.cleaned_data["examples"]).splitlines()]
        named = [line.rpartition(" | ") for line in lines if line]
        if len(named) > MOST_EXAMPLES:
            raise forms.ValidationError(_("At most %(n)s examples.") % {"n": MOST_EXAMPLES})
        return [
            {"unit": key.strip(), "block": last.strip()} if bar else {"unit": last}
            for key, bar, last in named
        ]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not data.get("name") and "name" not in self.errors:
            data["name"] = name_of_model(data.get("chosen") or "")
            if not data["name"]:
                self.add_error("name", _("This field is required."))
        if data.get("chosen") and data.get("model"):
            self.add_error("model", _("Choose a listed model or name another, not both."))
        own = self._of_chat()
        method = data.get("method")
        if own and method and not issubclass(find_method(method).Parameters, ChatParameters):
            self.add_error(next(iter(own)), _("This method asks no chat model; leave it empty."))
        for name in own.keys() & (data.get("parameters") or {}).keys():
            self.add_error("parameters", _("%(name)s has a field above.") % {"name": name})
        return data

    @property
    def definition(self) -> dict[str, Any]:
        """The fields of a definition; only after `is_valid()`."""
        data = self.cleaned_data
        fields = {name: data[name] for name in ("name", "method", "backend", "model", "family")}
        parameters = {**data["parameters"], **self._of_chat()}
        if data["chosen"]:
            parameters["endpoint"], fields["model"] = json.loads(data["chosen"])
            fields["backend"] = fields["backend"] or CHAT
        return {**fields, "parameters": parameters}

    def _of_chat(self) -> dict[str, Any]:
        """The parameters that fields of their own say."""
        values = {name: self.cleaned_data.get(name) for name in OF_CHAT}
        values["reason"] = "before" if values["reason"] else ""
        return {name: value for name, value in values.items() if value not in (None, "", [])}

    def add_reason(self, reason: str) -> None:
        """Show 'field: reason' as an error of that field; of the form where there is no such."""
        name, _colon, message = reason.partition(": ")
        field, _dot, inner = name.partition(".")
        own = inner.partition(".")[0]
        if field == "parameters" and own in OF_CHAT and self.cleaned_data.get(own):
            self.add_error(own, message)
        elif field not in self.fields:
            self.add_error(None, reason)
        else:
            self.add_error(field, f"{inner}: {message}" if inner else message)


def _help_on_slots(study: Study) -> str:
    """Which names a prompt may hold, by the study's kinds of question."""
    slots = dict.fromkeys(
        f"${slot.name}" for block in study.blocks.all() for slot in block.task_type.slots
    )
    return _(
        "Empty: the method's own, which is shown when you try it. A prompt of yours holds "
        "%(slots)s or $instructions where these texts go; put data between <$fence> and </$fence>."
    ) % {"slots": ", ".join(slots)}


def name_of_model(chosen: str) -> str:
    """The last part of the model's name, as a judge may be called; empty where none is chosen."""
    model = str(json.loads(chosen)[1]) if chosen else ""
    return re.sub(r"[^A-Za-z0-9._+-]+", "-", model.rpartition("/")[2]).strip("-._+")[:80]


def chat_models(study: Study, user: User | None) -> list[tuple[str, list[tuple[str, str]]]]:
    """The chat models that an account may ask in a study, as choices in groups by endpoint."""
    return [
        (name, [(json.dumps([name, model]), model) for model in models])
        for name, models in choosable_models(user=user, study=study).items()
        if models
    ]


def why_no_models() -> str:
    """What to do where there are none."""
    if not ModelEndpoint.objects.exists():
        return _("None yet: the operator sets models up on the page Models.")
    return _(
        "None that you may ask: each endpoint is for owners of a study, or for named accounts, up "
        "to its limit. An owner can start the runs, or the operator can change this on the page "
        "Models."
    )
