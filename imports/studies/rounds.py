"""Rounds of a study that a study file changes, without harm to answers."""

from django.db.models import F

from annotation.models import Annotation, Assignment, LedgerRow, Round, Study
from files.errors import ImportFailure
from imports.study_file.fields import round_fields
from imports.study_file.schema import StudyRecord

# Rounds are moved out of each other's way before they take their new positions.
_ASIDE = 1000


def change_rounds(study: Study, described: StudyRecord, where: str) -> list[str]:
    """Make the rounds those that are described; which are others now. ImportFailure where answers
    or money would lose their round."""
    standing = {row.name: row for row in study.rounds.all()}
    wanted = {part.name: position for position, part in enumerate(described.rounds)}
    changed = [f"rounds.{name}" for name in standing if name not in wanted]
    for name in standing.keys() - wanted.keys():
        _remove_round(standing.pop(name), where)
    if any(row.position != wanted[name] for name, row in standing.items()):
        study.rounds.update(position=F("position") + _ASIDE)
    for position, part in enumerate(described.rounds):
        fields = {"position": position, **round_fields(part, described.currency)}
        row = standing.get(part.name)
        if row is None:
            row = Round(study=study, name=part.name)
            changed.append(f"rounds.{part.name}")
        elif any(getattr(row, key) != value for key, value in fields.items()):
            _refuse_round_change(row, fields, where)
            changed.append(f"rounds.{part.name}")
        for key, value in fields.items():
            setattr(row, key, value)
        row.save()
    return changed


def _remove_round(row: Round, where: str) -> None:
    if Assignment.objects.filter(round=row).exists():
        raise ImportFailure(where, f"rounds.{row.name}", "cannot go (batches have been given out)")
    if row.own_units.exists():
        raise ImportFailure(where, f"rounds.{row.name}", "cannot go (units name it as theirs)")
    row.delete()


def _refuse_round_change(row: Round, fields: dict[str, object], where: str) -> None:
    if row.counts != fields["counts"] and Annotation.objects.filter(round=row).exists():
        raise ImportFailure(
            where, f"rounds.{row.name}.counts", "cannot change (the round has answers)"
        )
    if row.shows_answers != fields["shows_answers"] and row.assignments.exists():
        raise ImportFailure(
            where, f"rounds.{row.name}.shows_answers", "cannot change (batches have been given out)"
        )
    paid = LedgerRow.objects.filter(assignment__round=row)
    if row.currency != fields["currency"] and paid.exists():
        raise ImportFailure(
            where, f"rounds.{row.name}.pay.currency", "cannot change (workers are owed money)"
        )
