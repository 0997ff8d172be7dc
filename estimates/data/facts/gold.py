"""Right answers in the database, gold and references, taken apart like any other."""

from collections.abc import Callable, Sequence

from annotation.answers.item_names import name_items
from annotation.models import GoldAnswer, Question, Study, Unit
from estimates.data.facts.references import References, take_apart
from tasktypes.facets import ItemName, RatingValue, Value

CHUNK = 500


def load_gold(study: Study, names_of: Callable[[int], Sequence[ItemName] | None]) -> References:
    """The current gold answers to the study's normal questions. One query beside the blocks.

    names_of: what the items of a question (by id) are called; None for one that came meanwhile.
    """
    blocks = {block.pk: block for block in study.blocks.all()}
    of_facet: dict[str, dict[tuple[int, str], Value]] = {
        facet.name: {} for block in blocks.values() for facet in block.facets
    }
    rows = (
        GoldAnswer.objects.filter(study=study, question__unit__role=Unit.Role.NORMAL)
        .current()
        .order_by("question_id")
        .values_list("question_id", "question__block_id", "question__payload", "answer")
    )
    for question, block, payload, answer in rows.iterator(CHUNK):
        names = names_of(question)
        if names is None:
            continue
        for rating in take_apart(blocks[block].task_type, payload, answer):
            named = rating.named(names)
            of_facet[named.facet][question, named.element] = named.value
    return References(of_facet)


def questions_of(gold: References) -> frozenset[int]:
    """The questions (by id) that have a gold answer."""
    return frozenset(question for values in gold.of_facet.values() for question, _ in values)


def rate_references(questions: Sequence[Question]) -> list[list[RatingValue]]:
    """The ratings that the right answer of each question would have; empty without one."""
    return name_items(
        (asked.unit_id, take_apart(asked.block.task_type, asked.payload, asked.reference))
        for asked in questions
    )
