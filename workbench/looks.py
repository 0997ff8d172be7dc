"""Looks at the sealed half: each is recorded, costs error, and shows figures that never change."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone

from agreement.sequences.spending import confidence_of_look, error_spent
from annotation.models import Annotation, Rater, Study, Unit, User, log_change
from judges.definitions.families import imported_judges
from judges.definitions.raters import rater_of
from judges.definitions.versions import BadJudge, UnknownJudge, judge_for, method_of
from judges.models import Judge, JudgeRun
from judges.runs.plans.forecast import Forecast
from judges.runs.plans.plan import forecast_run, plan_run
from judges.runs.plans.scope import RunRefused
from workbench.figures import facets_of, measured
from workbench.models import Look, Split
from workbench.splitting import split_of

# A run in one of these states has nothing more to ask.
ASKED = (JudgeRun.State.COMPLETE, JudgeRun.State.PARTIAL)


class LookRefused(ValueError):
    """The sealed half cannot be looked at with this version; the message says why."""


@dataclass(frozen=True)
class Budget:
    """What of the error is spent. confidence: of the next look's intervals, None without one."""

    split: Split
    taken: int
    spent: float
    confidence: float | None

    @property
    def left(self) -> int:
        """Looks that can still be taken."""
        return 0 if self.split.opened_at else self.split.planned_looks - self.taken


def budget_of(study: Study) -> Budget | None:
    """The looks of a study; None where it is not split."""
    split = split_of(study)
    if split is None:
        return None
    taken = study.looks.count()
    return Budget(
        split,
        taken,
        error_spent(taken, split.planned_looks, split.error),
        _confidence(study, split, taken + 1) if taken < split.planned_looks else None,
    )


def version_named(study: Study, reference: str) -> Rater:
    """The version `name` or `name@version` of a judge as a rater; LookRefused where there is none.
    An imported judge is one, too."""
    name, _, version = reference.partition("@")
    imported = imported_judges(study).filter(name=name).order_by("-version")
    found = (imported.filter(version=version) if version.isdecimal() else imported).first()
    if found is not None:
        return found
    try:
        return rater_of(judge_for(study, reference), study)
    except (UnknownJudge, BadJudge) as error:
        raise LookRefused(str(error)) from error


def forecast_look(
    *, study: Study, rater: Rater, max_cost: Decimal | None = None, by: User | None = None
) -> Forecast | None:
    """What the run of a look would take, before anything is spent; None where nothing is asked.
    LookRefused and RunRefused as for `take_look`."""
    split = _split(study)
    _refuse(study, split, rater)
    judge = _own(study, rater)
    if judge is None:
        return None
    return forecast_run(study=study, judge=judge, max_cost=max_cost, requested_by=by, sealed=True)


def take_look(
    *, study: Study, rater: Rater, by: User | None = None, max_cost: Decimal | None = None
) -> Look:
    """Test a version on the sealed half: the look is spent, and its run is planned.

    A version that was looked at already keeps its look, and spends nothing more. LookRefused where
    all looks are taken, or the version has met a sealed source; RunRefused where its run cannot be
    planned, and then nothing is spent.
    """
    split = _split(study)
    _refuse(study, split, rater)
    judge = _own(study, rater)
    look, is_new = _spent(study, split, rater, by)
    if judge is not None and look.run_id is None:
        try:
            look.run = plan_run(
                study=study, judge=judge, seed=study.seed, max_cost=max_cost, requested_by=by,
                sealed=True,
            )  # fmt: skip
        except (RunRefused, BadJudge):
            if is_new:  # nobody has seen anything
                look.delete()
            raise
        look.save(update_fields=["run"])
    if is_new:
        detail = {"number": look.number, "planned": split.planned_looks}
        log_change(study=study, by=by, action="study.looked", subject=_name(rater), detail=detail)
    return finished(look)


def finished(look: Look) -> Look:
    """The look with its figures, once its run has asked all there is; as it is before that, and
    where no answer came."""
    if look.figures or (look.run is not None and look.run.state not in ASKED):
        return look
    study, split = look.study, _split(look.study)
    found = measured(
        study, [look.rater], sealed=True, confidence=_confidence(study, split, look.number)
    )
    assert found is not None  # the sealed half is always counted at once
    figures = [figure.as_json() for figure in found[0].figures]
    if any(figure["value"] is not None for figure in figures):
        Look.objects.filter(pk=look.pk, figures=[]).update(figures=figures)
        look.refresh_from_db(fields=["figures"])
    return look


def looks_of(study: Study) -> list[Look]:
    """All looks of a study, in their order, with figures where they have ended."""
    looks = study.looks.select_related("rater", "run", "looked_by", "study").order_by("number")
    return [finished(look) for look in looks]


def as_json(look: Look, split: Split) -> dict[str, Any]:
    """A look as files and the API have it: the count stands beside the figures."""
    return {
        "judge": _name(look.rater),
        "look": look.number,
        "planned_looks": split.planned_looks,
        "error": split.error,
        "error_spent": error_spent(look.number, split.planned_looks, split.error),
        "at": look.looked_at.isoformat(timespec="seconds"),
        "figures": look.figures,
    }


