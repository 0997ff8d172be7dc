"""The study file: what a study is, in one YAML file, and how that file is read."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Self

from django.conf import settings
from pydantic import (
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from annotation.models import Round, Study
from files.errors import ImportFailure
from imports.study_file.blocks import (
    BlockPart,
    facet_names,
    refuse_shared_facets,
    refuse_unknown_comparisons,
    refuse_unknown_margins,
)
from imports.study_file.fields import round_fields
from imports.study_file.item_columns import ItemColumns
from imports.study_file.judge_texts import with_judge_texts
from imports.study_file.keys import SINGLE_BLOCK, read_keys
from imports.study_file.parts import (
    PickedPart,
    Text,
)
from imports.study_file.study_fields import StudyFields

Slug = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$", max_length=80)]


class StudyRecord(StudyFields):
    """The keys that a study file and the first record of a file of records share."""

    @model_validator(mode="before")
    @classmethod
    def _one_block(cls, content: Any) -> Any:
        """`task_type` and `options` at the top stand for a single block."""
        if not isinstance(content, dict) or not content.keys() & SINGLE_BLOCK:
            return content
        if "blocks" in content:
            raise ValueError("blocks: given beside task_type; use one of them")
        rest = {key: value for key, value in content.items() if key not in SINGLE_BLOCK}
        block = {key: content[key] for key in SINGLE_BLOCK if key in content}
        return rest | {"blocks": [block]}

    @field_validator("language")
    @classmethod
    def _has_pages(cls, language: str) -> str:
        codes = [code for code, _name in settings.LANGUAGES]
        if language not in codes:
            raise ValueError(f"there are no pages in {language!r}; use one of {', '.join(codes)}")
        return language

    @field_validator("consent", mode="before")
    @classmethod
    def _text_alone(cls, consent: Any) -> Any:
        return {"text": consent} if isinstance(consent, str) else consent

    @field_validator("verdicts", mode="before")
    @classmethod
    def _labels_in_quotes(cls, verdicts: Any) -> Any:
        """YAML reads a bare `false:` as a truth value, and a label would be lost."""
        if isinstance(verdicts, dict) and any(isinstance(label, bool) for label in verdicts):
            raise ValueError('a label such as "false" or "yes" needs quotes')
        return verdicts

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        names = [part.name for part in self.rounds]
        for position, name in enumerate(names):
            if name in names[:position]:
                raise ValueError(f"rounds[{position}].name: {name!r} occurs twice")
        if len(set(self.block_keys)) < len(self.blocks):
            raise ValueError("blocks: a key occurs twice")
        refuse_shared_facets(self.blocks)
        refuse_unknown_comparisons(self.blocks)
        refuse_unknown_margins(self.blocks, self.margins)
        return self

    @model_validator(mode="after")
    def _stops_by_a_facet(self) -> Self:
        facet = "" if self.stop is None else self.stop.facet
        names = facet_names(self.blocks)
        if facet and facet not in names:
            raise ValueError(f"stop.facet: {facet!r} is none of {', '.join(names)}")
        return self

    @model_validator(mode="after")
    def _rules_are_applied(self) -> Self:
        for position, round_ in enumerate(self._unsaved_rounds()):
            if round_.keep_is_idle:
                raise ValueError(
                    f"rounds[{position}].min_controls: {round_.min_controls} can never be reached "
                    f"(a worker meets at most {round_.most_graded} controls in the round), so that "
                    "keep never applies"
                )
        return self

    def _unsaved_rounds(self) -> list[Round]:
        """The rounds as unsaved rows, to apply the rules of the model."""
        study = Study(max_batches_per_worker=self.max_batches_per_worker)
        rounds = [
            Round(study=study, name=part.name, **round_fields(part, self.currency))
            for part in self.rounds
        ]
        for round_, following in zip(rounds, [*rounds[1:], None], strict=False):
            round_.following = following
        return rounds

    @model_validator(mode="after")
    def _pays_in_one_currency(self) -> Self:
        """Hourly pay could not be computed: time cannot be divided by currency."""
        for position, part in enumerate(self.rounds):
            if part.pay.is_something and part.pay.currency != self.currency:
                raise ValueError(
                    f"rounds[{position}].pay.currency: {part.pay.currency} beside {self.currency} "
                    "(all rounds of a study pay in one currency)"
                )
        return self

    @property
    def currency(self) -> str:
        """The currency of the study: that of its first round that pays something."""
        paying = [part.pay.currency for part in self.rounds if part.pay.is_something]
        return next(iter([*paying, *(part.pay.currency for part in self.rounds)]), "USD")

    @property
    def block_keys(self) -> tuple[str, ...]:
        """A key per block: the one given, else the task type, numbered from its second."""
        keys: list[str] = []
        for position, block in enumerate(self.blocks):
            before = sum(b.task_type == block.task_type for b in self.blocks[:position])
            plain = block.task_type if not before else f"{block.task_type}-{before + 1}"
            keys.append(block.key or plain)
        return tuple(keys)


class StudyFile(StudyRecord):
    """A whole study file."""

    slug: Slug
    """The name in addresses."""
    title: Annotated[str, Field(min_length=1, max_length=200)]
    """The name in words."""
    blocks: Annotated[tuple[BlockPart, ...], Field(min_length=1)]
    """Met in this order; no two may have a facet of one name."""
    items: tuple[Text, ...] = ()
    """One file of records or tables or several, relative to this file."""
    columns: ItemColumns | None = None
    """Which column of the tables holds what."""
    picked: tuple[PickedPart, ...] = ()
    """Units of the items that are controls, worked examples or for training, with their right
    answers."""

    @field_validator("items", mode="before")
    @classmethod
    def _one_file(cls, items: Any) -> Any:
        return [items] if isinstance(items, str) else items

    @field_validator("picked")
    @classmethod
    def _picked_once(cls, picked: tuple[PickedPart, ...]) -> tuple[PickedPart, ...]:
        keys = [part.unit for part in picked]
        for key in keys:
            if keys.count(key) > 1:
                raise ValueError(f"unit {key!r} occurs twice")
        return picked


def read_study_file(path: Path) -> StudyFile:
    """The study that a YAML file of this machine describes whole; ImportFailure naming line or key
    otherwise."""
    return study_described(path, read_keys(path, aliases=True))


def study_described(path: Path, keys: Mapping[str, Any]) -> StudyFile:
    """The study that the keys of a file describe; ImportFailure naming the key otherwise."""
    try:
        return StudyFile.model_validate(with_judge_texts(keys, path))
    except ValidationError as error:
        raise ImportFailure.of(str(path), error) from error
