"""What a study needs before it opens: each part with what is missing, and where it is cured."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.models import Study, Unit
from annotation.panels.registry import panel_title
from annotation.rounds.opening import Gap
from results.reading.wording import counted
from set_up.steps.costs import units_asked_about


@dataclass(frozen=True)
class ChecklistEntry:
    """A part of the set-up. view: the page where it is done. missing: what keeps the study from
    opening, in plain words. hint: what it holds now. optional: a study opens without it."""

    about: str
    title: str
    view: str
    hint: str
    missing: tuple[str, ...] = ()
    optional: bool = False

    @property
    def state(self) -> str:
        """`missing`, `done`, or `optional` where nothing is there and nothing needs to be."""
        if self.missing:
            return "missing"
        return "optional" if self.optional and not self.hint else "done"


# The name that the gaps before opening have, the title, and the page.
_PARTS: tuple[tuple[str, str, str], ...] = (
    ("units", "Table of outputs", "desk:set-up-table"),
    ("questions", "Questions", "desk:set-up-questions"),
    ("texts", "Texts", "desk:set-up-texts"),
    ("ethics", "Ethics", "desk:set-up-texts"),
    ("introduction", "Tips and questions", "desk:set-up-texts"),
    ("rounds", "Rounds and pay", "desk:set-up-rounds"),
    ("controls", "Controls and examples", "desk:controls"),
    ("recruitment", "Finding people", "desk:recruitment"),
    ("judges", "Judges", "judges:runs"),
    ("method", "Analysis plan", "desk:set-up-method"),
)
_OPTIONAL = ("controls", "judges", "introduction", "method")


def checklist(study: Study, gaps: Sequence[Gap]) -> list[ChecklistEntry]:
    """Every part of the set-up, in the order in which it is best done, with what it lacks."""
    hints = _hints(study)
    return [
        ChecklistEntry(
            about,
            title,
            view,
            hints.get(about, ""),
            tuple(gap.text for gap in gaps if gap.about == about),
            optional=about in _OPTIONAL,
        )
        for about, title, view in _PARTS
    ]


def _hints(study: Study) -> dict[str, str]:
    units = units_asked_about(study).units
    rounds = [round_.name for round_ in study.rounds.all()]
    kinds = [block.task_type.title for block in study.blocks.all()]
    return {
        "units": counted(units, "unit"),
        "questions": ", then ".join(kinds),
        "texts": _texts(study),
        "rounds": f"{', '.join(rounds)}; {counted(study.overlap, 'answer')} per unit",
        "controls": _roles(study),
        "recruitment": panel_title(study.recruitment.get("panel") or "invitation"),
        "ethics": str(study.ethics.get("board", "")),
        "judges": ", ".join(_judge_names(study.judges)),
        "introduction": _introduction(study),
        "method": study.setting and f"Units of the subset {study.setting}",
    }


def _texts(study: Study) -> str:
    texts = {
        "instructions": study.instructions,
        "consent": study.consent_text,
        "debrief": study.debrief,
    }
    return ", ".join(name for name, text in texts.items() if text).capitalize()


def _introduction(study: Study) -> str:
    counts = {"tip": len(study.tips), "question": len(study.comprehension)}
    return ", ".join(counted(number, word) for word, number in counts.items() if number)


def _judge_names(entries: Sequence[object]) -> list[str]:
    return [str(entry["name"]) if isinstance(entry, dict) else str(entry) for entry in entries]


def _roles(study: Study) -> str:
    names = {
        Unit.Role.POSITIVE: "positive control",
        Unit.Role.NEGATIVE: "negative control",
        Unit.Role.EXAMPLE: "worked example",
        Unit.Role.TRAINING: "training unit",
    }
    units = study.units.exclude(role=Unit.Role.NORMAL).exclude(check_state__in=Unit.UNUSED)
    roles = list(units.values_list("role", flat=True))
    return ", ".join(
        counted(roles.count(role), name) for role, name in names.items() if role in roles
    )
