"""The forms of single-valued keys: texts, ethics and recruitment."""

from typing import Any

from django import forms

from annotation.panels.registry import PANELS
from desk.set_up.steps.defaults import ETHICS, default_text
from desk.set_up.steps.forms import Keys, KeysForm, mapping
from tasktypes.registry import task_type

_MARKDOWN = {"class": "prose-field"}


def _text(label: str, rows: int, hint: str = "", *, required: bool = False) -> forms.CharField:
    widget = forms.Textarea(attrs={**_MARKDOWN, "rows": rows})
    return forms.CharField(label=label, widget=widget, required=required, help_text=hint)


class TextsForm(KeysForm):
    """What workers read. A text that is missing is suggested."""

    names = ("title", "instructions", "consent", "content_warning", "debrief")
    title = forms.CharField(label="Title", max_length=200, help_text="Workers see it.")
    instructions = _text("Instructions", 12, "Read first, and beside every question.")
    consent = _text("Consent text", 10, "What people agree to before they see anything else.")
    consent_version = forms.CharField(
        label="Version of the consent",
        max_length=40,
        required=False,
        help_text=(
            "Stored with each consent. People who agreed to another version or text "
            "are asked again."
        ),
    )
    content_warning = _text("Content warning", 3, "Shown before the consent. May stay empty.")
    debrief = _text("Debrief", 7, "Shown at the end.")

    def typed_before(self, standing: Keys) -> dict[str, Any]:
        consent = mapping(standing, "consent")
        kinds = [task_type(block["task_type"]) for block in standing.get("blocks", ())]
        return {
            "title": standing.get("title"),
            "instructions": standing.get("instructions")
            or "\n\n".join(kind.instructions for kind in kinds),
            "consent": consent.get("text") or default_text("consent"),
            "consent_version": consent.get("version") or "1",
            "content_warning": standing.get("content_warning", ""),
            "debrief": standing.get("debrief") or default_text("debrief"),
        }

    @property
    def suggested(self) -> list[str]:
        """The texts that the study lacks, and for which one is suggested."""
        names = [name for name in ("instructions", "consent", "debrief") if name in self.fields]
        return [str(self[name].label) for name in names if not self.standing.get(name)]

    def typed_keys(self) -> dict[str, Any]:
        data = self.cleaned_data
        consent = {"text": data["consent"], "version": data["consent_version"] or "1"}
        texts = {name: _unix(data[name]) for name in self.names if name != "consent"}
        consent["text"] = _unix(consent["text"])
        return texts | {"consent": consent if consent["text"] else None}

    def field_of(self, path: str) -> str:
        return {"consent.version": "consent_version"}.get(path, path.partition(".")[0])


def _unix(text: str) -> str:
    """A text as it was typed, with the line ends that a study file has."""
    return text.replace("\r\n", "\n").strip()


class EthicsForm(KeysForm):
    """What the consent page names."""

    names = ("ethics",)
    board = forms.CharField(
        label="Ethics board",
        required=False,
        help_text="The board that reviewed the study, or “none needed” with the reason.",
    )
    reference = forms.CharField(label="Number of the approval", required=False)
    contact = forms.CharField(
        label="Contact for questions",
        required=False,
        help_text="An address that is read regularly.",
    )
    controller = forms.CharField(
        label="Responsible for the data", required=False, help_text="A university or a company."
    )
    lawful_basis = forms.CharField(
        label="Lawful basis of processing", required=False, help_text="Most often consent."
    )
    retention_days = forms.IntegerField(
        label="Days that identifiers are kept",
        min_value=1,
        max_value=36_500,
        required=False,
        help_text="After a person's last activity.",
    )
    minimum_age = forms.IntegerField(
        label="Minimum age",
        min_value=0,
        max_value=120,
        required=False,
        help_text="0 for people of any age.",
    )

    def typed_before(self, standing: Keys) -> dict[str, Any]:
        return {**ETHICS, **mapping(standing, "ethics")}

    def typed_keys(self) -> dict[str, Any]:
        typed = {name: self.cleaned_data[name] for name in self.fields if name != "version"}
        return {"ethics": {name: value for name, value in typed.items() if value not in ("", None)}}


