"""What a card does not show, in sentences without numbers."""

from collections.abc import Iterator
from dataclasses import dataclass

from workbench.cards.card import Part


@dataclass(frozen=True)
class Facts:
    """What is known of a judge in a study. people: None where files do not say, or nobody answered.
    parts: of the card that have numbers."""

    is_split: bool
    is_looked_at: bool
    is_published: bool
    has_seen_sealed: bool
    is_imported: bool
    is_fitted: bool
    people: int | None
    parts: frozenset[Part]


def limits(facts: Facts) -> list[str]:
    """The sentences, the gravest first."""
    return [*_of_test(facts), *_of_labels(facts), *_of_judge(facts)]


def _of_test(facts: Facts) -> Iterator[str]:
    if not facts.is_split:
        yield (
            "The sources are not split: a judge that was changed until it agreed with these labels "
            "looks better here than it is."
        )
        return
    yield "The more often a judge was changed, the better it looks on the development half."
    if not facts.is_looked_at:
        yield "This version was not tested on the sealed half."
    elif not facts.is_published:
        yield "Figures of the sealed half are stated: nobody else can compute them again yet."
    if facts.has_seen_sealed:
        yield "It answered about sealed sources before the split, when its answers could be seen."


def _of_labels(facts: Facts) -> Iterator[str]:
    if facts.people == 1:
        yield "The labels are one person's: how far people agree is not known."
    if Part.AGREEMENT not in facts.parts:
        yield "Nothing says how far it agrees with people."
    yield "Intervals speak of other sources like these, answered by people like these."


def _of_judge(facts: Facts) -> Iterator[str]:
    if facts.is_imported:
        yield "Its answers were imported: its prompt, settings and price are not known here."
    if facts.is_fitted:
        yield "It was fitted on answers of this study."
    if Part.STRESS not in facts.parts:
        yield "It was neither asked twice nor about faults made on purpose."
    if Part.DRIFT not in facts.parts:
        yield "It was not asked again later, so that its drift is not known."
