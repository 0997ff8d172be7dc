"""The forms that have models write texts, or propose lists."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, get_args

from django import forms

from annotation.models import Study, User
from generators.generator import Generator
from generators.jobs.requests import (
    ListsRequest,
    TextsRequest,
    Writer,
)
from generators.kinds import TextKind
from generators.lists import ListParameters, ListProposer
from judges.methods.conversation import Step
from judges.views.definition_form import name_of_model
from set_up.preparation.pages import lists_to_prepare
from set_up.writing.asking_form import ASKED_FIRST, OF_EVERY, AskingForm
from tasktypes.registry import TASK_TYPES
from tasktypes.schemas import sentence

ROWS = 4
# Options in plain words: label, help, and their values.
_WORDS: Mapping[str, tuple[str, str, Mapping[str, str]]] = {
    "evidence": (
        "Evidence selected by",
        "People: a chain of the source, or the passages marked as selected.",
        {"human": "people", "machine": "the model itself"},
    )
}
_OWN_TEXTS = {"template": "Prompt", "system": "System message"}


class WriterRow(NamedTuple):
    """The fields of one model."""

    model: forms.BoundField
    system: forms.BoundField
    family: forms.BoundField | None


class TextsForm(AskingForm):
    """Texts of one kind, by up to `ROWS` models."""

    def __init__(
        self, study: Study, user: User, kind: TextKind, data: Any = None, initial: Any = None
    ) -> None:
        super().__init__(study, user, data, initial)
        self.kind = kind
        systems = study.items.exclude(system="").order_by("system")
        names = list(systems.values_list("system", flat=True).distinct()[:500])
        for row in range(ROWS):
            self._add_row(row, names)
        proposed = {} if self.is_bound else kind.initial(study)
        for name in kind.options:
            self._add_option(name, proposed)
        self.add_templates(_steps(kind.generator, kind.options, kind.fixed))

    def _add_option(self, name: str, proposed: Mapping[str, Any]) -> None:
        field = self.kind.generator.Parameters.model_fields[name]
        said = sentence(field.description or "").replace("`", "")
        label, about, words = _WORDS.get(name, (name.capitalize(), said, {}))
        self.fields[f"option-{name}"] = forms.ChoiceField(
            label=label,
            help_text=about,
            choices=[(value, words.get(value, value)) for value in get_args(field.annotation)],
            initial=proposed.get(name, field.default),
        )

    def _add_row(self, row: int, systems: list[str]) -> None:
        self.fields[f"model-{row}"] = forms.ChoiceField(
            label="Model", choices=[("", "–"), *self.models], required=False
        )
        if self.kind.of:
            self.fields[f"system-{row}"] = forms.CharField(
                label="Writes as", help_text="The system’s name. Empty: that of the model.",
                max_length=200, required=False,
            )  # fmt: skip
            self.fields[f"family-{row}"] = forms.CharField(
                label="Model family", max_length=200, required=False
            )
        else:
            self.fields[f"system-{row}"] = forms.ChoiceField(
                label="Changes the texts of",
                choices=[("", "–"), *((name, name) for name in systems)],
                required=False,
            )

    @property
    def rows(self) -> list[WriterRow]:
        """The fields of each model."""
        return [
            WriterRow(
                self[f"model-{row}"],
                self[f"system-{row}"],
                self[f"family-{row}"] if self.kind.of else None,
            )
            for row in range(ROWS)
        ]

    @property
    def options(self) -> list[forms.BoundField]:
        """What is special to the kind, and what every kind asks."""
        names = [f"option-{name}" for name in self.kind.options if name in ASKED_FIRST]
        return [self[name] for name in (*names, "max_cost", "limit")]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        self.writers = [writer for row in range(ROWS) if (writer := self._writer(row, data))]
        if not self.writers and not self.errors:
            self.add_error("model-0", "Choose a model.")
        return data

    def _writer(self, row: int, data: Mapping[str, Any]) -> Writer | None:
        chosen = data.get(f"model-{row}") or (data.get("other") if row == 0 else "")
        system = (data.get(f"system-{row}") or "").strip()
        if not chosen:
            if system and not self.errors:
                self.add_error(f"model-{row}", "Choose a model for this system.")
            return None
        endpoint, model = json.loads(chosen)
        if not system and not self.kind.of:
            self.add_error(f"system-{row}", "Choose the system whose texts it changes.")
            return None
        return Writer(
            endpoint=endpoint[:80],
            model=model,
            system=system or name_of_model(chosen) or "model",
            family=(data.get(f"family-{row}") or "").strip(),
        )

    @property
    def request(self) -> TextsRequest:
        """What is asked for; only after `is_valid()`."""
        options = {name: self.cleaned_data[f"option-{name}"] for name in self.kind.options}
        return TextsRequest(
            kind=self.kind.name,
            writers=tuple(self.writers),
            parameters=self.parameters | options,
            **self.amounts,
        )


class ListsForm(AskingForm):
    """Lists for the questions of a block, by one model."""

    tokens = 2048
    model = forms.ChoiceField(label="Model", required=False)
    rejected = forms.BooleanField(label="Also where a list was rejected", required=False)

    def __init__(self, study: Study, user: User, data: Any = None, initial: Any = None) -> None:
        super().__init__(study, user, data, initial)
        self.lists = {one.key: one for one in lists_to_prepare(study)}
        titles = [
            (key, f"{one.block.key}: {one.prepared.title}") for key, one in self.lists.items()
        ]
        self.fields["list"] = forms.ChoiceField(label="List", choices=titles)
        model = self.fields["model"]
        assert isinstance(model, forms.ChoiceField)
        model.choices = [("", "–"), *self.models]
        steps = {
            step.name: step
            for one in self.lists.values()
            for step in ListProposer.steps(
                ListParameters(name=one.prepared.name), one.block.task_type
            )
        }
        self.add_templates(steps.values())

    @property
    def options(self) -> list[forms.BoundField]:
        """The fields that are always open."""
        return [self[name] for name in ("list", "model", "max_cost", "limit")]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not (data.get("model") or data.get("other")) and not self.errors:
            self.add_error("model", "Choose a model.")
        return data

    @property
    def request(self) -> ListsRequest:
        """What is asked for; only after `is_valid()`."""
        data = self.cleaned_data
        endpoint, model = json.loads(data["model"] or data["other"])
        chosen = self.lists[data["list"]]
        return ListsRequest(
            block=chosen.block.key,
            list=chosen.prepared.name,
            rejected=data["rejected"],
            writer=Writer(endpoint=endpoint[:80], model=model),
            parameters=self.parameters,
            **self.amounts,
        )


def facts(request: TextsRequest | ListsRequest, form: AskingForm) -> list[tuple[str, str]]:
    """What a request asks besides models and amounts: (label, value) in the words of its form."""
    said = []
    for name, value in request.parameters.items():
        if name in ("template", "system"):
            said.append((_OWN_TEXTS[name], "your own"))
            continue
        field = form.fields.get(f"option-{name}") or form.fields[name]
        words = dict(getattr(field, "choices", ()))
        said.append((str(field.label), str(words.get(value, value))))
    return said


def posted(request: TextsRequest | ListsRequest, form: AskingForm) -> dict[str, str]:
    """What the form holds that makes this request."""
    own = request.parameters
    template = own.get("template")
    said: dict[str, Any] = {name: own.get(name, "") for name in OF_EVERY}
    said |= {"seed": request.seed, "limit": request.limit, "max_cost": request.max_cost}
    for step, text in (template if isinstance(template, dict) else {}).items():
        said[f"template-{step}"] = text
    listed = {value for _, models in form.models for value, _ in models}
    if isinstance(request, ListsRequest):
        said |= {
            "list": f"{request.block}/{request.list}",
            "rejected": "on" if request.rejected else "",
        }
        said |= _model(request.writer, listed, "model", "other")
    else:
        said |= {f"option-{name}": own[name] for name in own if f"option-{name}" in form.fields}
        for row, writer in enumerate(request.writers):
            said |= _model(writer, listed, f"model-{row}", "other")
            said |= {f"system-{row}": writer.system, f"family-{row}": writer.family}
    return {name: str(value) for name, value in said.items() if value not in (None, "")}


def _model(writer: Writer, listed: set[str], name: str, other: str) -> dict[str, str]:
    chosen = json.dumps([writer.endpoint, writer.model])
    if chosen in listed:
        return {name: chosen}
    return {other: f"{writer.endpoint}: {writer.model}"}


def _steps(
    generator: type[Generator[Any]], options: Sequence[str], fixed: Mapping[str, Any]
) -> Iterable[Step]:
    """All steps that a kind of text can take, whatever is chosen."""
    own = generator.Parameters.model_fields
    steps: dict[str, Step] = {}
    for name in options or ("",):
        values = get_args(own[name].annotation) if name else ("",)
        for value in values:
            chosen = {name: value} if name else {}
            parameters = generator.Parameters.model_validate({**fixed, **chosen})
            for step in generator.steps(parameters, TASK_TYPES[0]):
                steps.setdefault(step.name, step)
    return steps.values()
