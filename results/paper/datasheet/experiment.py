"""What a study says of its outputs, evaluators, design and ethics, by the datasheet's questions."""

from collections.abc import Iterator

from django.db.models import Count

from annotation.models import Item, Rater, Review, Round, Study, Subset
from annotation.panels.registry import panel_of
from estimates.report.cache import Report
from results.paper.datasheet.answers import SheetAnswer
from results.paper.datasheet.questions import DESIGN, OTHER
from results.paper.methods.people import answers_of_people, people
from results.paper.methods.registration import registration_sentence
from results.paper.methods.rules import rules
from results.paper.paragraphs import Paragraph
from results.reading.wording import counted
from results.studies.claims import first_registration

_OPTIONS = {question.number: question.options for question in DESIGN.questions}
PAID, UNPAID = _OPTIONS["3.2.2"][2:4]
AUTOMATIC, MANUAL, WORKERS_OUT, ANSWERS_OUT = _OPTIONS["3.3.3"][1:5]
NEITHER = _OPTIONS["3.3.5"][2]
COMMENTS = _OPTIONS["3.3.6"][2]
OWN_PLACE = _OPTIONS["3.3.7"][0]


def answers_of_experiment(report: Report) -> dict[str, SheetAnswer]:
    """Question -> what the study knows; questions that it cannot answer are left out."""
    parts = (_paper, _sample, _evaluators, _collection, _quality, _ethics)
    known = (pair for part in parts for pair in part(report))
    return {number: answer for number, answer in known if answer}


Known = Iterator[tuple[str, SheetAnswer]]


def _paper(report: Report) -> Known:
    if report.study.state == Study.State.DRAFT and report.study.rounds.exists():
        yield "1.1", SheetAnswer("For preregistration.")


def _sample(report: Report) -> Known:
    """Outputs by system, and of which subset."""
    study = report.study
    answered = answers_of_people(report).values("question__unit")
    items = Item.objects.filter(study=study)
    if answered.exists():
        items = items.filter(units__in=answered)
    rows = items.order_by().values_list("system").annotate(n=Count("pk", distinct=True))
    numbers = dict(sorted(rows))
    if len(set(numbers.values())) == 1:
        yield "3.1.1", SheetAnswer(str(next(iter(numbers.values()))))
    elif numbers:
        each = ", ".join(f"{system or 'no system'}: {n}" for system, n in numbers.items())
        yield "3.1.1", SheetAnswer(each)
    subset = Subset.objects.filter(study=study, name=study.setting).first()
    if subset is not None and study.setting != "full":
        yield "3.1.2", SheetAnswer(f"The subset “{subset.name}” of the study’s units.")


def _evaluators(report: Report) -> Known:
    study = report.study
    raters = answers_of_people(report).values("rater").distinct().count()
    if raters and not study.numbers_raters:
        yield "3.2.1", SheetAnswer(str(raters))
    here = study.raters.filter(kind=Rater.Kind.HUMAN, origin=Rater.Origin.HERE).exists()
    rounds = list(study.rounds.all())
    if rounds and (here or not raters):
        paid = any(round_.base_pay or round_.bonus_pay for round_ in rounds)
        yield (
            "3.2.2",
            SheetAnswer.choice(
                PAID if paid else UNPAID, text=Paragraph(list(people(report))).as_text
            ),
        )
        name = panel_of(study).name
        yield "3.2.3", SheetAnswer(f"Through {name}." if name else "By personal invitation links.")
    yield "3.2.4", SheetAnswer(_training(study, rounds))
    if age := study.ethics.get("minimum_age"):
        yield "3.2.5", SheetAnswer(f"The minimum age was {age}.")


