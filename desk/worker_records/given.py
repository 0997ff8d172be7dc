"""The answers of everybody in a study, as `signs` takes them: read once, in three queries."""

import json
import sys
from collections.abc import Hashable, Iterator

from annotation.models import Annotation, AssignmentUnit, Question, Study
from annotation.rounds.way_in import count_words
from desk.worker_records.signs import Given, Sign, signs

# What a question asks about, in payloads of any kind: the text or texts to be judged. Documents and
# passages beside them may be looked into where needed, so they are no part of the least to read.
JUDGED = ("sentences", "candidates")
AT_A_TIME = 2_000

Shown = tuple[tuple[Hashable, int], ...]


def signs_of_all(study: Study) -> dict[int, list[Sign]]:
    """Participation -> the signs it shows, of everybody with one. Three queries."""
    return signs(_given(study))


def _given(study: Study) -> list[Given]:
    """In the order in which people met the questions. With excluded and surplus answers."""
    units = AssignmentUnit.objects.filter(assignment__participation__study=study).values_list(
        "assignment", "unit", "position"
    )
    positions = {(batch, unit): at for batch, unit, at in units.iterator(AT_A_TIME)}
    shown = _shown(study)
    rows = Annotation.objects.filter(
        study=study, superseded_at=None, withdrawn_at=None, rater__participation__isnull=False
    ).values_list(
        *("assignment", "question__unit", "rater__participation", "question__block", "question"),
        *("answer", "active_seconds", "reasons", "paradata"),
    )
    placed = []
    for batch, unit, person, block, question, answer, seconds, texts, counts in rows.order_by(
        "pk"
    ).iterator(AT_A_TIME):
        given = Given(
            person=person,
            block=block,
            question=question,
            answer=sys.intern(json.dumps(answer, sort_keys=True)),
            seconds=seconds,
            shown=shown.get(question, ()),
            texts=tuple(text for text in texts or () if isinstance(text, str)),
            counts=counts,
        )
        placed.append(((batch or 0, positions.get((batch, unit), 0)), given))
    placed.sort(key=lambda each: each[0])
    return [given for _, given in placed]


def _shown(study: Study) -> dict[int, Shown]:
    """Question -> the texts to be judged and their words. Texts that many show are kept once."""
    paths = [f"payload__{name}" for name in JUDGED]
    rows = Question.objects.filter(study=study).order_by().values_list("pk", *paths)
    words: dict[str, tuple[Hashable, int]] = {}
    found: dict[int, Shown] = {}
    for question, *parts in rows.iterator(AT_A_TIME):
        texts = [text for part in parts for text in _texts(part)]
        found[question] = tuple(
            words.setdefault(text, (hash(text), count_words(text))) for text in texts
        )
    return found


def _texts(part: object) -> Iterator[str]:
    """The texts in a list of texts, or of records with a `text`."""
    for one in part if isinstance(part, list) else ():
        text = one.get("text") if isinstance(one, dict) else one
        if isinstance(text, str):
            yield text
