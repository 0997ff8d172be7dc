"""Many answers that a program sends at once: each is stored or refused by itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.db import transaction

from annotation.answers.record import record_imported
from annotation.models import Study, User, log_change
from files.errors import ImportFailure, Repetition
from files.skipped import SkippedRecords
from imports.answer_lines import AnswerLine
from imports.answers.fitted_lines import AskedQuestions, fitted_lines
from imports.answers.raters import ImportedRaters

MOST = 1000


@dataclass(frozen=True)
class LineResult:
    """What became of one answer: stored; present: the rater's same answer was there; or refused,
    with the field and the reason."""

    status: Literal["stored", "present", "refused"] = "stored"
    field: str = ""
    reason: str = ""


class _Refused(SkippedRecords):
    """Why lines were not stored, by their place; nothing refuses the others."""

    def __init__(self) -> None:
        super().__init__(strict=False)
        self.failures: dict[str, ImportFailure] = {}

    def skip_answer(self, failure: ImportFailure) -> None:
        self.failures[failure.where] = failure


@transaction.atomic
def add_answers(
    *, study: Study, answers: Sequence[Mapping[str, Any]], by: User | None
) -> list[LineResult]:
    """Store answers given elsewhere, at most `MOST`; what became of each, in their order."""
    # One after the other, so that two that send the same answer, or a new rater, do not collide.
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    refused, lines = _Refused(), []
    for number, fields in enumerate(answers):
        try:
            lines.append(AnswerLine.of(str(number), **fields))
        except ImportFailure as failure:
            refused.skip_answer(failure)
    fitted = fitted_lines(lines, AskedQuestions(study), ImportedRaters(study), refused)
    record_imported([(line.rater, line.new_answer) for line in fitted])
    if fitted:
        detail = {"stored": len(fitted), "sent": len(answers)}
        log_change(study=study, by=by, action="answers.added", detail=detail)
        study.touch()
    return [_result(refused.failures.get(str(number))) for number in range(len(answers))]


def _result(failure: ImportFailure | None) -> LineResult:
    if failure is None:
        return LineResult()
    status: Literal["present", "refused"] = (
        "present" if isinstance(failure, Repetition) else "refused"
    )
    return LineResult(status, failure.field, failure.reason)
