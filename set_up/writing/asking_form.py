"""What both forms of writing ask: how a model is asked, for how many, at what cost."""

import json
from collections.abc import Iterable
from typing import Any

from django import forms

from annotation.models import Study, User
from generators.jobs.requests import LARGEST_SEED, MOST_TEXTS
from judges.methods.conversation import Step
from judges.methods.conversation.parameters import MOST_TOKENS
from judges.views.definition_form import chat_models, why_no_models
from judges.views.forms import AMOUNT

LONGEST_PROMPT = 100_000
# Parameters that fields of every form say.
OF_EVERY = ("temperature", "max_tokens", "system")
# Options that are asked first; the others are folded away.
ASKED_FIRST = ("evidence",)


class AskingForm(forms.Form):
    """What both forms ask: how a model is asked, for how many, at what cost."""

    max_cost = forms.DecimalField(
        label="Cap in USD", help_text="With a higher expected cost nothing is started.", **AMOUNT
    )
    limit = forms.IntegerField(
        label="Only the first",
        help_text="Of each model, to look at some before all are paid for.",
        min_value=1,
        max_value=MOST_TEXTS,
        required=False,
    )
    other = forms.CharField(
        label="Another model",
        help_text="One that is not listed: MODEL, or ENDPOINT: MODEL.",
        max_length=300,
        required=False,
    )
    seed = forms.IntegerField(
        label="Seed", help_text="Of every random choice.", min_value=0, max_value=LARGEST_SEED,
        initial=0, required=False,
    )  # fmt: skip
    temperature = forms.FloatField(
        label="Temperature", min_value=0, max_value=2, initial=0, required=False
    )
    max_tokens = forms.IntegerField(
        label="Longest reply in tokens", min_value=1, max_value=MOST_TOKENS,
        required=False,
    )  # fmt: skip
    system = forms.CharField(
        label="System message",
        help_text="Sent before everything else. Empty: none.",
        max_length=LONGEST_PROMPT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    tokens = 1024
    FOLDED = ("other", "seed", "temperature", "max_tokens", "system")

    def __init__(self, study: Study, user: User, data: Any = None, initial: Any = None) -> None:
        super().__init__(data, initial={"max_tokens": self.tokens, **(initial or {})})
        self.models = chat_models(study, user)
        self.why_none = "" if self.models else why_no_models()

    def add_templates(self, steps: Iterable[Step]) -> None:
        """A field for a prompt of one's own in place of each of ours."""
        for step in steps:
            slots = ", ".join(f"${slot.name}" for slot in step.slots)
            self.fields[f"template-{step.name}"] = forms.CharField(
                label=f"Prompt of the step “{step.name}”",
                help_text=f"Empty: ours. Yours holds {slots} where these go; put data between "
                "<$fence> and </$fence>.",
                max_length=LONGEST_PROMPT,
                required=False,
                widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
            )

    @property
    def folded(self) -> list[forms.BoundField]:
        """The fields that few need."""
        first = [f"option-{name}" for name in ASKED_FIRST]
        own = [name for name in self.fields if name.startswith(("template-", "option-"))]
        own = [name for name in own if name not in first]
        return [self[name] for name in (*self.FOLDED, *own)]

    @property
    def shows_folded(self) -> bool:
        """Whether one of them has an error."""
        return any(field.errors for field in self.folded)

    def clean_other(self) -> str:
        """The other model with its endpoint, as the listed ones are chosen."""
        endpoint, colon, model = self.cleaned_data["other"].strip().partition(": ")
        if not endpoint:
            return ""
        return json.dumps([endpoint, model.strip()] if colon else ["default", endpoint])

    @property
    def parameters(self) -> dict[str, Any]:
        """Of the generator; only after `is_valid()`."""
        data = self.cleaned_data
        said = {name: data[name] for name in OF_EVERY if data[name] not in (None, "")}
        own = {
            name.removeprefix("template-"): text
            for name, text in data.items()
            if name.startswith("template-") and text.strip()
        }
        return {**said, **({"template": own} if own else {})}

    @property
    def amounts(self) -> dict[str, Any]:
        """Seed, limit and cap; only after `is_valid()`."""
        data = self.cleaned_data
        return {"seed": data["seed"] or 0, "limit": data["limit"], "max_cost": data["max_cost"]}
