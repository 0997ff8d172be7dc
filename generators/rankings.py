"""The statement of a text that a variant is to be about, where somebody has said what matters most.

People's answers come first, then those of judges about claims that a person has accepted, then an
accepted list of what a good text holds, then judges' answers about other claims. Where none of them
says it, the model that writes the variant chooses the statement itself.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from annotation.models import Annotation, Item, Preparation, Rater, Study, UnitItem
from imports.preparation.targets import blocks_to_prepare
from tasktypes.prepared_lists import PREPARED

PEOPLE = "ranked by people"
CHECKED = "ranked by a model, checked"
UNCHECKED = "ranked by a model"
CHOSEN = "chosen by the model"
_PREFERRED = (PEOPLE, CHECKED, UNCHECKED)


class Ranked(NamedTuple):
    """The most important statement, and who said so, in words."""

    statement: str
    by: str


NOTHING = Ranked("", CHOSEN)


def key_statements(study: Study, items: Collection[Item]) -> Mapping[int, Ranked]:
    """By the item's id: what is known of its most important statement; absent where nothing is."""
    listed = _of_accepted_lists(study)
    found = {item.pk: listed[item.source_id] for item in items if item.source_id in listed}
    for item, ranked in _of_answers(study, {item.pk for item in items}):
        standing = found.get(item)
        # An answer about the text itself says more than a list of its source of the same standing.
        if standing is None or _PREFERRED.index(ranked.by) <= _PREFERRED.index(standing.by):
            found[item] = ranked
    return found


def _of_accepted_lists(study: Study) -> dict[int, Ranked]:
    """By the source's id, from the lists of it."""
    found = {}
    rows = Preparation.objects.accepted().filter(study=study, item=None).with_names()
    for row in rows.order_by("pk"):
        if statement := row.prepared_list.first(row.entries):
            by = CHECKED if row.provenance.get("by") == "model" else PEOPLE
            found[row.source_id] = Ranked(statement, by)
    return found


def _of_answers(study: Study, items: Collection[int]) -> Iterator[tuple[int, Ranked]]:
    """By the answers of people, or of judges, to the questions about each item alone."""
    item_of = _units(study, items)
    answers = Annotation.objects.filter(
        study=study,
        question__block__in=blocks_to_prepare(study),
        rater__kind__in=(Rater.Kind.HUMAN, Rater.Kind.JUDGE),
    ).counted()
    told: dict[tuple[int, str], list[Annotation]] = defaultdict(list)
    for row in answers.select_related("question__block", "question__unit", "rater").order_by("pk"):
        if row.question.unit_id in item_of:
            told[row.question_id, row.rater.kind].append(row)
    # People's last, as theirs count.
    for _, rows in sorted(told.items(), key=lambda entry: entry[0][1] == Rater.Kind.HUMAN):
        question = rows[0].question
        kind, payload = question.block.task_type, question.typed_payload
        typed = [kind.Answer.model_validate(row.answer) for row in rows]
        if statement := kind.key_statement(payload, typed):
            by_people = rows[0].rater.kind == Rater.Kind.HUMAN
            yield item_of[question.unit_id], Ranked(statement, PEOPLE if by_people else _by(rows))


def _by(rows: list[Annotation]) -> str:
    """Whose ranking a judge's is: of claims that a person has accepted, or of others."""
    question = rows[0].question
    prepared = question.unit.focus.get(PREPARED, {})
    lists = question.block.task_type.prepared_lists
    checked = any(each.about == "item" and each.name in prepared for each in lists)
    return CHECKED if checked else UNCHECKED


def _units(study: Study, items: Collection[int]) -> dict[int, int]:
    """Unit -> the one of these items that it shows alone."""
    rows = UnitItem.objects.filter(unit__study=study).values_list("unit", "item", "position")
    shown: dict[int, list[int]] = defaultdict(list)
    for unit, item, _ in rows.iterator(2000):
        shown[unit].append(item)
    return {unit: of[0] for unit, of in shown.items() if len(of) == 1 and of[0] in items}
