"""Why there are no numbers, said once for all rows of a part rather than in each of them."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from results.dashboard.panels import Panel, SectionPart
from results.reading.wording import listed

# Names in a sentence; of more their number is said.
MOST_NAMED = 6


def condensed(part: SectionPart) -> SectionPart:
    """The part with numbers alone in its tables, and the reasons for missing ones as sentences."""
    reasons: dict[str, dict[str, None]] = {}
    for panel in part.panels:
        for line in panel.grid.lines:
            if line.missing_reason:
                reasons.setdefault(line.missing_reason, {})[line.title] = None
    panels = [shown for panel in part.panels if (shown := _with_numbers(panel)).grid.lines]
    return replace(part, panels=panels, reasons=[*_sentences(reasons)])


def _with_numbers(panel: Panel) -> Panel:
    lines = [line for line in panel.grid.lines if not line.missing_reason]
    return replace(panel, grid=replace(panel.grid, lines=lines))


def _sentences(reasons: Mapping[str, Iterable[str]]) -> Iterable[str]:
    for reason, names in reasons.items():
        yield f"{listed(list(names), MOST_NAMED)}: {reason}."
