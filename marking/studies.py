"""The study of a file that is marked: made once, open to its people, with more texts later."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.entry.arrival import arrive
from annotation.entry.consent import consent_hash, give_consent, needs_consent
from annotation.entry.invitations import end_invitation, invite_team
from annotation.models import Participation, Place, Seat, Study, Unit
from annotation.rounds.opening import close_study, open_study
from annotation.rounds.subsets import add_to_subset, open_setting
from annotation.rounds.team.allotments import allot
from files.readers.streams import fingerprint
from imports.formats.contract import FormatInput
from imports.formats.registry import every_format
from imports.studies.importing import import_study
from marking.material import INCLUSION, PLACE, SAMPLE, STRATUM, Marked, Sample, lines_in
from marking.plans import Plan
from marking.samples import doubles_of, share_out
from marking.verdicts import Verdicts, verdicts_of

SLUG, MARKING = "mark", "marking"
UNEQUAL = (
    "Texts were drawn by the judge's verdicts, as many of each, and figures here count every text "
    "alike. The figures for the whole file are in report.html, in this study's folder of data."
)


@dataclass(frozen=True)
class Chosen:
    """Which verdicts of a file are marked, as far as somebody said it."""

    judge: str = ""
    criterion: str = ""
    threshold: float | None = None


def study_of_marks() -> Study | None:
    """The study of this folder, where marking has begun."""
    return Study.objects.filter(slug=SLUG).first()


def make_study(
    *, format_name: str, format_input: FormatInput, plan: Plan, chosen: Chosen
) -> tuple[Study, list[str]]:
    """The study of a file, open to its people, and what was read of it, in lines.

    ImportFailure, and nothing made, where the file cannot be read or has no judge that could be
    marked; OpenQuestion where somebody has to say which.
    """
    file = format_input.files[0]
    verdicts = verdicts_of(
        lines_in(every_format()[format_name], format_input), where=str(file), **vars(chosen)
    )
    sample = Sample.draw(verdicts, plan)
    study, lines = import_study(
        format_name=format_name,
        format_input=format_input,
        slug=SLUG,
        title=f"Marks for {file.name}",
        adapted=lambda source: Marked(source, plan, verdicts, sample),
    )
    with transaction.atomic():
        study.imported[MARKING] = _remembered(verdicts, sample, plan)
        study.imported["caution"] = UNEQUAL
        study.save(update_fields=["imported"])
        if plan.doubles:
            _double(study, doubles_of(sample.order, sample.numbers))
        open_study(study=study)
        invite_team(study, by=None)
    return study, lines


def _remembered(verdicts: Verdicts, sample: Sample, plan: Plan) -> dict[str, Any]:
    return {
        "judge": verdicts.judge,
        "labels": [*verdicts.labels],
        "threshold": verdicts.threshold,
        "doubles": plan.doubles,
        # In the order of the numbers by which units name their stratum.
        "strata": [[label, len(units)] for label, units in sorted(sample.order.items())],
    }


def strata_of(study: Study) -> Mapping[str, int]:
    """Each verdict of the judge with the number of texts that have it."""
    return dict(study.imported[MARKING]["strata"])


def has_changed(study: Study, files: Sequence[Path]) -> bool:
    """Whether a file is no longer what was imported, or is gone."""
    known = {entry["name"]: entry["sha256"] for entry in study.imported["files"]}
    return any(not path.exists() or known.get(path.name) != fingerprint(path) for path in files)


def _double(study: Study, keys: Collection[str]) -> None:
    """Let two people answer these units."""
    units = study.units.filter(key__in=keys)
    Place.objects.filter(unit__in=units.values("pk"), wanted=1).update(wanted=2)


@transaction.atomic
def draw_more(study: Study, number: int) -> int:
    """Draw more texts, at random within each verdict as before; how many there were to draw."""
    order = _order_of(study)
    before = {label: len([u for u in units if u.subsets.all()]) for label, units in order.items()}
    sizes = {label: len(units) for label, units in order.items()}
    numbers = share_out(sizes, number, before)
    new = [u for label, units in order.items() for u in units[before[label] : numbers[label]]]
    add_to_subset(study=study, units=[unit.pk for unit in new], name=SAMPLE)
    for label, units in order.items():
        for unit in units:
            unit.metadata[INCLUSION] = numbers[label] / sizes[label]
    Unit.objects.bulk_update([u for units in order.values() for u in units], ["metadata"], 1000)
    open_setting(study=study, name=SAMPLE)
    if study.imported[MARKING]["doubles"]:
        keys = {label: [unit.key for unit in units] for label, units in order.items()}
        _double(study, doubles_of(keys, numbers) & {unit.key for unit in new})
        allot(study)
    return len(new)


def _order_of(study: Study) -> Mapping[str, list[Unit]]:
    """The units of each verdict in the order in which they are drawn."""
    labels = [*strata_of(study)]
    order: dict[str, list[Unit]] = {label: [] for label in labels}
    for unit in study.units.prefetch_related("subsets"):
        if STRATUM in unit.metadata:
            order[labels[int(unit.metadata[STRATUM]) - 1]].append(unit)
    return {
        label: sorted(units, key=lambda unit: unit.metadata[PLACE])
        for label, units in order.items()
    }


def begin_for_oneself(study: Study) -> Participation:
    """The participation of whoever runs the command, in the first seat of the team. They have seen
    what is stored in the command's own words, so that nothing is asked before the first text."""
    seat = study.seats.order_by("number").select_related("invitation__worker").first()
    assert seat is not None
    assert seat.invitation is not None
    participation = seat.participation or arrive(study=study, invitation=seat.invitation)
    participation.study = study
    if needs_consent(participation):
        give_consent(participation=participation, text_hash=consent_hash(study), of_age=True)
    return participation


def colleagues_of(study: Study) -> Sequence[Seat]:
    """The seats of everybody else, each with its link."""
    seats = study.seats.order_by("number").select_related("invitation", "participation")
    return list(seats)[1:]


@transaction.atomic
def end_marking(study: Study) -> None:
    """Give out no more texts, and let no link admit anybody."""
    close_study(study=study)
    for seat in study.seats.exclude(invitation=None).select_related("invitation"):
        assert seat.invitation is not None
        end_invitation(invitation=seat.invitation, now=timezone.now())
