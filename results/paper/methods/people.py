"""Who answered what: people, texts, panel, consent and pay."""

from collections.abc import Iterator
from statistics import median

from django.db.models import Count, Max, Min, QuerySet

from annotation.models import Annotation, Participation, Rater, Study
from annotation.models.answers import AnnotationQuerySet
from annotation.panels.registry import panel_of
from annotation.pay.wages import hourly_pay
from estimates.data.database import rater_records
from estimates.data.groups import SYSTEM
from estimates.data.selection import left_out
from estimates.report.cache import Report
from results.figures.plots import scale_title
from results.paper.paragraphs import Sentence
from results.reading.quality import is_hurried
from results.reading.wording import counted, listed, percent


def people(report: Report) -> Iterator[Sentence]:
    """Sentences on people, as far as there are any."""
    study, answers = report.study, answers_of_people(report)
    about = answers.aggregate(
        n=Count("pk"),
        people=Count("rater", distinct=True),
        units=Count("question__unit", distinct=True),
        sources=Count("question__unit__source", distinct=True),
    )
    yield from _asked(study)
    if not about["n"]:
        return
    systems = {row.group[SYSTEM] for row in report.rows if row.group.keys() == {SYSTEM}}
    texts = f", with texts of {counted(len(systems), 'system')}" if systems else ""
    who = counted(about["people"], "person", "people")
    yield Sentence(
        f"{'People' if study.numbers_raters else who} gave {counted(about['n'], 'answer')} to "
        f"{counted(about['units'], 'unit')} of {counted(about['sources'], 'source')}{texts}."
    )
    yield _per_unit(study, answers)
    yield from _recruited(study, answers)
    yield from _pay(report)


def answers_of_people(report: Report) -> AnnotationQuerySet:
    """The people's answers that count in the report."""
    study, options = report.study, report.options
    asked = options.only or options.without
    raters = rater_records(study) if asked else []
    answers = Annotation.objects.filter(study=study, rater__kind=Rater.Kind.HUMAN)
    return answers.counted(excluded=options.excluded).exclude(rater__in=left_out(raters, options))


def _asked(study: Study) -> Iterator[Sentence]:
    """The questions, with the ends of their scales."""
    facets = [facet for block in study.blocks.all() for facet in block.facets]
    titles = [scale_title(facet) for facet in facets if not facet.own_scale]
    if titles and not study.has_published_figures:
        yield Sentence(f"Asked about each unit: {', '.join(titles)}.")
        yield from _points(study)


def _points(study: Study) -> Iterator[Sentence]:
    """What the points of scales are called, scales of the same labels together."""
    named: dict[str, list[str]] = {}
    for block in study.blocks.all():
        for criterion in getattr(block.typed_options, "criteria", ()):
            labelled = [point for point in getattr(criterion, "points", ()) if point.label]
            words = "; ".join(f"{point.text}: {point.label}" for point in labelled)
            if words:
                named.setdefault(words, []).append(criterion.name)
    for words, criteria in named.items():
        of = f" of {listed(criteria, len(criteria))}" if len(named) > 1 else ""
        yield Sentence(f"The points{of} were labelled {words}.")


def _per_unit(study: Study, answers: AnnotationQuerySet) -> Sentence:
    rows = answers.order_by().values("question__unit")
    numbers = list(
        rows.annotate(people=Count("rater", distinct=True)).values_list("people", flat=True)
    )
    least, most = min(numbers), max(numbers)
    wanted = f"; {study.overlap} were wanted" if study.rounds.exists() else ""
    if least == most:
        text = f"Each unit was answered by {counted(least, 'person', 'people')}{wanted}."
    else:
        text = (
            f"A unit was answered by {median(numbers):g} people in the median (from {least} to "
            f"{most}{wanted})."
        )
    return Sentence(text)


def _recruited(study: Study, answers: AnnotationQuerySet) -> Iterator[Sentence]:
    """Where and when those came from who answered here, and what they agreed to."""
    here = answers.filter(rater__origin=Rater.Origin.HERE)
    days = here.aggregate(first=Min("created_at"), last=Max("created_at"))
    came = Participation.objects.filter(study=study, rater__in=here.values("rater"))
    number = came.count()
    if number:
        through = f" through {name}" if (name := panel_of(study).name) else " by invitation"
        first, last = (f"{days[key]:%Y-%m-%d}" for key in ("first", "last"))
        when = f"on {first}" if first == last else f"from {first} to {last}"
        yield Sentence(f"{counted(number, 'person', 'people')} came{through} and answered {when}.")
        yield from _consent(study, came, number)
    elif study.imported.get("format") and answers.filter(rater__origin="imported").exists():
        yield Sentence(f"Their answers were imported (format {study.imported['format']}).")


def _consent(study: Study, came: QuerySet[Participation], number: int) -> Iterator[Sentence]:
    participations = Participation.objects.filter(pk__in=came.values("pk"))
    agreed = participations.filter(consents__isnull=False).distinct().count()
    if agreed:
        versions = participations.exclude(consents=None).values_list("consents__version", flat=True)
        named = ", ".join(sorted(set(filter(None, versions))))
        who = "All" if agreed == number else f"{agreed} of {number}"
        version = f" (version {named})" if named else ""
        yield Sentence(f"{who} gave their consent to the study’s form{version}.")
    board, reference = (str(study.ethics.get(key) or "") for key in ("board", "reference"))
    if board:
        number_ = f", reference {reference}" if reference else ""
        yield Sentence(f"Ethics board: {board}{number_}.")
    if age := study.ethics.get("minimum_age"):
        yield Sentence(f"The minimum age was {age}.")


def _pay(report: Report) -> Iterator[Sentence]:
    """What an hour paid, by time and ledger; nothing where people took no time to speak of."""
    paid = hourly_pay(report.study)
    if paid and is_hurried(report):
        yield Sentence("Pay per hour is not given: people took too little time to tell.")
        return
    for pay in paid:
        measured = percent(pay.measured / pay.batches) if pay.batches else ""
        timed = f"; time with the page in view for {measured} of batches, else from start to end"
        yield Sentence(
            f"Pay per hour was {pay.median} {pay.currency} in the median and {pay.tenth} "
            f"{pay.currency} at the lowest tenth ({counted(pay.workers, 'worker')}"
            f"{timed if measured else ''})."
        )
