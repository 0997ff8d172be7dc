"""The forms of single keys of a study: texts, ethics, recruitment, introduction and method."""

from collections.abc import Iterable
from typing import Any

from django.http import QueryDict

from set_up.steps.defaults import ETHICS, default_text
from set_up.steps.forms import Keys, KeysForm, PlainForm, mapping
from tasktypes.registry import task_type


class TextsForm(PlainForm):
    """What workers read. A text that is missing is suggested."""

    form = "texts"

    def __init__(self, standing: Keys, data: QueryDict | None = None) -> None:
        super().__init__(standing, data)
        self.fields["title"].required = True

    def name_of(self, *path: str) -> str:
        name = super().name_of(*path)
        return {"text": "consent", "version": "consent_version"}.get(name, name)

    def suggested(self, standing: Keys) -> Keys:
        consent = {"text": default_text("consent"), "version": "1"} | mapping(standing, "consent")
        kinds = [task_type(block["task_type"]) for block in standing.get("blocks", ())]
        texts = {
            "instructions": "\n\n".join(kind.instructions for kind in kinds),
            "debrief": default_text("debrief"),
        }
        missing = {name: text for name, text in texts.items() if not standing.get(name)}
        return {**standing, **missing, "consent": consent}

    @property
    def missing(self) -> list[str]:
        """The texts that the study lacks, and for which one is suggested."""
        names = ("instructions", "consent", "debrief")
        return [str(self[name].label) for name in names if not self.standing.get(name)]

    def completed(self, record: dict[str, Any]) -> dict[str, Any]:
        text, version = (mapping(record, "consent").get(name) for name in ("text", "version"))
        return record | {"consent": {"text": text, "version": version or "1"} if text else None}


class EthicsForm(PlainForm):
    """What the consent page names."""

    form = "ethics"

    def suggested(self, standing: Keys) -> Keys:
        return {**standing, "ethics": {**ETHICS, **mapping(standing, "ethics")}}


class RecruitmentForm(PlainForm):
    """Where workers come from, and how much of the study each may do."""

    form = "recruitment"

    def completed(self, record: dict[str, Any]) -> dict[str, Any]:
        names_panel = mapping(self.standing, "recruitment").get("panel")
        if record["recruitment"].get("panel") == "invitation" and not names_panel:
            # What a study has that names none.
            record["recruitment"]["panel"] = ""
        return record


class IntroductionForm(KeysForm):
    """What people are told and asked before and beside their work."""

    form = "introduction"


class MethodForm(KeysForm):
    """What of the data is asked about, and what the results are to say."""

    form = "method"

    def offer(self, name: str, values: Iterable[str]) -> None:
        """Say below a field which values there are."""
        shown = self[self.name_of(*self.at, name)]
        shown.help_text += f". There are: {', '.join(values) or 'none'}"
