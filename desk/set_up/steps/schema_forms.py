"""Forms that the schema of the study file draws by itself: keys that few studies need."""

from collections.abc import Iterable
from functools import cache
from typing import Any, ClassVar

from django import forms
from django.conf import settings
from django.http import QueryDict
from pydantic import BaseModel, ValidationError, create_model

from desk.set_up.steps.forms import Keys, KeysForm
from desk.set_up.steps.options import COUNT, Node, OptionsTree, place_errors
from desk.set_up.steps.questions import with_other_rows
from imports.errors import ImportFailure
from imports.study_file.parts import Part
from imports.study_file.schema import StudyFile

PREFIX = "k"
# Keys of the study file that no form changes, and why.
ONLY_IN_FILE = {
    "slug": "the study's address: links that were sent hold it",
    "seed": "drawn once, when the study is made; it is there for others to repeat the draws",
    "blocks.task_type": "another kind of question is another study: begin a new one",
    "blocks.key": "names the block in exports, and is set where a file has several of one kind",
}


LABELS = {
    "tips": "Tips, one a line",
    "comprehension": "Questions about the instructions",
    "comprehension_tries": "Tries at these questions",
    "tell_controls": "Say before a batch how many answers are known",
    "tell_missed": "Show after a batch the known answers that were missed",
    "show_hourly_rate": "Show what an hour pays",
    "collect_paradata": "Count pastes, keystrokes and time away from the page",
    "language": "Language of the workers’ pages",
    "setting": "Subset of units that is asked about",
    "verdicts": "Verdicts, each as label: definition",
    "batches": "How batches are made",
    "conclusions": "Conclusions to be checked",
    "epsilon": "What a judge’s lower cost is worth (ε)",
    "margins": "Differences that do not matter, each as facet: number",
}


# Where the study file's own sentence does not fit a form.
HINTS = {
    "tips": "Shown with the worked examples",
    "comprehension": "Asked before the first batch",
    "comprehension_tries": "",
    "show_hourly_rate": "",
    "language": "It translates no text of the study",
    "verdicts": "Workers see them beside the verdict",
    "batches": "Composed for each worker, or fixed: made once, and each given to several workers",
    "conclusions": "Sentences that the results then support or not",
}


@cache
def part_of_file(names: tuple[str, ...]) -> type[BaseModel]:
    """The schema of these keys of a study file, each with what it means."""
    fields = {name: (info.annotation, info) for name, info in StudyFile.model_fields.items()}
    part = {name: fields[name] for name in names}
    made: type[BaseModel] = create_model("Keys", __base__=Part, **part)  # type: ignore[call-overload]
    return made


class SchemaForm(KeysForm):
    """A form over some keys, drawn from their schema. few: those that a fold holds."""

    few: ClassVar[tuple[str, ...]] = ()

    def __init__(self, standing: Keys, data: QueryDict | None = None) -> None:
        typed = None if data is None else with_other_rows(data)
        super().__init__(standing, typed)
        self.model = part_of_file(self.names)
        self._tree = OptionsTree(self.model, PREFIX)
        self.record = standing if typed is None else self._tree.read(typed)
        self.nodes = self._tree.nodes(self.record)
        for node in self.nodes:
            key = node.name.partition(".")[2]
            node.label, node.hint = LABELS[key], HINTS.get(key, node.hint)
            if key == "language":
                node.kind, node.choices = "choice", [code for code, _name in settings.LANGUAGES]

    @property
    def first(self) -> list[Node]:
        """The fields that stand open."""
        return [node for node in self.nodes if node.name.partition(".")[2] not in self.few]

    @property
    def more(self) -> list[Node]:
        """The fields of the fold."""
        return [node for node in self.nodes if node not in self.first]

    def typed_before(self, standing: Keys) -> dict[str, Any]:
        return {}

    def offer(self, name: str, values: Iterable[str]) -> None:
        """Say below a field which values there are."""
        node = next(node for node in self.nodes if node.name == f"{PREFIX}.{name}")
        node.hint += f". There are: {', '.join(values) or 'none'}"

    def clean(self) -> dict[str, Any]:
        try:
            self.model.model_validate(self._wanted())
        except ValidationError as error:
            for text in place_errors(self.nodes, PREFIX, error):
                self.add_error(None, text)
            self.add_error(None, forms.ValidationError("Some fields need another look."))
        return super().clean() or {}

    def typed_keys(self) -> dict[str, Any]:
        return self.model.model_validate(self._wanted()).model_dump(mode="json", by_alias=True)

    def _wanted(self) -> dict[str, Any]:
        """What was typed; a key that was left alone is as it stands, since a field may show it in
        other words than the file has, such as a tip of several lines."""
        shown = self._tree.read(posted_by(self._tree.nodes(self.standing)))
        wanted = {name: self.record.get(name) for name in self.names}
        for name, value in shown.items():
            if wanted[name] == value:
                wanted[name] = self.standing.get(name)
        # None is what a key that is left out has, except where its schema says so.
        return {name: value for name, value in wanted.items() if value is not None}

    def place(self, failure: ImportFailure) -> None:
        self.add_error(None, f"{failure.field}: {failure.reason}")


def posted_by(nodes: Iterable[Node]) -> QueryDict:
    """What a browser would post of these fields as they stand."""
    data = QueryDict(mutable=True)
    for node in (inner for top in nodes for inner in top.walk()):
        if node.kind == "rows":
            data[f"{node.name}.{COUNT}"] = str(len(node.parts))
        elif node.kind == "choices":
            data.setlist(node.name, list(node.value))
        elif node.kind == "check":
            if node.value:
                data[node.name] = "on"
        elif node.kind != "group":
            data[node.name] = "" if node.value is None else str(node.value)
    return data


class IntroductionForm(SchemaForm):
    """What people are told and asked before and beside their work."""

    names = (
        "tips",
        "comprehension",
        "comprehension_tries",
        "tell_controls",
        "tell_missed",
        "show_hourly_rate",
        "collect_paradata",
        "language",
    )


class MethodForm(SchemaForm):
    """What of the data is asked about, and what the results are to say."""

    names = ("epsilon", "conclusions", "setting", "verdicts", "batches", "margins")
    few = ("margins",)
