"""The blocks of a study file: task types with their options, and the facets that they make."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Self

from pydantic import Field, JsonValue, ValidationError, model_validator

from files.errors import ImportFailure
from imports.study_file.parts import StudyFilePart
from tasktypes.facets import Facet
from tasktypes.registry import task_type
from tasktypes.schemas import Schema

SlugOrNone = Annotated[str, Field(pattern=r"^([a-z0-9][a-z0-9_-]*)?$", max_length=80)]
# Options that name what is asked about.
_NAMING = ("facet", "criteria")


class BlockPart(StudyFilePart):
    """One task type with its options."""

    task_type: str
    """The name of a task type."""
    options: dict[str, JsonValue] = {}
    """What that task type offers."""
    key: SlugOrNone = ""
    """Names the block in files and exports; without it the task type, numbered from the second of a
    kind (`slider-2`)."""

    @model_validator(mode="after")
    def _options_fit(self) -> Self:
        try:
            kind = task_type(self.task_type)
        except KeyError as error:
            raise ValueError(f"task_type: {error.args[0]}") from error
        try:
            kind.Options.model_validate(self.options)
        except ValidationError as error:
            failure = ImportFailure.of("", error, within="options")
            raise ValueError(f"{failure.field}: {failure.reason}") from error
        return self

    @property
    def facets(self) -> tuple[Facet, ...]:
        """What answers to the block are compared by."""
        kind = task_type(self.task_type)
        return kind.facets(kind.Options.model_validate(self.options))

    @property
    def full_options(self) -> dict[str, Any]:
        """The options with the defaults written out, so that a later default changes nothing."""
        options: Schema = task_type(self.task_type).Options.model_validate(self.options)
        return options.model_dump(mode="json")


def facet_names(blocks: Sequence[BlockPart]) -> list[str]:
    """The names of all facets, in their order."""
    return [facet.name for block in blocks for facet in block.facets]


def refuse_shared_facets(blocks: Sequence[BlockPart]) -> None:
    """Refuse a facet name in two blocks: reports would take them for one facet."""
    seen: set[str] = set()
    for position, block in enumerate(blocks):
        names = {facet.name for facet in block.facets}
        for name in sorted(names & seen):
            fields = task_type(block.task_type).Options.model_fields
            naming = [f".{option}" for option in _NAMING if option in fields]
            field = f"blocks[{position}].options{''.join(naming[:1])}"
            raise ValueError(f"{field}: an earlier block has a facet {name!r} as well")
        seen |= names


def refuse_unknown_comparisons(blocks: Sequence[BlockPart]) -> None:
    """Refuse a comparison with a facet that is not there, or with the facet itself."""
    names = set(facet_names(blocks))
    for position, block in enumerate(blocks):
        for facet in block.facets:
            for name in facet.compared_with:
                if name not in names - {facet.name}:
                    field = f"blocks[{position}].options.compared_with"
                    raise ValueError(f"{field}: there is no other facet {name!r} in the study")


def refuse_unknown_margins(blocks: Sequence[BlockPart], margins: Iterable[str]) -> None:
    """Refuse a margin for a facet that is not there: it would be taken for a test that is made."""
    names = {facet.name for block in blocks for facet in block.facets}
    for name in margins:
        if name not in names:
            raise ValueError(f"margins: there is no facet {name!r} in the study")
