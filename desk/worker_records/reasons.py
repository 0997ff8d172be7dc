"""Signs in words, as a reviewer reads them: what was looked at, beside the others, and how often
careful people show the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from desk.worker_records.signs import FALSE_ALARMS, FASTEST, Sign


@dataclass(frozen=True)
class Reason:
    """A sign in words. kind: the title of the questions, empty for all. usual: of the others, in
    the same unit. as_far: of 100 others. careful: of 100 careful people, how many show it."""

    title: str | Promise
    kind: str
    said: str
    usual: str
    as_far: float | None
    careful: float
    means: str | Promise


# Sign -> what it is called, what is seen (of `value`; `n` answers), what else it may be.
WORDS: Mapping[str, tuple[str | Promise, str | Promise, str | Promise]] = {
    "fast": (
        _("Faster than the crowd"),
        _("%(value).1f times as fast as usual, in %(n)d answers with a time"),
        _("Some people are quick, or know the subject. Look at the controls and read the answers."),
    ),
    "unread": (
        _("Faster than reading"),
        _("%(percent).0f %% of %(n)d answers to new texts, at over %(fastest)d words a minute"),
        _("Only words in the texts to be judged that this person had not seen before are counted."),
    ),
    "straight": (
        _("A straight line"),
        _("%(value).0f times the same answer in a row, of %(n)d"),
        _("Given how others answered the same questions, such a run is rarely due to chance."),
    ),
    "repeated": (
        _("Repeated texts"),
        _("%(percent).0f %% of %(n)d longer texts equal or nearly equal another one"),
        _("Their own earlier texts or another person’s; this does not tell who wrote first."),
    ),
    "pasted": (
        _("Pasted in"),
        _("something was pasted in %(percent).0f %% of %(n)d recorded answers"),
        _("Some people write elsewhere, quote the text, or use writing aids."),
    ),
    "left": (
        _("Left the page"),
        _("the page was left in %(percent).0f %% of %(n)d recorded answers"),
        _("People look up words, open links that a question names, or are interrupted."),
    ),
    "untyped": (
        _("Texts without typing"),
        _("%(percent).0f %% of %(n)d longer texts took far fewer keys than letters"),
        _("Dictation, a phone’s suggestions and some keyboards look the same."),
    ),
}
TIMES = {"fast", "straight"}  # whose value is no share


def reasons_to_look(signs: Sequence[Sign], kinds: Mapping[int, str]) -> list[Reason]:
    """In the order of the signs. kinds: block -> title."""
    return [_reason(sign, kinds) for sign in signs if sign.name in WORDS]


def _reason(sign: Sign, kinds: Mapping[int, str]) -> Reason:
    title, seen, means = WORDS[sign.name]
    told = {"value": sign.value, "percent": 100 * sign.value, "n": sign.answers, "fastest": FASTEST}
    return Reason(
        title=title,
        kind="" if sign.block is None else str(kinds.get(sign.block, "")),
        said=str(seen) % told,
        usual=_usual(sign),
        as_far=None if sign.as_far is None else 100 * sign.as_far,
        careful=FALSE_ALARMS[sign.name],
        means=means,
    )


def _usual(sign: Sign) -> str:
    if sign.usual is None:
        return ""
    if sign.name not in TIMES:
        return gettext("%(percent).0f %%") % {"percent": 100 * sign.usual}
    return f"{sign.usual:.1f}" if sign.name == "fast" else f"{sign.usual:.0f}"