_PANEL_NAMES = {
    "invitation": "Invitation links",
    "account": "Accounts of this installation",
    "generic": "Another panel, by its links",
}


def panel_title(slug: str) -> str:
    """A panel in words."""
    names = {panel.slug: panel.name for panel in PANELS}
    return names.get(slug) or _PANEL_NAMES.get(slug, slug)


_CODES = ("completion_code", "screenout_code", "return_code")
_OTHERS = ("completion_url", "workspace")
_IDS = ("worker", "session", "study")


class RecruitmentForm(KeysForm):
    """Where workers come from, and how much of the study each may do."""

    names = ("recruitment", "max_batches_per_worker", "lease_minutes", "max_extensions")
    panel = forms.ChoiceField(
        label="Where workers come from",
        choices=[(panel.slug, panel_title(panel.slug)) for panel in PANELS],
    )
    completion_code = forms.CharField(
        label="Completion code", max_length=100, required=False, help_text="For submitted work."
    )
    screenout_code = forms.CharField(
        label="Screen-out code",
        max_length=100,
        required=False,
        help_text="For those who do not pass a check.",
    )
    return_code = forms.CharField(
        label="Return code",
        max_length=100,
        required=False,
        help_text="For leaving before anything was submitted.",
    )
    completion_url = forms.CharField(
        label="Link back",
        required=False,
        help_text="With {code}, {worker}, {session} and {study} filled in. Empty: the panel's own.",
    )
    worker = forms.CharField(label="The panel's name for a worker's id", required=False)
    session = forms.CharField(label="The panel's name for a visit's id", required=False)
    study = forms.CharField(label="The panel's name for the study's id", required=False)
    frame_origins = forms.CharField(
        label="Sites that may show the study in a frame",
        widget=forms.Textarea(attrs={"rows": 2}),
        required=False,
        help_text="One a line, such as https://panel.example.",
    )
    workspace = forms.RegexField(
        label="Account that pays at the panel",
        regex=r"^[A-Za-z0-9_]{0,40}$",
        required=False,
        help_text="Where this installation has several: the name of one.",
    )
    invite_qualified = forms.BooleanField(
        label="Those who pass a round wait until they are invited to the next", required=False
    )
    max_batches_per_worker = forms.IntegerField(
        label="Batches that one worker does at most", min_value=1, max_value=100_000
    )
    lease_minutes = forms.IntegerField(
        label="Minutes that a batch is kept for a worker",
        min_value=1,
        max_value=43_200,
        help_text="After that its units go to others.",
    )
    max_extensions = forms.IntegerField(
        label="How often a worker may take more time", min_value=0, max_value=1000
    )

    def typed_before(self, standing: Keys) -> dict[str, Any]:
        entries = mapping(standing, "recruitment")
        return {
            **entries,
            **mapping(entries, "parameters"),
            "frame_origins": "\n".join(entries.get("frame_origins", ())),
            "max_batches_per_worker": standing.get("max_batches_per_worker", 5),
            "lease_minutes": standing.get("lease_minutes", 60),
            "max_extensions": standing.get("max_extensions", 3),
        }

    @property
    def main(self) -> list[forms.BoundField]:
        """The fields that most studies need."""
        return [self[name] for name in ("panel", *_CODES)]

    @property
    def amounts(self) -> list[forms.BoundField]:
        """How much one worker does."""
        return [self[name] for name in self.names[1:]]

    @property
    def more(self) -> list[forms.BoundField]:
        """The fields that few studies need."""
        names = ("completion_url", *_IDS, "frame_origins", "workspace")
        return [self[name] for name in names]

    def typed_keys(self) -> dict[str, Any]:
        data = self.cleaned_data
        entries: dict[str, Any] = {name: data[name] for name in (*_CODES, *_OTHERS)}
        entries |= {
            "panel": data["panel"] if data["panel"] != "invitation" or self._names_panel else "",
            "parameters": {name: data[name] for name in _IDS},
            "frame_origins": data["frame_origins"].split(),
            "invite_qualified": data["invite_qualified"],
        }
        return {"recruitment": entries, **{name: data[name] for name in self.names[1:]}}

    @property
    def _names_panel(self) -> bool:
        return bool(mapping(self.standing, "recruitment").get("panel"))
