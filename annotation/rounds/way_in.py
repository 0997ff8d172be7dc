"""How long it takes from the arrival to the first question: consent, instructions, examples, tips
and the check, which workers read before their first batch."""

import re
from collections.abc import Iterator
from math import ceil
from statistics import median

from annotation.models import Question, Study, Unit
from annotation.queries.progress import recent_ways_in

# The measured time is told from this many people on.
ENOUGH = 10
WORDS_A_MINUTE = 240
# On each page beside what the study says, as counted on the English pages.
OUR_WORDS = 100
# The invitation, consent and the overview; others only where the study has them.
PAGES = 3
# Chinese and Japanese are read about as many characters a minute as other languages words.
_CHARACTERS = r"\u3040-\u30ff\u3400-\u9fff"
_WORD = re.compile(rf"[{_CHARACTERS}]|[^\s{_CHARACTERS}]*[^\W{_CHARACTERS}][^\s{_CHARACTERS}]*")


def minutes_before(study: Study) -> int:
    """The median of those who began last, once they are enough; until then the time in which
    somebody reads all that there is to read."""
    minutes = recent_ways_in(study.pk)
    if len(minutes) >= ENOUGH:
        return max(ceil(median(minutes)), 0)
    return ceil(_words_before(study) / WORDS_A_MINUTE)


def _words_before(study: Study) -> int:
    examples = list(
        Question.objects.filter(study=study, unit__role=Unit.Role.EXAMPLE)
        .exclude(reference=None)
        .values_list("payload", "unit__reasons")
    )
    pages = PAGES + len(examples) + bool(study.tips) + bool(study.comprehension)
    texts = (study.instructions, study.consent_text, study.content_warning, study.tips)
    return OUR_WORDS * pages + sum(map(count_words, (*texts, study.comprehension, examples)))


def count_words(value: object) -> int:
    """The words of a text, or of all texts in a structure; keys are not shown."""
    return sum(len(_WORD.findall(text)) for text in _texts(value))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts(list(value.values()))
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)
