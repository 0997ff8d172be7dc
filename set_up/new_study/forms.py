"""The steps of a new study as forms. What is typed is kept even where it does not fit."""

from copy import deepcopy
from typing import Any

from django import forms

from annotation.models import Study
from imports.study_file.parts import EthicsPart
from imports.study_file.schema import StudyRecord
from set_up.imports.tool_studies import offered_formats
from set_up.new_study.beginnings import beginning_choices
from set_up.steps.fields import form_field
from set_up.steps.model_fields import schema_of
from tasktypes.registry import task_type

TEMPLATE, COPY, FILE, TOOL = "template", "copy", "file", "tool"
_ETHICS = schema_of(EthicsPart)["properties"]
_TEXT_FORM = schema_of(StudyRecord)["properties"]["text_form"]
_LINES = {"rows": 9, "class": "prose-field"}


class OriginForm(forms.Form):
    """What a new study begins with."""

    origin = forms.ChoiceField(choices=[(name, name) for name in (TEMPLATE, COPY, FILE, TOOL)])
    kind = forms.ChoiceField(choices=beginning_choices, required=False)
    study = forms.ModelChoiceField(
        label="Study to copy", queryset=Study.objects.none(), to_field_name="slug", required=False
    )
    file = forms.FileField(
        label="Study file",
        help_text="A study.yaml, as another study has it under Set-up, Study file.",
        required=False,
    )
    tool = forms.ChoiceField(
        label="Tool or data set",
        choices=lambda: [
            (title, [(name, kind.taken.title) for name, kind in kinds.items()])
            for title, kinds in offered_formats().items()
        ],
        required=False,
    )

    def __init__(self, studies: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["study"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = studies

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        name = {TEMPLATE: "kind", COPY: "study", FILE: "file", TOOL: "tool"}.get(
            str(data.get("origin"))
        )
        if name and not data.get(name) and name not in self.errors:
            self.add_error(name, "Choose one.")
        return data


class AskedForm(forms.Form):
    """The words of the question, for kinds whose first criterion or question can be worded."""

    question = forms.CharField(label="What is asked", max_length=500, required=False)
    definition = forms.CharField(
        label="What is meant by it", widget=forms.Textarea(attrs={"rows": 3}), required=False
    )
    key = forms.RegexField(
        label="Short name, used in exports",
        regex=r"^[a-z][a-z0-9_]*$",
        max_length=40,
        help_text="Small letters, digits and underscores, such as fluency.",
        required=False,
    )

    def __init__(self, block: dict[str, Any], data: Any = None) -> None:
        self._block = block
        place, names = _worded(block)
        self._names = names
        initial = {name: place.get(own, "") for name, own in names.items()}
        super().__init__(data, initial=initial)
        for name in set(self.fields) - set(names):
            del self.fields[name]

    @property
    def worded(self) -> dict[str, Any]:
        """The block with these words in it; what is left empty stays as it was."""
        block = deepcopy(self._block)
        place, names = _worded(block)
        for name, own in names.items():
            if typed := self.data.get(name, "").strip():
                place[own] = typed
        return block


def _worded(block: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """(the part of a block's options that words the question, our names to the keys there).
    The options are filled up with the defaults of that part."""
    defaults = task_type(block["task_type"]).Options().model_dump(mode="json")
    options = block.setdefault("options", {})
    if "criteria" in defaults:
        criteria = options.setdefault("criteria", defaults["criteria"])
        if len(criteria) > 1:
            return {}, {}  # those of a template, or worded in the set-up
        names = {name: name for name in ("question", "definition", "key")}
        return criteria[0], names
    if "question" in defaults and "facet" in defaults:
        for name in ("question", "facet"):
            options.setdefault(name, defaults[name])
        return options, {"question": "question", "key": "facet"}
    return {}, {}


class TextsForm(forms.Form):
    """Title, texts and rules. Browsers hold nothing back: what is missing can wait."""

    use_required_attribute = False
    title = forms.CharField(label="Title", max_length=200, help_text="Workers see it.")
    slug = forms.RegexField(
        label="Name in addresses",
        regex=r"^[a-z0-9][a-z0-9_-]*$",
        max_length=80,
        help_text="Small letters, digits and hyphens. Left empty, it comes from the title.",
    )
    instructions = forms.CharField(
        label="Instructions", widget=forms.Textarea(attrs=_LINES), required=False
    )
    consent = forms.CharField(
        label="Consent text", widget=forms.Textarea(attrs=_LINES), required=False
    )
    debrief = forms.CharField(
        label="Shown at the end", widget=forms.Textarea(attrs={**_LINES, "rows": 5}), required=False
    )
    overlap = forms.IntegerField(label="Answers per unit", min_value=1, max_value=1000)
    normal = forms.IntegerField(label="Units per batch", min_value=1, max_value=1000)
    minutes = forms.IntegerField(
        label="Minutes per batch", min_value=1, max_value=1440, required=False
    )
    base = forms.DecimalField(
        label="Pay for a batch", min_value=0, max_digits=8, decimal_places=2, required=False
    )
    currency = forms.RegexField(label="Currency", regex=r"^[A-Z]{3}$", required=False)
    skip_unusable = forms.BooleanField(
        label="Leave out rows that do not fit, and import the rest", required=False
    )

    def __init__(self, keys: dict[str, Any], skip: bool, data: Any = None) -> None:
        self._keys = keys
        super().__init__(data, initial=_typed_before(keys) | {"skip_unusable": skip})
        self.fields["text_form"] = form_field(["text_form"], _TEXT_FORM)
        self.fields["text_form"].required = False
        for name, part in _ETHICS.items():
            self.fields[name] = form_field([name], part)
            self.fields[name].help_text = ""

    @property
    def ethics(self) -> list[forms.BoundField]:
        """The fields of what the consent page names."""
        return [self[name] for name in _ETHICS]

    @property
    def typed(self) -> dict[str, Any]:
        """The keys of a study file with what was typed, fitting or not."""
        text = {name: self.data.get(name, "").replace("\r\n", "\n").strip() for name in self.fields}
        consent = {**(_mapping(self._keys, "consent") or {"version": "1"}), "text": text["consent"]}
        ethics: dict[str, Any] = {name: text[name] for name in _ETHICS if text[name]}
        numbers = [name for name in ethics if _ETHICS[name].get("type") == "integer"]
        ethics |= {name: _number(ethics[name]) for name in numbers}
        return {
            **{name: text[name] for name in ("title", "slug", "instructions", "debrief")},
            **({"text_form": text["text_form"]} if text["text_form"] else {}),
            "overlap": _number(text["overlap"]),
            "consent": consent if text["consent"] else None,
            "ethics": ethics,
            "rounds": self._rounds(text),
        }

    def _rounds(self, text: dict[str, str]) -> list[Any]:
        rounds = deepcopy(self._keys.get("rounds") or [{"name": "main"}])
        last = rounds[-1]
        if isinstance(last, dict):
            last["batch"] = {**_mapping(last, "batch"), "normal": _number(text["normal"])}
            last["expected_minutes"] = _number(text["minutes"]) or None
        for round_ in filter(lambda each: isinstance(each, dict), rounds):
            pay = {"base": text["base"]} if text["base"] and round_ is last else {}
            currency = {"currency": text["currency"]} if text["currency"] else {}
            if said := {**_mapping(round_, "pay"), **currency, **pay}:
                round_["pay"] = said
        return list(rounds)


def _typed_before(keys: dict[str, Any]) -> dict[str, Any]:
    consent = keys.get("consent")
    rounds = keys.get("rounds") or [{}]
    last = rounds[-1] if isinstance(rounds, list) and isinstance(rounds[-1], dict) else {}
    return {
        **{name: keys.get(name, "") for name in ("title", "slug", "instructions", "debrief")},
        **_mapping(keys, "ethics"),
        "text_form": keys.get("text_form", "plain"),
        "overlap": keys.get("overlap", 1),
        "consent": consent if isinstance(consent, str) else _mapping(keys, "consent").get("text"),
        "normal": _mapping(last, "batch").get("normal", 1),
        "minutes": last.get("expected_minutes"),
        "base": _mapping(last, "pay").get("base"),
        "currency": _mapping(last, "pay").get("currency", "USD"),
    }


def _mapping(keys: dict[str, Any], name: str) -> dict[str, Any]:
    value = keys.get(name)
    return value if isinstance(value, dict) else {}


def _number(text: str) -> int | str:
    return int(text) if text.isdecimal() and len(text) < 9 else text
