"""An answer beside the right one, part by part: what training shows.

A part is named as its rating: the facet, and after a dot the element it is about, or the member
of a set: `clarity`, `clarity.2`, `recovery.1`.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Literal, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tasktypes.pages.choices import Text

# right: as it should be. missed: to be chosen, and not chosen. extra: chosen, and not to be.
# wrong: answered otherwise. open: neither right nor wrong.
Correctness = Literal["right", "missed", "extra", "wrong", "open"]

WORDS: Mapping[Correctness, Text] = {
    "right": gettext_lazy("Right"),
    "missed": gettext_lazy("Missed"),
    "extra": gettext_lazy("Wrong"),
    "wrong": gettext_lazy("Wrong"),
    "open": "",
}


class Compared(NamedTuple):
    """One part of an answer beside the right one.

    right: the right answer in words, where the page does not show it by itself. note: what else
    there is to say, such as how far off the answer is.
    """

    part: str
    verdict: Correctness
    right: Text = ""
    note: Text = ""


class PartMark(NamedTuple):
    """What stands beside a part: how it compares, and why it is so."""

    verdict: Correctness
    right: Text = ""
    note: Text = ""
    reason: str = ""

    @property
    def word(self) -> Text:
        return WORDS[self.verdict]


def part_name(facet: str, element: str | int = "") -> str:
    """What a part is called."""
    return f"{facet}.{element}" if element != "" else facet


def compared_sets(
    facet: str, offered: Iterable[int], own: Set[int], right: Set[int]
) -> Sequence[Compared]:
    """Every member that could be chosen."""
    verdicts: dict[tuple[bool, bool], Correctness] = {
        (True, True): "right",
        (False, True): "missed",
        (True, False): "extra",
        (False, False): "open",
    }
    return [
        Compared(part_name(facet, member), verdicts[member in own, member in right])
        for member in offered
    ]


def marks_of(parts: Sequence[Compared], reasons: Mapping[str, str]) -> dict[str, PartMark]:
    """What stands beside each part that there is something to say of."""
    return {
        part.part: PartMark(part.verdict, part.right, part.note, reasons.get(part.part, ""))
        for part in parts
        if part.verdict != "open" or part.right or part.note or part.part in reasons
    }


def in_a_line(parts: Sequence[Compared], *, is_right: bool) -> str:
    """How the whole answer compares: right, partly right with what was found of how many, or not
    right with how many there were to find."""
    if is_right:
        return _("Your answer is right.")
    counts = {verdict: sum(part.verdict == verdict for part in parts) for verdict in WORDS}
    right, missed, extra = counts["right"], counts["missed"], counts["extra"]
    if not right and missed:
        there_were = ngettext(
            "There was %(n)d right choice.", "There were %(n)d right choices.", missed
        )
        return f"{_('Your answer is not right.')} {there_were % {'n': missed}}"
    if not right:
        return _("Your answer is not right.")
    if not missed and not extra:
        total = right + counts["wrong"]
        return _("Partly right: %(right)d of %(total)d answers are right.") % {
            "right": right,
            "total": total,
        }
    line = _("Partly right: you found %(right)d of %(total)d.") % {
        "right": right,
        "total": right + missed,
    }
    if not extra:
        return line
    more = ngettext(
        "%(n)d of your choices is wrong.", "%(n)d of your choices are wrong.", extra
    ) % {"n": extra}
    return f"{line} {more}"


def listed(parts: Iterable[str | Promise]) -> str:
    """Several short answers in one line."""
    return _("; ").join(str(part) for part in parts)
