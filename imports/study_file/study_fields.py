"""The table of a study's fields: what its file, its forms, the API, exports and cards do with each.

A new field is an entry here with its description, a field of the model, and a migration.
"""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import Field

from annotation.queries.group_keys import OWNERS
from imports.study_file.alert_parts import AlertsPart, BudgetPart
from imports.study_file.doors import Door, StudyField, study_field
from imports.study_file.parts import (
    ConclusionPart,
    JudgePart,
    Money,
    RoundPart,
    Short,
    StopPart,
)
from imports.study_file.recruitment_parts import RecruitmentPart
from imports.study_file.study_texts import StudyTexts
from tasktypes.facets import FacetName

GroupKey = Annotated[str, Field(pattern=rf"^({'|'.join(OWNERS)})\..+$", max_length=210)]
MOST_KEYS = 5


class StudyFields(StudyTexts):
    """Every field of a study, in the order in which files name them."""

    setting: Annotated[str, Field(max_length=80)] = study_field(
        "", "Subset of units to ask about", form="method", place=3, doors=Door.ALL
    )
    """The subset of units that workers and judges get; without it all."""
    epsilon: Annotated[float, Field(ge=0, le=1)] = study_field(
        0.1,
        "How much less a judge may agree with people than they do with each other (ε)",
        form="method",
        place=1,
        doors=Door.RECORDS,
        counted=True,
    )
    """How much less a judge may agree with people than they do with each other; in the alternative
    annotator test, how much less often than a person it may be the nearer one. 0.1 in place of a
    crowd, 0.15 of skilled annotators, 0.2 of experts."""
    margins: dict[FacetName, Annotated[float, Field(gt=0, allow_inf_nan=False)]] = study_field(
        {},
        "Differences that do not matter, each as facet: number",
        form="method",
        section="more",
        doors=Door.EXPORTS,
        counted=True,
    )
    """For a facet, by its name, the largest difference of means in its own unit that does not
    matter; without it equivalence is not tested."""
    group_by: Annotated[list[GroupKey], Field(max_length=MOST_KEYS)] = study_field(
        [],
        "Own columns that results are grouped by",
        f"At most {MOST_KEYS}. What files tell of raters is personal data: only reviewers, editors "
        "and owners see figures by it, no export or shared page has them, and none is of fewer "
        "than five people",
        form="method",
        section="groups",
        doors=Door.ALL,
        counted=True,
    )
    """Own columns of the files that results are grouped by, such as `source.topic`, `item.length`,
    `unit.part` or `rater.language`. More than 24 numbers make four groups; a column with more other
    values makes none."""
    overlap: Annotated[int, Field(ge=1, le=1000)] = study_field(
        1,
        "Answers per unit",
        "Of different people",
        place=4,
        section="who",
        form="rounds",
        doors=Door.ALL,
    )
    """Counted answers that a unit is to get."""
    rounds: tuple[RoundPart, ...] = study_field(
        (), section="rounds", form="rounds", stored=(), as_is=False
    )
    """The rounds of the study, in order."""
    lease_minutes: Annotated[int, Field(ge=1, le=60 * 24 * 30)] = study_field(
        60,
        "Minutes that a batch is kept for a worker",
        "After that its units go to others",
        section="amounts",
        form="recruitment",
    )
    """How long a worker may keep a batch."""
    max_extensions: Annotated[int, Field(ge=0, le=1_000)] = study_field(
        3, "How often a worker may take more time", "", section="amounts", form="recruitment"
    )
    """How often a worker may take the same time again; after that the batch can still be submitted
    and is paid, and counts while its units have room."""
    max_batches_per_worker: Annotated[int, Field(ge=1, le=100_000)] = study_field(
        5,
        "Batches that one worker does at most",
        "",
        place=4,
        section="amounts",
        form="recruitment",
    )
    """In a round that says nothing else."""
    batches: Literal["composed", "fixed", "team"] = study_field(
        "composed",
        "Who answers",
        "In a crowd nobody meets two outputs of one source. The members of a team are known "
        "beforehand, come by a link each, keep their places for weeks, and may answer every output "
        "of a source",
        choices=(
            ("composed", "A crowd, with a batch composed for each person"),
            ("fixed", "A crowd, with fixed batches that several people answer as a whole"),
            ("team", "A team, such as three annotators of a lab"),
        ),
        place=1,
        section="who",
        form="rounds",
    )
    """`composed` for every worker; `fixed` batches are made once, by seed, and each goes to
    `overlap` workers; `team`: each member answers by a table, everything where `overlap` is
    `team_members`, else a share."""
    team_members: Annotated[int, Field(ge=0, le=200)] = study_field(
        0,
        "Members of the team",
        "You name them on the page Team",
        place=2,
        section="who",
        form="rounds",
    )
    """How many people a team has."""
    team_gap: Annotated[int, Field(ge=0, le=1000)] = study_field(
        0,
        "Least number of units between two outputs of one source",
        "They are placed as far apart as possible. The study opens only if that many fit",
        place=5,
        section="who",
        form="rounds",
    )
    """What has to lie between two outputs of one source in the order of each member."""
    screenout_pay: Money = study_field(
        Decimal(0), "Pay for a screen-out", "", control="money", form="rounds"
    )
    """For those who fail the comprehension questions, or pass them and find no batch; the least for
    a round with `failing` `screen_out`."""
    minimum_hourly_pay: Money | None = study_field(
        None,
        "Least pay for an hour",
        "A warning appears below this",
        control="money",
        form="rounds",
    )
    """A warning is shown below it."""
    show_hourly_rate: bool = study_field(
        default=True, label="Show the hourly pay", hint="", form="introduction", place=6
    )
    """Workers see what an hour pays."""
    tell_controls: bool = study_field(
        default=True, label="Say before a batch how many answers are known", form="introduction"
    )
    """Before a batch workers are told how many answers are known, and what depends on them; without
    it, that some are known."""
    tell_missed: bool = study_field(
        default=False,
        label="Show after a batch the known answers that were missed",
        form="introduction",
    )
    """After a batch they are shown the known answers that they missed; only for controls that are
    not used again."""
    collect_paradata: bool = study_field(
        default=False,
        label="Count pastes, keystrokes and time away from the page",
        form="introduction",
        place=6,
    )
    """Pages of questions count pastes, times the page was left, keystrokes, edits and bursts of
    typing, for reviewers; the consent page says so, and those who agreed before are asked again."""
    recruitment: RecruitmentPart = study_field(RecruitmentPart(), form="recruitment", as_is=False)
    """Where workers come from."""
    judges: tuple[Short | JudgePart, ...] = study_field((), form="judges", as_is=False)
    """Names of judges, or their definitions."""
    conclusions: tuple[ConclusionPart, ...] = study_field(
        (),
        "Conclusions to be checked",
        "Claims that the results may support or not",
        form="method",
        place=2,
        doors=Door.BUNDLE,
        as_is=False,
    )
    """Sentences to be checked against the results."""
    stop: StopPart | None = study_field(
        None, form="stop", doors=Door.BUNDLE, stored=("stop_rule",), as_is=False
    )
    """When the study closes by itself."""
    budget: BudgetPart | None = study_field(None, form="alerts", as_is=False)
    """What it may cost."""
    alerts: AlertsPart = study_field(
        AlertsPart(), form="alerts", stored=("alert_rules",), as_is=False
    )
    """When the study's alerts open."""
    seed: Annotated[int, Field(ge=0, lt=2**63)] = study_field(
        0,
        why_no_form="drawn once, when the study is made; others repeat the draws by it",
        doors=Door.EXPORTS,
    )
    """Of every random choice."""


@cache
def study_fields() -> Mapping[str, StudyField]:
    """The table, by key of the study file."""
    return {
        name: info.json_schema_extra
        for name, info in StudyFields.model_fields.items()
        if isinstance(info.json_schema_extra, StudyField)
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
