"""What a study says of a quality criterion: each facet that people were asked about is one."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from annotation.models import Block, Study
from estimates.catalogue import alpha_of, metric
from estimates.data.parties import HUMANS
from estimates.report.cache import Report
from results.paper.datasheet.answers import SheetAnswer
from results.paper.methods.counting import tests
from results.paper.paragraphs import Paragraph
from results.reading.bounds import defined
from results.reading.rows import FacetRows
from results.reading.systems import systems_of
from results.reading.wording import number
from tasktypes.facets import Facet

NOT_APPLICABLE = "N/A"


@dataclass(frozen=True)
class AskedFacet:
    """A facet with the block that asks about it."""

    block: Block
    facet: Facet

    @property
    def criterion(self) -> Any:
        """What the block's options say of it: a criterion, or the options themselves where they
        ask one question; None where its questions are made of the material."""
        options = self.block.typed_options
        for criterion in getattr(options, "criteria", ()):
            if criterion.key == self.facet.name:
                return criterion
        return options if hasattr(options, "question") else None


def asked_facets(study: Study) -> list[AskedFacet]:
    """The facets that people answer, in the order of blocks."""
    if study.has_published_figures:
        return []
    return [
        AskedFacet(block, facet)
        for block in study.blocks.all()
        for facet in block.facets
        if not facet.own_scale
    ]


def answers_of_criterion(report: Report, asked: AskedFacet) -> dict[str, SheetAnswer]:
    """Question -> what the study knows of the facet."""
    parts = (*_wording(asked), *_instrument(asked), *_figures(report, asked.facet))
    return {number: answer for number, answer in parts if answer}


Known = Iterator[tuple[str, SheetAnswer]]


def _wording(asked: AskedFacet) -> Known:
    criterion, elicitation = asked.criterion, asked.block.task_type.elicitation
    yield "4.2.1", SheetAnswer.choice("Subjective")
    yield "4.2.2", SheetAnswer.choice("Relative" if elicitation.relative else "Absolute")
    yield "4.2.3", SheetAnswer.choice("Intrinsic")
    yield "4.3.1", SheetAnswer(_name_seen(asked))
    yield "4.3.2", SheetAnswer(getattr(criterion, "definition", "") or NOT_APPLICABLE)
    if criterion is not None:
        yield "4.3.7", SheetAnswer(criterion.question)
    yield "4.3.8", SheetAnswer.choice(elicitation.form)


def _name_seen(asked: AskedFacet) -> str:
    """Evaluators see the question; the name too where it heads a row of points: of several criteria
    for each of several texts or sentences."""
    options, title = asked.block.typed_options, asked.facet.title
    apart = getattr(options, "per_sentence", False) or getattr(options, "together", False)
    if apart and len(getattr(options, "criteria", ())) > 1:
        return title
    what = "task" if asked.criterion is None else "question"
    return f"None: evaluators saw the {what} alone. Its name in results: {title}."


def _instrument(asked: AskedFacet) -> Known:
    """The scale, or the task where there is none."""
    elicitation = asked.block.task_type.elicitation
    yield "4.3.5", SheetAnswer.choice(elicitation.instrument)
    if elicitation.instrument == NOT_APPLICABLE:
        yield "4.3.3", SheetAnswer(NOT_APPLICABLE)
        yield "4.3.4", SheetAnswer(NOT_APPLICABLE)
        yield "4.3.6", SheetAnswer(elicitation.task)
        return
    yield "4.3.6", SheetAnswer(NOT_APPLICABLE)
    values = _values(asked)
    if values:
        yield "4.3.3", SheetAnswer(str(len(values)))
        yield "4.3.4", SheetAnswer("; ".join(values))
    elif asked.facet.ends is not None:
        low, high = asked.facet.ends
        yield "4.3.3", SheetAnswer("continuous")
        yield "4.3.4", SheetAnswer(f"{low:g} to {high:g}")


def _values(asked: AskedFacet) -> list[str]:
    """The points or labels to choose from; empty where there are too many to list."""
    points = getattr(asked.criterion, "points", ())
    if points:
        return [f"{point.text} ({point.label})" if point.label else point.text for point in points]
    return list(asked.facet.labels)


def _figures(report: Report, facet: Facet) -> Known:
    """How answers become scores, and how far people agree."""
    rows = FacetRows(facet, report.rows, report.versions)
    if not rows.answered:
        return
    rule = report.options.consensus_for(facet.kind)
    yield "4.3.9", SheetAnswer(f"Several people’s answers to a unit are combined by {rule}.")
    if systems_of(rows).pairs:
        compared = Paragraph(list(tests(report))).as_text
        yield "4.3.10", SheetAnswer(f"Mean differences with their intervals. {compared}".strip())
    name = alpha_of(facet.distance)
    alpha = rows.get(name, HUMANS)
    if alpha is not None and defined(alpha) and alpha.value is not None:
        interval = (
            f", {100 * report.options.confidence:g} % interval {number(alpha.low)} to "
            f"{number(alpha.high)}"
            if alpha.low is not None and alpha.high is not None
            else ""
        )
        yield (
            "4.3.11",
            SheetAnswer(
                f"{metric(name).title}: {number(alpha.value)}{interval}, n = {alpha.n_units} "
                "units. Agreement of a person with themselves was not measured."
            ),
        )
