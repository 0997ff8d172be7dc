"""The table of a study's fields: what its file, its forms, the API, exports and cards do with each.

A new field is an entry here with its description, a field of the model, and a migration.
"""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import cache
from typing import Annotated, Any, Literal

from django.conf import settings
from pydantic import Field

from imports.study_file.alert_parts import AlertsPart, BudgetPart
from imports.study_file.blocks import BlockPart, SlugOrNone
from imports.study_file.doors import Door, StudyField
from imports.study_file.parts import (
    ComprehensionPart,
    ConclusionPart,
    ConsentPart,
    EthicsPart,
    JudgePart,
    Money,
    Part,
    RoundPart,
    Short,
    StopPart,
    Text,
)
from imports.study_file.recruitment_parts import RecruitmentPart
from tasktypes.facets import FacetName
from tasktypes.registry import PUBLISHED_BLOCKS


class StudyFields(Part):
    """Every field of a study, in the order in which files name them."""

    slug: Annotated[
        SlugOrNone,
        StudyField(
            why_no_form="the study's address: links that were sent hold it",
            doors=Door.API | Door.BUNDLE,
            as_is=False,
        ),
    ] = ""
    """The name in addresses."""
    title: Annotated[str, Field(max_length=200), StudyField(form="texts", doors=Door.ALL)] = ""
    """The name in words."""
    language: Annotated[
        str,
        StudyField(
            label="Language of the workers’ pages",
            hint="It translates no text of the study",
            choices=tuple(code for code, _name in settings.LANGUAGES),
            place=7,
            form="introduction",
            doors=Door.API,
        ),
    ] = "en"
    """Of the workers' pages; it translates no text of the study."""
    blocks: Annotated[
        tuple[BlockPart, ...],
        Field(min_length=1),
        StudyField(form="questions", stored=(), as_is=False),
    ] = tuple(BlockPart(task_type=kind.slug) for kind in PUBLISHED_BLOCKS)
    """Met in this order; no two may have a facet of one name."""
    instructions: Annotated[str, StudyField(form="texts", doors=Door.EXPORTS, long=True)] = ""
    """What workers read first."""
    tips: Annotated[
        tuple[Text, ...],
        StudyField(
            label="Tips, one a line",
            hint="Shown with the worked examples",
            form="introduction",
            as_is=False,
            long=True,
        ),
    ] = ()
    """Sentences shown with the worked examples."""
    content_warning: Annotated[str, StudyField(form="texts", long=True)] = ""
    """Shown before consent."""
    debrief: Annotated[str, StudyField(form="texts", long=True)] = ""
    """Shown at the end, with the claims that were false."""
    comprehension: Annotated[
        tuple[ComprehensionPart, ...],
        StudyField(
            label="Questions about the instructions",
            hint="Asked before the first batch",
            form="introduction",
            as_is=False,
            long=True,
        ),
    ] = ()
    """Questions asked before the first batch."""
    comprehension_tries: Annotated[
        int,
        Field(ge=1, le=10),
        StudyField(label="Tries at these questions", hint="", form="introduction"),
    ] = 2
    """Tries that a worker has."""
    consent: Annotated[
        ConsentPart | None,
        StudyField(
            form="texts", stored=("consent_text", "consent_version"), as_is=False, long=True
        ),
    ] = None
    """The consent form; the text alone may stand here."""
    ethics: Annotated[EthicsPart, StudyField(form="ethics", as_is=False)] = EthicsPart()
    """What the consent page names; needed to open."""
    verdicts: Annotated[
        dict[str, str],
        StudyField(
            label="Verdicts, each as label: definition",
            hint="Workers see them beside the verdict",
            form="method",
            doors=Door.EXPORTS,
        ),
    ] = {}
    """A definition for each label; quote labels."""
    setting: Annotated[
        str,
        Field(max_length=80),
        StudyField(
            label="Subset of units that is asked about", form="method", place=3, doors=Door.ALL
        ),
    ] = ""
    """The subset of units that workers and judges get; without it all."""
    epsilon: Annotated[
        float,
        Field(ge=0, le=1),
        StudyField(
            label="What a judge’s lower cost is worth (ε)",
            form="method",
            place=1,
            doors=Door.RECORDS,
            counted=True,
        ),
    ] = 0.1
    """What a judge's lower cost is worth in the alternative annotator test; 0.1 in place of a
    crowd, 0.15 of skilled annotators, 0.2 of experts."""
    margins: Annotated[
        dict[FacetName, Annotated[float, Field(gt=0, allow_inf_nan=False)]],
        StudyField(
            label="Differences that do not matter, each as facet: number",
            form="method",
            folded=True,
            doors=Door.EXPORTS,
            counted=True,
        ),
    ] = {}
    """For a facet, by its name, the largest difference of means in its own unit that does not
    matter; without it equivalence is not tested."""
    overlap: Annotated[int, Field(ge=1, le=1000), StudyField(form="rounds", doors=Door.ALL)] = 1
    """Counted answers that a unit is to get."""
    rounds: Annotated[tuple[RoundPart, ...], StudyField(form="rounds", stored=(), as_is=False)] = ()
    """The rounds of the study, in order."""
    lease_minutes: Annotated[int, Field(ge=1, le=60 * 24 * 30), StudyField(form="recruitment")] = 60
    """How long a worker may keep a batch."""
    max_extensions: Annotated[int, Field(ge=0, le=1_000), StudyField(form="recruitment")] = 3
    """How often a worker may take the same time again; after that the batch can still be submitted
    and is paid, and counts while its units have room."""
    max_batches_per_worker: Annotated[
        int, Field(ge=1, le=100_000), StudyField(form="recruitment")
    ] = 5
    """In a round that says nothing else."""
    batches: Annotated[
        Literal["composed", "fixed"],
        StudyField(
            label="How batches are made",
            hint="Composed for each worker, or fixed: made once, and each given to several workers",
            form="method",
        ),
    ] = "composed"
    """`composed` for every worker; `fixed` batches are made once, by seed, and each goes to
    `overlap` workers."""
    screenout_pay: Annotated[Money, StudyField(form="rounds")] = Decimal(0)
    """For those who fail the comprehension questions, or pass them and find no batch; the least for
    a round with `failing` `screen_out`."""
    minimum_hourly_pay: Annotated[Money | None, StudyField(form="rounds")] = None
    """A warning is shown below it."""
    show_hourly_rate: Annotated[
        bool, StudyField(label="Show what an hour pays", hint="", form="introduction", place=6)
    ] = True
    """Workers see what an hour pays."""
    tell_controls: Annotated[
        bool, StudyField(label="Say before a batch how many answers are known", form="introduction")
    ] = True
    """Before a batch workers are told how many answers are known, and what depends on them; without
    it, that some are known."""
    tell_missed: Annotated[
        bool,
        StudyField(
            label="Show after a batch the known answers that were missed", form="introduction"
        ),
    ] = False
    """After a batch they are shown the known answers that they missed; only for controls that are
    not used again."""
    collect_paradata: Annotated[
        bool,
        StudyField(
            label="Count pastes, keystrokes and time away from the page",
            form="introduction",
            place=6,
        ),
    ] = False
    """Pages of questions count pastes, times the page was left, keystrokes, edits and bursts of
    typing, for reviewers; the consent page says so, and those who agreed before are asked again."""
    recruitment: Annotated[RecruitmentPart, StudyField(form="recruitment", as_is=False)] = (
        RecruitmentPart()
    )
    """Where workers come from."""
    judges: Annotated[tuple[Short | JudgePart, ...], StudyField(form="judges", as_is=False)] = ()
    """Names of judges, or their definitions."""
    conclusions: Annotated[
        tuple[ConclusionPart, ...],
        StudyField(
            label="Conclusions to be checked",
            hint="Sentences that the results then support or not",
            form="method",
            place=2,
            doors=Door.BUNDLE,
            as_is=False,
        ),
    ] = ()
    """Sentences to be checked against the results."""
    stop: Annotated[
        StopPart | None,
        StudyField(form="stop", doors=Door.BUNDLE, stored=("stop_rule",), as_is=False),
    ] = None
    """When the study closes by itself."""
    budget: Annotated[BudgetPart | None, StudyField(form="alerts", as_is=False)] = None
    """What it may cost."""
    alerts: Annotated[
        AlertsPart, StudyField(form="alerts", stored=("alert_rules",), as_is=False)
    ] = AlertsPart()
    """When the study's alerts open."""
    seed: Annotated[
        int,
        Field(ge=0, lt=2**63),
        StudyField(
            why_no_form="drawn once, when the study is made; others repeat the draws by it",
            doors=Door.EXPORTS,
        ),
    ] = 0
    """Of every random choice."""


