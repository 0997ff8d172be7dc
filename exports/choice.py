"""What of a study is exported, and how labels are made."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

from annotation.models import Round, Study
from estimates.data.options import consensus_names

# Excluded answers: as usual (flagged among ratings, out of labels), in labels too, or left out.
USUAL, WITH, WITHOUT = "", "with", "without"
EXCLUDED = (USUAL, WITH, WITHOUT)


@dataclass(frozen=True)
class ExportChoice:
    """consensus: how several people become one label, where the kind of value allows it; empty:
    the usual rule of each kind. facet, subset, round: names; empty: all. excluded: one of
    `EXCLUDED`. personal: `with` what people wrote beside answers, and told in the questionnaire.

    The others hold for labels and ratings. Estimates, calibrated scores, material and bundles are
    always of the whole study. Labels of a named round are those of its answers, whether it counts
    or not.
    """

    consensus: str = ""
    facet: str = ""
    subset: str = ""
    round: str = ""
    excluded: str = USUAL
    personal: str = USUAL

    def round_of(self, study: Study) -> Round | None:
        """The round it names."""
        return study.rounds.get(name=self.round) if self.round else None


WHOLE = ExportChoice()


def choice_in(options: Mapping[str, str]) -> ExportChoice:
    """The choice that options by name make; those that are not named are as usual."""
    return ExportChoice(
        **{field.name: options.get(field.name, "") for field in fields(ExportChoice)}
    )


def unknown_in(choice: ExportChoice, study: Study) -> str:
    """What of a choice the study does not have, in words; empty where all is there."""
    offered = {
        "consensus": consensus_names(),
        "facet": facets_of(study),
        "subset": tuple(study.subsets.values_list("name", flat=True)),
        "round": tuple(study.rounds.values_list("name", flat=True)),
        "excluded": EXCLUDED,
        "personal": (USUAL, WITH),
    }
    for field, names in offered.items():
        value = getattr(choice, field)
        if value and value not in names:
            return (
                f"{field}: {value!r} is none of {', '.join(sorted(filter(None, names))) or 'none'}"
            )
    return ""


def facets_of(study: Study) -> tuple[str, ...]:
    """The names of a study's facets, in the order of blocks."""
    return tuple(facet.name for block in study.blocks.all() for facet in block.facets)