def _training(study: Study, rounds: list[Round]) -> str:
    """Instructions, worked examples, comprehension questions and rounds that do not count."""
    examples = study.units.filter(role="example").count()
    practice = [round_.name for round_ in rounds if not round_.counts or round_.shows_answers]
    parts = [
        f"Instructions were shown first:\n\n{study.instructions}" if study.instructions else "",
        f"{counted(examples, 'worked example')} preceded the first question." if examples else "",
        f"{counted(len(study.comprehension), 'comprehension question')} had to be answered."
        if study.comprehension
        else "",
        f"Rounds before the evaluation itself: {', '.join(practice)}." if practice else "",
    ]
    return "\n\n".join(filter(None, parts))


def _freedom(study: Study) -> str:
    """How much time people had for a batch."""
    if study.has_team:
        return (
            "A batch had no time limit; answers were saved at once, and work could be interrupted "
            "at any time."
        )
    return (
        f"A batch had to be submitted within {study.lease_minutes} minutes, which could be "
        f"extended {study.max_extensions} times; answers were saved at once, and work could be "
        "interrupted within that time."
    )


def _collection(report: Report) -> Known:
    study = report.study
    rounds = list(study.rounds.all())
    first = first_registration(study)
    yield (
        "3.3.1",
        SheetAnswer(
            "Not registered in Jurybox."
            if first is None
            else f"In Jurybox. {registration_sentence(first)}"
        ),
    )
    if not rounds:
        imported = study.imported.get("format")
        yield "3.3.2", SheetAnswer(f"Imported answers (format {imported})." if imported else "")
        return
    yield "3.3.2", SheetAnswer("Online, with Jurybox, in a web browser.")
    kinds = [f"“{block.task_type.title}”" for block in study.blocks.all()]
    yield (
        "3.3.4",
        SheetAnswer(
            f"Web pages with questions of the kind {' and '.join(kinds)}, one unit after another. "
            f"A batch has {' or '.join(sorted({str(row.n_units_per_batch) for row in rounds}))} "
            "units."
        ),
    )
    yield (
        "3.3.5",
        SheetAnswer.choice(NEITHER, OTHER, text=_freedom(study)),
    )
    yield (
        "3.3.6",
        SheetAnswer.choice(
            COMMENTS,
            text="Every question has a field to report a problem, and every batch one for a "
            f"comment.{f' Contact: {study.contact}.' if study.contact else ''}",
        ),
    )
    yield "3.3.7", SheetAnswer.choice(OWN_PLACE)
    yield "3.3.8", SheetAnswer("N/A")


def _quality(report: Report) -> Known:
    """Controls, review, and what follows from them."""
    study = report.study
    rounds = list(study.rounds.all())
    controls = any(round_.positive_per_batch or round_.negative_per_batch for round_ in rounds)
    reviewed = (
        Review.objects.filter(assignment__participation__study=study).exclude(by=None).exists()
    )
    excluded = study.annotations.exclude(excluded_reason="").exists()
    gates = any(round_.pass_accuracy or round_.keep_accuracy for round_ in rounds)
    chosen = [
        option
        for option, holds in (
            (AUTOMATIC, controls or study.comprehension),
            (MANUAL, reviewed),
            (WORKERS_OUT, gates),
            (ANSWERS_OUT, excluded),
        )
        if holds
    ]
    if rounds:
        yield "3.3.3", SheetAnswer.choice(*chosen, text=Paragraph(list(rules(report))).as_text)


def _ethics(report: Report) -> Known:
    ethics = report.study.ethics
    board, reference = (str(ethics.get(key) or "") for key in ("board", "reference"))
    if board:
        yield "5.1", SheetAnswer(f"{board}{f', reference {reference}' if reference else ''}.")
    if not report.study.rounds.exists():
        return
    kept = ethics.get("retention_days")
    until = f" Personal data are erased {kept} days after the study." if kept else ""
    basis = ethics.get("lawful_basis")
    yield (
        "5.2",
        SheetAnswer(
            "Workers are known by the ids of their panel, which stay on the server; results and "
            f"exports name them by pseudonyms.{f' Lawful basis: {basis}.' if basis else ''}{until}"
        ),
    )
