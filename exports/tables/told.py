"""What people wrote beside their answers, and told of themselves: personal data, which only exports
that ask for it have."""

from collections.abc import Iterator

from annotation.models import Participation, Rater, Study
from annotation.models.answers import Moment
from exports.csv_text import csv_line
from exports.tables.answers import CHUNK, exported, names_of_raters


def text_lines(study: Study, *, moment: Moment | None = None) -> Iterator[str]:
    """The texts beside exported answers of people who answered here; all are of one kind."""
    names, kind = names_of_raters(study), study.free_text.get("kind", "")
    yield csv_line(("unit", "block", "rater", "kind", "text"))
    answers = exported(study, moment=moment).filter(reasons__isnull=False)
    answers = answers.exclude(rater__kind=Rater.Kind.JUDGE).filter(rater__origin=Rater.Origin.HERE)
    fields = ("question__unit__key", "question__block__key", "rater_id", "reasons")
    for unit, block, rater, texts in answers.order_by("pk").values_list(*fields).iterator(CHUNK):
        yield from (csv_line((unit, block, names[rater], kind, text)) for text in texts)


def questionnaire_lines(study: Study) -> Iterator[str]:
    """The questionnaire as every person filled it in, a line for each answer."""
    yield csv_line(("rater", "asked", "question", "answer"))
    people = Participation.objects.filter(study=study).exclude(questionnaire={})
    for person in people.order_by("number").iterator(CHUNK):
        for when, told in person.questionnaire.items():
            cells = ((person.pseudonym, when, one["question"], one["answer"]) for one in told)
            yield from map(csv_line, cells)
