"""What exclusion rules have workers do: work out what a rule would do, and apply it."""

from typing import Any

from django.urls import reverse

from annotation.models import ExclusionRule, Study, User
from desk.data.background.jobs import ask
from desk.data.background.kinds import ActionKind, Parameters, QueryKind, study_of
from desk.data.exclusions.conditions import Conditions
from desk.data.exclusions.previews import Preview, preview
from desk.data.exclusions.rules import apply_rule, keep_outcome, keep_rule, undo_rule
from jobs.kinds import JobOutcome
from jobs.models import Job
from results.reading.wording import counted


def _preview(study: Study, parameters: Parameters) -> JobOutcome:
    return preview(study, Conditions.from_json(parameters)).as_json()


def _text(conditions: Parameters) -> str:
    return Conditions.from_json(conditions).text


def _page(study: Study, parameters: Parameters) -> str:
    """The page of the rule; of several with the same conditions, that of the newest."""
    digest = Conditions.from_json(parameters).digest
    rules = ExclusionRule.objects.filter(study=study, digest=digest).order_by("-pk")
    rule = rules.values_list("pk", flat=True).first()
    if rule is None:
        return reverse("desk:exclusions", args=[study.slug])
    return reverse("desk:exclusion", args=[study.slug, rule])


def _page_of_rule(study: Study, parameters: Parameters) -> str:
    return reverse("desk:exclusion", args=[study.slug, parameters["rule"]])


def _apply(job: Job, outcome: JobOutcome) -> str:
    rule = ExclusionRule.objects.get(study=study_of(job), pk=job.parameters["rule"])
    assert job.owner is not None  # acts are those of somebody who may
    batches = apply_rule(
        rule=rule,
        effect=Preview.from_json(study_of(job), outcome),
        seen=job.parameters["seen"],
        by=job.owner,
    )
    are = counted(batches, "batch is", "batches are")
    return f"{are} excluded now. You can undo this at any time."


def _undo(job: Job, _outcome: JobOutcome) -> str:
    rule = ExclusionRule.objects.get(study=study_of(job), pk=job.parameters["rule"])
    assert job.owner is not None  # acts are those of somebody who may
    batches = undo_rule(rule=rule, by=job.owner)
    return f"Undone: {counted(batches, 'batch is', 'batches are')} to be reviewed again."


# The parameters are the conditions of the rule.
PREVIEW = QueryKind(
    name="exclusion_preview",
    title="What the rule would do",
    asked_on="desk:exclusions",
    page=_page,
    compute=_preview,
    keep=keep_outcome,
    about=_text,
)
# Parameters: the rule (by id), its conditions, and `Preview.seen` of what was looked at.
APPLY = ActionKind(
    name="exclusion",
    title="Excluding answers",
    asked_on="desk:exclusions",
    page=_page_of_rule,
    precondition=PREVIEW,
    precondition_parameters=lambda parameters: parameters["conditions"],
    about=lambda parameters: _text(parameters["conditions"]),
    do=_apply,
)

# Parameters: the rule (by id).
UNDO = ActionKind(
    name="exclusion_undone",
    title="Undoing an exclusion",
    asked_on="desk:exclusions",
    page=_page_of_rule,
    do=_undo,
)


def look_at(*, study: Study, conditions: Conditions, by: User) -> tuple[ExclusionRule, Job]:
    """Keep that somebody looks at this rule, and have worked out what it would do.

    The same rule looked at again is the same row as long as it was not applied, and the same
    outcome as long as the answers are the same.
    """
    rule = keep_rule(study=study, conditions=conditions, by=by)
    job = ask(study=study, kind=PREVIEW, parameters=rule.conditions, by=by)
    if job.outcome is not None and job.revision is not None and not rule.outcome:
        keep_outcome(study, rule.conditions, job.outcome, job.revision)
        rule.refresh_from_db()
    return rule, job


def ask_to_apply(*, rule: ExclusionRule, seen: str, by: User) -> Job:
    """Have the batches excluded that somebody has seen in the preview; nothing where the rule by
    then describes others."""
    parameters: dict[str, Any] = {"rule": rule.pk, "conditions": rule.conditions, "seen": seen}
    return ask(study=rule.study, kind=APPLY, parameters=parameters, by=by)


def ask_to_undo(*, rule: ExclusionRule, by: User) -> Job:
    """Have the answers counted again that the rule excluded."""
    return ask(study=rule.study, kind=UNDO, parameters={"rule": rule.pk}, by=by)
