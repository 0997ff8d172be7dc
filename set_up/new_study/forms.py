"""The steps of a new study as forms. What is typed is kept even where it does not fit."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from django import forms
from django.template.defaultfilters import filesizeformat
from django.utils.html import format_html

from annotation.models import Study
from imports.study_file.item_columns import ItemColumns
from imports.study_file.parts import EthicsPart
from set_up.imports.tool_studies import offered_formats
from set_up.steps.fields import form_field
from set_up.steps.model_fields import schema_of
from tasktypes.registry import TASK_TYPES, task_type

TEMPLATE, COPY, FILE, TOOL = "template", "copy", "file", "tool"
# What columns may hold, in the order of the form, each in the words of a researcher.
ROLES = (
    ("text", "The output that is judged"),
    ("document", "Document that outputs are about"),
    ("claim", "Claim that is checked"),
    ("query", "Query that is answered"),
    ("passages", "Passages of evidence"),
    ("verdict", "Verdict on the claim"),
    ("source", "ID of the document, claim or query"),
    ("item", "ID of the output (if a system has several)"),
    ("system", "System that wrote it"),
    ("reference", "Right answer"),
)
_ETHICS = schema_of(EthicsPart)["properties"]
_LINES = {"rows": 9, "class": "prose-field"}
_ENCODINGS = [
    ("", "as detected"),
    ("utf-8", "UTF-8"),
    ("cp1252", "Windows-1252"),
    ("latin-1", "Latin-1"),
    ("mac_roman", "Mac Roman"),
]


def _described(kind: Any) -> str:
    """The name of a task type and what people do in it."""
    return format_html('{} <span class="check__hint">{}</span>', kind.title, kind.purpose)


def described_kinds() -> list[tuple[str, str]]:
    """The task types, each with what people do in it."""
    return [(kind.slug, _described(kind)) for kind in TASK_TYPES]


class OriginForm(forms.Form):
    """What a new study begins with."""

    origin = forms.ChoiceField(choices=[(name, name) for name in (TEMPLATE, COPY, FILE, TOOL)])
    kind = forms.ChoiceField(
        label="Kind of question",
        choices=described_kinds(),
        widget=forms.RadioSelect,
        required=False,
    )
    study = forms.ModelChoiceField(
        label="Study to copy", queryset=Study.objects.none(), to_field_name="slug", required=False
    )
    file = forms.FileField(
        label="Study file",
        help_text="A study.yaml, such as another study's page Study file offers.",
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


class TableForm(forms.Form):
    """The upload of the items."""

    file = forms.FileField(
        label="Table of outputs",
        help_text="CSV, TSV, XLSX, Parquet or JSON lines, a row each.",
        required=False,
    )
    local = forms.ChoiceField(label="Or a file on the server", required=False)

    def __init__(self, local_files: Sequence[tuple[str, int]], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not local_files:
            del self.fields["local"]
            return
        field = self.fields["local"]
        assert isinstance(field, forms.ChoiceField)
        sizes = ((name, f"{name} ({filesizeformat(size)})") for name, size in local_files)
        field.choices = [("", "–"), *sizes]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not data.get("file") and not data.get("local") and not self.errors:
            self.add_error("file", "Choose a file.")
        return data


class ColumnsForm(forms.Form):
    """Which column holds what, and how the file is read where that was detected wrong."""

    def __init__(self, names: Sequence[str], columns: dict[str, Any], data: Any = None) -> None:
        super().__init__(data, initial=columns)
        choices = [("", "–"), *((name, name) for name in names)]
        for role, label in ROLES:
            self.fields[role] = forms.ChoiceField(label=label, choices=choices, required=False)
        self.fields["delimiter"] = forms.ChoiceField(
            label="Delimiter",
            choices=[("", "as detected"), (",", ","), (";", ";"), ("\t", "tab"), ("|", "|")],
            required=False,
        )
        self.fields["encoding"] = forms.ChoiceField(
            label="Encoding",
            choices=_ENCODINGS,
            required=False,
        )

    @property
    def chosen(self) -> dict[str, Any]:
        """The columns that were chosen, whether they fit or not."""
        known = ItemColumns.model_fields
        chosen = {name: self.data.get(name, "") for name in self.fields if name in known}
        return {name: value for name, value in chosen.items() if value}


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
    skip_unusable = forms.BooleanField(
        label="Leave out rows that do not fit, and import the rest", required=False
    )

    def __init__(self, keys: dict[str, Any], skip: bool, data: Any = None) -> None:
        self._keys = keys
        super().__init__(data, initial=_typed_before(keys) | {"skip_unusable": skip})
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
            "overlap": _number(text["overlap"]),
            "consent": consent if text["consent"] else None,
            "ethics": ethics,
            "rounds": self._rounds(_number(text["normal"]), _number(text["minutes"])),
        }

    def _rounds(self, normal: Any, minutes: Any) -> list[Any]:
        rounds = deepcopy(self._keys.get("rounds") or [{"name": "main"}])
        last = rounds[-1]
        if isinstance(last, dict):
            last["batch"] = {**_mapping(last, "batch"), "normal": normal}
            last["expected_minutes"] = minutes or None
        return list(rounds)


def _typed_before(keys: dict[str, Any]) -> dict[str, Any]:
    consent = keys.get("consent")
    rounds = keys.get("rounds") or [{}]
    last = rounds[-1] if isinstance(rounds, list) and isinstance(rounds[-1], dict) else {}
    return {
        **{name: keys.get(name, "") for name in ("title", "slug", "instructions", "debrief")},
        **_mapping(keys, "ethics"),
        "overlap": keys.get("overlap", 1),
        "consent": consent if isinstance(consent, str) else _mapping(keys, "consent").get("text"),
        "normal": _mapping(last, "batch").get("normal", 1),
        "minutes": last.get("expected_minutes"),
    }


def _mapping(keys: dict[str, Any], name: str) -> dict[str, Any]:
    value = keys.get(name)
    return value if isinstance(value, dict) else {}


def _number(text: str) -> int | str:
    return int(text) if text.isdecimal() and len(text) < 9 else text