@cache
def study_fields() -> Mapping[str, StudyField]:
    """The table, by key of the study file."""
    return {
        name: next(mark for mark in info.metadata if isinstance(mark, StudyField))
        for name, info in StudyFields.model_fields.items()
    }


def keys_of(form: str) -> tuple[str, ...]:
    """The keys that a form changes, in its order."""
    fields = study_fields()
    return tuple(
        sorted((n for n in fields if fields[n].form == form), key=lambda n: fields[n].place)
    )


def same_keys() -> tuple[str, ...]:
    """The keys whose values a Study holds as they are, under the same names."""
    return tuple(name for name, field in study_fields().items() if field.as_is)


def shown_at(door: Door) -> tuple[str, ...]:
    """The fields of a Study that are shown at a door."""
    return _stored(name for name, field in study_fields().items() if door & field.doors)


def long_texts() -> tuple[str, ...]:
    """The fields of a Study that lists of studies do not load."""
    return _stored(name for name, field in study_fields().items() if field.long)


def key_of(stored: str) -> str:
    """The key of the study file that sets a field of the Study."""
    return next(name for name in study_fields() if stored in _stored([name]))


def same_fields(row: object, names: Iterable[str]) -> dict[str, Any]:
    """The named fields of a row, for a record that holds them under the same names."""
    return {name: getattr(row, name) for name in names}


def _stored(names: Iterable[str]) -> tuple[str, ...]:
    holders = ((study_fields()[name].stored, name) for name in names)
    return tuple(one for stored, name in holders for one in ((name,) if stored is None else stored))
