"""The report of a marking as a page of its own, and as JSON."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string

from agreement import Estimate
from annotation.models import Study, Unit
from marking.figures import Figures, figures_of, outlook
from marking.marks import MarkedText, Marks
from marking.sentences import progress, ranged, verdict_lines

# The page is read from a disk, where no other file is beside it.
STYLES = ("tokens.css", "base.css", "table.css", "marks.css")
MOST_LETTERS = 4_000


def report_page(study: Study, marks: Marks) -> str:
    """All in one file of HTML: sentences, figures, and the texts with what was said of them."""
    figures = figures_of(marks)
    folder = Path(settings.BASE_DIR) / "static" / "css"
    context = {
        "title": study.title,
        "styles": "\n".join((folder / name).read_text(encoding="utf-8") for name in STYLES),
        "lines": verdict_lines(marks, figures),
        "progress": progress(marks, figures, outlook(marks)),
        "figures": [] if figures.is_early else _rows(marks, figures),
        "texts": _texts(marks.texts, study),
        "marks": marks,
    }
    return render_to_string("marking/report.html", context)


def _rows(marks: Marks, figures: Figures) -> list[tuple[str, Estimate, str]]:
    """What, its estimate, and how that reads."""
    named = [("Two people say the same", figures.ceiling)]
    for name, estimate in figures.beside.items():
        named.append((f"“{name}” says what a person says", estimate))
    for label, rates in figures.rates.items() if len(marks.strata) > 1 else ():
        named += [
            (f"“{label}” found by “{marks.judge}”", rates.recall),
            (f"“{label}” of “{marks.judge}” that people say, too", rates.precision),
            (f"Texts that are “{label}” to people", rates.prevalence),
        ]
    return [(what, estimate, ranged(estimate)) for what, estimate in named]


def _texts(texts: Sequence[MarkedText], study: Study) -> list[dict[str, Any]]:
    """Those first on which the judge and people differ most."""
    units = Unit.objects.filter(study=study, pk__in=[text.pk for text in texts])
    units = units.select_related("source").prefetch_related("items")
    by_key = {unit.pk: unit for unit in units}

    def apart(text: MarkedText) -> float:
        return text.share(text.verdict) if text.labels else 2.0

    return [
        {
            "text": text,
            "differs": bool(text.labels) and apart(text) < 1,
            "about": _about(by_key[text.pk]),
            "output": "\n\n".join(item.text for item in by_key[text.pk].items.all())[:MOST_LETTERS],
        }
        for text in sorted(texts, key=apart)
    ]


def _about(unit: Unit) -> str:
    source = unit.source
    parts = [source.claim, source.query, source.document, *(_spoken(t) for t in source.turns)]
    return "\n\n".join(part for part in parts if part)[:MOST_LETTERS]


def _spoken(turn: Mapping[str, Any]) -> str:
    return f"{turn.get('role', '')}: {turn.get('text', '')}"


def report_json(marks: Marks) -> str:
    """Every figure with its range, for programs."""
    figures = figures_of(marks)
    told = {
        "judge": marks.judge,
        "texts": marks.population,
        "strata": dict(marks.strata),
        "marks": figures.marks,
        "marked": figures.texts,
        "cannot_say": figures.undecided,
        "marked_twice": figures.doubled,
        "people": len(marks.people),
        "agreement": _told(figures.agreement),
        "people_among_themselves": _told(figures.ceiling),
        "judges": {name: _told(estimate) for name, estimate in figures.beside.items()},
        "labels": {
            label: {name: _told(estimate) for name, estimate in vars(rates).items()}
            for label, rates in figures.rates.items()
        },
    }
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def _told(estimate: Estimate) -> dict[str, Any]:
    names = ("value", "low", "high", "confidence", "n_units", "interval_method", "undefined")
    return {name: getattr(estimate, name) for name in names}
