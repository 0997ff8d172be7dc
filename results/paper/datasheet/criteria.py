"""What a study says of a quality criterion: each facet that people were asked about is one."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from annotation.models import Block, Study
from estimates.catalogue import alpha_of, metric
from estimates.data.parties import HUMANS
from estimates.report.cache import Report
from results.paper.datasheet.answers import Answer
from results.reading.bounds import defined
from results.reading.rows import FacetRows
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


def answers_of_criterion(report: Report, asked: AskedFacet) -> dict[str, Answer]:
    """Question -> what the study knows of the facet."""
    parts = (*_wording(asked), *_instrument(asked), *_figures(report, asked.facet))
    return {number: answer for number, answer in parts if answer}


Known = Iterator[tuple[str, Answer]]


def _wording(asked: AskedFacet) -> Known:
    criterion, elicitation = asked.criterion, asked.block.task_type.elicitation
    yield "4.2.1", Answer.choice("Subjective")
    yield "4.2.2", Answer.choice("Relative" if elicitation.relative else "Absolute")
    yield "4.2.3", Answer.choice("Intrinsic")
    yield "4.3.1", Answer(asked.facet.title)
    yield "4.3.2", Answer(getattr(criterion, "definition", "") or NOT_APPLICABLE)
    if criterion is not None:
        yield "4.3.7", Answer(criterion.question)
    yield "4.3.8", Answer.choice(elicitation.form)


def _instrument(asked: AskedFacet) -> Known:
    """The scale, or the task where there is none."""
    elicitation = asked.block.task_type.elicitation
    yield "4.3.5", Answer.choice(elicitation.instrument)
    if elicitation.instrument == NOT_APPLICABLE:
        yield "4.3.3", Answer(NOT_APPLICABLE)
        yield "4.3.4", Answer(NOT_APPLICABLE)
        yield "4.3.6", Answer(elicitation.task)
        return
    yield "4.3.6", Answer(NOT_APPLICABLE)
    values = _values(asked)
    if values:
        yield "4.3.3", Answer(str(len(values)))
        yield "4.3.4", Answer("; ".join(values))
    elif asked.facet.ends is not None:
        low, high = asked.facet.ends
        yield "4.3.3", Answer("continuous")
        yield "4.3.4", Answer(f"{low:g} to {high:g}")


def _values(asked: AskedFacet) -> list[str]:
    """The points or labels to choose from; empty where there are too many to list."""
    points = getattr(asked.criterion, "points", ())
    if points:
        return [f"{point.text} ({point.label})" if point.label else point.text for point in points]
    return list(asked.facet.labels)


def _figures(report: Report, facet: Facet) -> Known:
    """How answers become scores, and how far people agree."""
    rows = FacetRows(facet, report.rows, report.versions)
    if not rows.people:
        return
    rule = report.options.consensus_for(facet.kind)
    yield "4.3.9", Answer(f"Several people’s answers to a unit are combined by {rule}.")
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
            Answer(
                f"{metric(name).title}: {number(alpha.value)}{interval}, n = {alpha.n_units} "
                "units. Agreement of a person with themselves was not measured."
            ),
        )
