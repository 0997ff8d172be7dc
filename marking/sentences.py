"""Figures of a marking in sentences."""

from collections.abc import Iterator

from agreement import Estimate
from marking.figures import LEAST, Figures, Outlook
from marking.marks import Marks
from results.reading.wording import counted, percent, plain

# Texts of a file below which its figures say little of a judge elsewhere.
FEW_TEXTS = 30


def ranged(estimate: Estimate) -> str:
    """`82 % (57 to 93 %)`, or why there is no number."""
    if estimate.value is None:
        return f"cannot be said: {estimate.undefined}"
    if estimate.low is None or estimate.high is None:
        return percent(estimate.value)
    low, high = (f"{100 * bound:.0f}" for bound in (estimate.low, estimate.high))
    return f"{percent(estimate.value)} ({low} to {high} %)"


def progress(marks: Marks, figures: Figures, ahead: Outlook | None) -> str:
    """Where a marking stands, in one line: what can be said, and what more marks would give."""
    if figures.is_early:
        left = LEAST - figures.marks
        return f"{counted(figures.marks, 'mark', 'marks')}; a first range comes after {left} more."
    said = (
        f"{counted(figures.marks, 'mark', 'marks')}: “{marks.judge}” says what a person says on "
        f"{ranged(figures.agreement)} of the {marks.population:,} texts."
    )
    return plain(f"{said} {_ahead(ahead, marks.drawn - figures.texts)}".strip())


def _ahead(ahead: Outlook | None, drawn: int) -> str:
    """drawn: how many texts are still to come of those that were drawn."""
    if ahead is None:
        return ""
    how = f" (--more {ahead.texts - drawn})" if ahead.texts > drawn else ""
    if not ahead.half_width:
        return f"{counted(ahead.texts, 'text is', 'texts are')} left to be marked{how}."
    return f"About {ahead.texts} more texts give ± {100 * ahead.half_width:.0f} points{how}."


def verdict_lines(marks: Marks, figures: Figures) -> list[str]:
    """What a report says, sentence by sentence."""
    return [plain(line) for line in _lines(marks, figures)]


def _lines(marks: Marks, figures: Figures) -> Iterator[str]:
    n_people = len(marks.people)
    people = counted(n_people, "person", "people")
    texts = counted(figures.texts, "text", "texts")
    drawn = f"drawn by the verdicts of “{marks.judge}”"
    yield f"{people} marked {texts} of {marks.population:,}, {drawn}."
    if figures.undecided:
        yield f"{counted(figures.undecided, 'mark', 'marks')} could not say, and are left out."
    if figures.is_early:
        yield f"These are too few marks to say anything: at least {LEAST} are needed."
        return
    yield (
        f"“{marks.judge}” says what a person says on {ranged(figures.agreement)} of the texts "
        "of this file."
    )
    yield from _ceiling(n_people, figures)
    if len(marks.strata) == 1:
        (only,) = marks.strata
        yield f"It says “{only}” of every text, so that it tells no text from another."
    else:
        for label, rates in figures.rates.items():
            yield (
                f"Of the texts that people call “{label}” it finds {ranged(rates.recall)}; of "
                f"those that it calls “{label}” people call {ranged(rates.precision)} so."
            )
    if marks.population < FEW_TEXTS:
        size = counted(marks.population, "text", "texts")
        yield f"The file has {size}: that is too few to say how the judge does on others."


def _ceiling(n_people: int, figures: Figures) -> Iterator[str]:
    if figures.ceiling.value is not None:
        yield (
            f"Two people say the same on {ranged(figures.ceiling)} of them "
            f"({counted(figures.doubled, 'text', 'texts')} marked twice or more): a judge that is "
            "as good as a person would agree with one as often."
        )
    elif n_people < 2:
        yield "These are one person's marks: nobody knows how far another person would agree."
    else:
        yield f"How far people agree {ranged(figures.ceiling)}."
