"""The forms of single keys of a study: texts, ethics, recruitment, introduction and method."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from django.http import QueryDict
from django.utils.translation import ngettext

from annotation.queries.metadata import OwnColumn
from set_up.steps.defaults import ETHICS, default_text
from set_up.steps.forms import Keys, KeysForm, PlainForm, mapping
from tasktypes.registry import task_type

GROUP_BY = "group_by"
# Of whom or what an own column is, by the beginning of its key.
WHOSE = {
    "source": "of the source",
    "item": "of the output",
    "unit": "of the unit",
    "rater": "of the raters: personal data",
}


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

    def completed(self, record: dict[str, Any]) -> dict[str, Any]:
        """Without a wording no text is asked for, whatever stands beside it."""
        asked = mapping(record, "free_text")
        return record | {"free_text": asked if asked.get("question") else {}}


class GroupChoice(NamedTuple):
    """An own column that results may be grouped by: its key, and what it is in words."""

    key: str
    words: str
    is_taken: bool


class MethodForm(KeysForm):
    """What of the data is asked about, and what the results are to say."""

    form = "method"

    def __init__(
        self,
        standing: Keys,
        data: QueryDict | None = None,
        *,
        columns: Mapping[str, OwnColumn] | None = None,
    ) -> None:
        """columns: the own columns of the study, to be ticked."""
        self.columns = columns or {}
        if data is not None:
            data, name = data.copy(), self.name_of(*self.at, GROUP_BY)
            ticked = data.getlist(name) if self.columns else standing.get(GROUP_BY, ())
            data[name] = "\n".join(ticked)
        super().__init__(standing, data)

    @property
    def groups(self) -> list[GroupChoice]:
        """The own columns that results may be grouped by, and those that they are."""
        shown = self[self.name_of(*self.at, GROUP_BY)]
        taken = str(shown.field.prepare_value(shown.value())).splitlines()
        able = [key for key, column in self.columns.items() if column.makes_groups]
        return [
            GroupChoice(key, _in_words(key, self.columns.get(key)), key in taken)
            for key in dict.fromkeys([*able, *taken])
        ]

    def offer(self, name: str, values: Iterable[str]) -> None:
        """Say below a field which values there are."""
        shown = self[self.name_of(*self.at, name)]
        shown.help_text += f". There are: {', '.join(values) or 'none'}"


def _in_words(key: str, column: OwnColumn | None) -> str:
    """Whose own column it is, and how many values it has."""
    of, _, name = key.partition(".")
    values = ngettext("%(n)s value", "%(n)s values", number := column.values if column else 0)
    return f"{name} ({WHOSE[of]}, {values % {'n': number}})"