def split_record(study: Study) -> dict[str, Any]:
    """The split and the looks as a bundle has them; empty where the study is not split."""
    split = split_of(study)
    if split is None:
        return {}
    return {"split": split.as_json(), "looks": [as_json(look, split) for look in looks_of(study)]}


@transaction.atomic
def publish_sealed(*, study: Study, by: User | None = None) -> Split:
    """Publish the answers behind the looks: bundles have them from now on, so that anybody can
    compute the figures of looks again, and no other look can be taken.

    They stay out of all other figures. LookRefused where there is no look with figures, or one is
    still being asked; published twice is published once.
    """
    split = Split.objects.select_for_update().get(pk=_split(study).pk)
    if split.opened_at is not None:
        return split
    looks = looks_of(study)
    if not any(look.figures for look in looks):
        raise LookRefused("No look at the sealed half has figures: there is nothing to publish.")
    for look in looks:
        if not look.figures and look.run is not None and look.run.state not in JudgeRun.ENDED:
            raise LookRefused(f"Look {look.number} is still being asked: wait for its figures.")
    split.opened_at, split.opened_by = timezone.now(), by
    split.save(update_fields=["opened_at", "opened_by"])
    left = split.planned_looks - len(looks)
    detail = {"looks": len(looks), "given_up": left}
    log_change(study=study, by=by, action="study.sealed_published", subject="", detail=detail)
    return split


def published_raters(study: Study) -> list[int]:
    """The judges whose answers about the sealed half were published; none as a rule."""
    split = split_of(study)
    if split is None or split.opened_at is None:
        return []
    return list(study.looks.order_by("number").values_list("rater", flat=True))


def seen_before(rater: Rater, split: Split) -> int:
    """How many questions about sealed sources the version answered before the split, when its
    answers could be seen."""
    answers = Annotation.objects.filter(rater=rater, superseded_at=None)
    sealed = answers.filter(question__unit__source__sealed=True)
    return sealed.filter(created_at__lt=split.made_at).count()


def _confidence(study: Study, split: Split, number: int) -> float:
    figures = max(1, len(facets_of(study)))
    return confidence_of_look(number, split.planned_looks, split.error, figures=figures)


def _split(study: Study) -> Split:
    split = split_of(study)
    if split is None:
        raise LookRefused("The study has no sealed half: split its sources first.")
    return split


def _refuse(study: Study, split: Split, rater: Rater) -> None:
    if Look.objects.filter(study=study, rater=rater).exists():
        return
    if split.opened_at is not None:
        raise LookRefused(
            "The answers behind the looks are published: whoever reads them can write a prompt for "
            "the sealed half, so that there are no more looks."
        )
    if study.looks.count() >= split.planned_looks:
        raise LookRefused(
            f"All {split.planned_looks} looks are taken, and the error of {split.error:g} is "
            "spent: an interval of another version would not hold."
        )
    judge = _own(study, rater)
    for why in () if judge is None else _met(study, split, judge):
        raise LookRefused(why)


def _met(study: Study, split: Split, judge: Judge) -> Iterator[str]:
    """Why a version, or a member of it, has met a sealed source."""
    method = method_of(judge)
    shown = Unit.objects.filter(study=study, key__in=list(method.example_units()))
    for key in shown.filter(source__sealed=True).order_by("pk").values_list("key", flat=True)[:1]:
        yield f"{judge} is shown the unit {key} of the sealed half as an example."
    if judge.parameters.get("fit") and judge.created_at < split.made_at:
        yield f"{judge} was fitted before the split, on answers about sealed sources, too."
    for member in _members(study, method.voters()):
        yield from _met(study, split, member)


def _members(study: Study, voters: Iterable[str]) -> Iterator[Judge]:
    for voter in voters:
        try:
            yield judge_for(study, voter)
        except (UnknownJudge, BadJudge):
            continue  # imported: of what it was shown nothing is known here


def _own(study: Study, rater: Rater) -> Judge | None:
    """The judge that is asked; None for an imported one."""
    if rater.origin != Rater.Origin.HERE:
        return None
    try:
        return judge_for(study, _name(rater))
    except (UnknownJudge, BadJudge) as error:
        raise LookRefused(str(error)) from error


def _name(rater: Rater) -> str:
    return f"{rater.name}@{rater.version}"


@transaction.atomic
def _spent(study: Study, split: Split, rater: Rater, by: User | None) -> tuple[Look, bool]:
    """The version's look, and whether it is new."""
    Split.objects.select_for_update().get(pk=split.pk)
    found = Look.objects.filter(study=study, rater=rater).first()
    if found is not None:
        return found, False
    taken = study.looks.count()
    _refuse(study, split, rater)
    return Look.objects.create(study=study, rater=rater, number=taken + 1, looked_by=by), True
