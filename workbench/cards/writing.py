"""A card as HTML, Markdown and JSON: three forms of one value."""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from django.conf import settings
from django.template.loader import render_to_string

from workbench.cards.card import Card, CardFigure, Half, Part, as_json
from workbench.cards.offline import style_sheets

STYLES = ("tokens", "base", "panel", "table", "message", "run", "card")
# In whole numbers, or USD.
COUNTED, IN_USD = (Part.LABELS, Part.ANSWERS), ("usd", "usd_per_answer")
LONGEST_NAME = 100


@dataclass(frozen=True)
class Line:
    """A figure as it is read. missing: why it has no value."""

    about: str
    missing: str
    value: str
    interval: str
    people: str
    n: str
    of: str


@dataclass(frozen=True)
class ShownPart:
    """A part of a card as a table. bare: its lines have neither interval nor n. with_of: some are
    of a half, or stated alone."""

    key: str
    title: str
    lines: Sequence[Line]
    bare: bool
    with_people: bool
    with_of: bool


def parts_of(card: Card) -> list[ShownPart]:
    """The tables of a card."""
    named = len({figure.facet for figure in card.figures if figure.facet}) > 1
    return [_part(part, figures, named=named) for part, figures in card.parts]


def _part(part: Part, figures: Sequence[CardFigure], *, named: bool) -> ShownPart:
    lines = [_line(figure, named=named) for figure in figures]
    return ShownPart(
        key=part.name.lower(),
        title=part.value,
        lines=lines,
        bare=all(figure.n is None for figure in figures),
        with_people=any(line.people for line in lines),
        with_of=any(line.of for line in lines),
    )


def figure_text(figure: CardFigure) -> str:
    """The value; a dash where there is none."""
    if figure.value is None:
        return "–"
    if figure.name in IN_USD:
        return f"{figure.value:.6g}"
    is_count = figure.part in COUNTED and figure.value == int(figure.value) and not figure.facet
    return f"{figure.value:.0f}" if is_count else f"{figure.value:.3f}"


def interval_text(figure: CardFigure) -> str:
    """`0.571 to 0.669 (95 %)`; empty where there is none."""
    if figure.low is None or figure.high is None:
        return ""
    sure = "" if figure.confidence is None else f" ({100 * figure.confidence:.4g} %)"
    return f"{figure.low:.3f} to {figure.high:.3f}{sure}"


def _line(figure: CardFigure, *, named: bool) -> Line:
    facet = f"{figure.facet}: " if named and figure.facet else ""
    stated = f"stated, not recomputable: {figure.stated}" if figure.stated else ""
    of = "" if figure.half is Half.ALL else figure.half.value
    return Line(
        about=f"{facet}{figure.about}",
        missing=figure.undefined if figure.value is None else "",
        value=figure_text(figure),
        interval=interval_text(figure),
        people="" if figure.people is None else f"{figure.people:.3f}",
        n="" if figure.n is None else str(figure.n),
        of="; ".join(filter(None, [of, figure.look, stated])),
    )


def facts_of(card: Card) -> list[tuple[str, str]]:
    """What the judge and its task are, as names and values."""
    judge, task = card.judge, card.task
    method = f"{judge.method_title} ({judge.method})" if judge.method else ""
    told = [
        ("Judge", str(judge)),
        ("Task", f"{task.title} ({task.study}), {task.block}"),
        ("Question", f"{task.kind}: {', '.join(task.facets)}"),
        ("Method", method or "not known: its answers were imported"),
        ("Model", judge.model),
        ("Model family", judge.family),
        ("Backend", judge.backend),
        *((name, str(value)) for name, value in judge.parameters.items()),
        ("Worked examples", str(judge.examples) if judge.examples else ""),
        ("Fingerprint", judge.fingerprint),
        ("Prompt, SHA-256", judge.sha256),
        ("Answers", f"revision {card.revision}"),
        ("Program", f"Jurybox {card.program}"),
    ]
    return [(name, value) for name, value in told if value]


def as_html(card: Card, *, back: str = "") -> str:
    """The card as one page that opens offline. back: the address of a page that leads to it."""
    context = {**shown(card), "style": styles(), "back": back}
    return render_to_string("workbench/card_file.html", context)


def shown(card: Card) -> dict[str, object]:
    """What pages show of a card."""
    return {"card": card, "facts": facts_of(card), "parts": parts_of(card)}


@cache
def layout() -> str:
    """The same where a card is written in the same words and styles: only then can its texts be
    compared."""
    folder = settings.BASE_DIR / "templates" / "workbench"
    files = [folder / "_card.html", folder / "card_file.html", Path(__file__)]
    texts = [styles(), *(file.read_text(encoding="utf-8") for file in files)]
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


@cache
def styles() -> str:
    """The style sheets of cards and of their index."""
    return style_sheets(*STYLES)


def as_markdown(card: Card) -> str:
    """The card as Markdown, whose texts cannot become markup."""
    return "\n".join(_markdown(card)) + "\n"


def _markdown(card: Card) -> Iterator[str]:
    yield f"# Judge card: {_plain(str(card.judge))}"
    if card.caution:
        yield from ("", f"> {_plain(card.caution)}")
    yield ""
    yield from (f"- **{_plain(name)}:** {_plain(value)}" for name, value in facts_of(card))
    for part in parts_of(card):
        yield from ("", f"## {part.title}", "")
        yield "| figure | value | interval | people with each other | n | of |"
        yield "| --- | --- | --- | --- | --- | --- |"
        for line in part.lines:
            about = f"{line.about}: {line.missing}" if line.missing else line.about
            cells = (about, line.value, line.interval, line.people, line.n, line.of)
            yield f"| {' | '.join(map(_plain, cells))} |"
    yield from ("", "## Limits", "")
    yield from (f"- {_plain(sentence)}" for sentence in card.limits)
    if card.judge.prompt:
        yield from ("", "## Prompt", "")
        yield from (f"    {line}" for line in card.judge.prompt.splitlines())


_MARKUP = re.compile(r"([\\`*_\[\]<>|#])")


def _plain(text: str) -> str:
    """Text on one line, as it stands."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))


# By the ending of their files.
FORMS: dict[str, Callable[[Card], str]] = {
    "json": as_json,
    "md": as_markdown,
    "html": as_html,
}


def base_name(card: Card) -> str:
    """A name for the files of a card, from which it can be told what it is of."""
    name = f"{card.task.study}.{card.task.block}.{card.judge}"
    return re.sub(r"[^A-Za-z0-9._@-]+", "-", name)[:LONGEST_NAME].strip("-.")


def named(cards: Sequence[Card]) -> dict[str, Card]:
    """The cards by names for their files, each once."""
    found: dict[str, Card] = {}
    for card in cards:
        name, number = base_name(card), 1
        while name in found:
            number += 1
            name = f"{base_name(card)}.{number}"
        found[name] = card
    return found


def files_of(cards: Sequence[Card]) -> dict[str, Callable[[], str]]:
    """The files of these cards by name, each in every form."""
    return {
        f"{name}.{end}": partial(form, card)
        for name, card in named(cards).items()
        for end, form in FORMS.items()
    }
