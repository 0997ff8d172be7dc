"""Where a table or figure that leaves the page comes from."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Study
from estimates.report.cache import Report
from results.reading.titles import group_text, options_text
from results.tables.choice import PageFilter
from results.tables.commands import command_line

# What needs no word in a caption.
ALL_COUNT = gettext_lazy("all that count")


@dataclass(frozen=True)
class Origin:
    """The study, which part of it and which answers, and as of when. tag: of its part and
    revision, for the name of a file. key: the table's, unique within the study. command: the
    command line that gives it again; both empty where there is none. halves: of a split study,
    which half figures of judges are of."""

    study: str
    part: str
    answers: str
    revision: str
    at: datetime
    tag: str
    key: str = ""
    command: str = ""
    halves: str = ""

    @property
    def cells(self) -> dict[str, str]:
        """As columns of a table."""
        return {
            "study": self.study,
            "part": self.part,
            "answers counted": self.answers,
            "revision": self.revision,
            "as of": self.at.isoformat(timespec="seconds"),
        }

    @property
    def label(self) -> str:
        """What a paper refers to the table by."""
        return slugify(f"{self.study}-{self.key}" if self.key else f"{self.study}-{self.tag}")

    @property
    def lines(self) -> list[str]:
        """As comments of a file: where it comes from, and how to make it again."""
        return list(filter(None, [self.text, self.halves, self.command]))

    @property
    def text(self) -> str:
        """In a line."""
        about = {"revision": self.revision, "at": self.at.strftime("%Y-%m-%d %H:%M UTC")}
        when = _("answers as of %(at)s, revision %(revision)s") % about
        answers = "" if self.answers == str(ALL_COUNT) else self.answers
        return "; ".join(filter(None, [self.study, self.part, answers, when]))


def origin_of(
    report: Report, choice: PageFilter, *, whole: bool = False, key: str = "", form: str = ""
) -> Origin:
    """The origin of a table of the chosen part; whole: of the study, although a part is chosen.
    key: the table's. form: the option of the command that prints it so."""
    chosen = choice.asked
    if whole:
        chosen = {name: value for name, value in chosen.items() if name not in choice.group}
    words = [word for name, value in chosen.items() for word in (name, value)]
    return Origin(
        study=report.study.slug,
        part=_("whole study") if whole or not choice.group else group_text(choice.group),
        answers=_answers(report.study, options_text(choice.options)),
        revision=str(report.revision),
        at=report.computed_at,
        tag=slugify("-".join([*words, f"r{report.revision}"])),
        halves=report.study.halves,
        key=key,
        command=command_line(
            report.study.slug, report.options, form, "--panel", key, part=choice.group
        )
        if key and form
        else "",
    )


def _answers(study: Study, options: str = "") -> str:
    """Which answers are counted; those of a demonstration are told apart from real ones."""
    made_up = _("made up for the demonstration") if study.demonstration else ""
    return ", ".join(filter(None, [made_up, options])) or str(ALL_COUNT)


def _is_made_up(answers: str) -> bool:
    return answers != str(ALL_COUNT)


def origin_of_two(here: Report, there: Report) -> Origin:
    """The origin of a table of two studies side by side."""
    revisions = [str(report.revision) for report in (here, there)]
    return Origin(
        study=_("%(here)s beside %(there)s") % {"here": here.study.slug, "there": there.study.slug},
        part=_("whole study"),
        answers=max((_answers(study) for study in (here.study, there.study)), key=_is_made_up),
        revision=", ".join(revisions),
        at=max(here.computed_at, there.computed_at),
        tag="-".join(f"r{revision}" for revision in revisions),
    )
