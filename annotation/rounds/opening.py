"""Open a study to workers, or close it again."""

import re
from collections.abc import Iterator, Mapping
from math import ceil

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Place, Round, Study, Unit
from annotation.panels.registry import missing_for_panel
from annotation.rounds.fixed_batches import fix_batches

ETHICS_ENTRIES = (
    "board",
    "reference",
    "contact",
    "controller",
    "lawful_basis",
    "retention_days",
    "minimum_age",
)
# What an example says where an entry of one's own belongs: "Replace with …", "REPLACE-…".
PLACEHOLDER = re.compile(r"\s*replace\b", re.IGNORECASE)


class NotReady(Exception):
    """The study lacks what workers must be given; `missing` says what, in plain words."""

    def __init__(self, missing: list[str]) -> None:
        self.missing = missing
        super().__init__("; ".join(missing))


def missing_to_open(study: Study) -> list[str]:
    """What keeps the study from opening, in plain words; empty when nothing does."""
    missing = []
    if not study.instructions.strip():
        missing.append(_("instructions for the workers"))
    if not study.consent_text.strip() or not study.consent_version:
        missing.append(_("a consent text with its version"))
    absent = [entry for entry in ETHICS_ENTRIES if not _is_filled(study.ethics.get(entry))]
    if absent:
        missing.append(_("ethics entries: %(names)s") % {"names": ", ".join(absent)})
    if not study.rounds.exists():
        missing.append(_("a round"))
    keys = [*missing_for_panel(study), *_placeholders(study.recruitment)]
    if keys:
        missing.append(_("recruitment entries: %(names)s") % {"names": ", ".join(keys)})
    if _lets_go_unpaid(study):
        missing.append(_("screenout_pay, for who is screened out and has earned nothing yet"))
    return missing + _missing_in_rounds(study)


def _lets_go_unpaid(study: Study) -> bool:
    """Whether a screen-out could pay nothing, in a study that pays."""
    rounds = list(study.rounds.select_related("study"))
    pays = any(round_.base_pay or round_.bonus_pay for round_ in rounds)
    before_pay = any(
        round_.gates and round_.failing == Round.Failing.SCREEN_OUT and not round_.base_pay
        for round_ in rounds
    )
    return pays and not study.screenout_pay and (bool(study.comprehension) or before_pay)


def _is_filled(entry: object) -> bool:
    """Whether an entry says something of the study's own. A minimum age of 0 does."""
    return entry not in (None, "") and not _is_placeholder(entry)


def _is_placeholder(entry: object) -> bool:
    return isinstance(entry, str) and PLACEHOLDER.match(entry) is not None


def _placeholders(entries: Mapping[str, object]) -> list[str]:
    # Each database gives the keys of an object in an order of its own.
    return sorted(key for key, entry in entries.items() if _is_placeholder(entry))


def _missing_in_rounds(study: Study) -> list[str]:
    return [
        text
        for round_ in study.rounds.select_related("study")
        for text in (*_untimed(round_), *_missing_in(round_), *_rules_in_vain(round_))
    ]


def _untimed(round_: Round) -> Iterator[str]:
    """The first workers are told how long a batch takes, before anybody has done one."""
    if round_.expected_minutes is None:
        yield _("round %(round)s: expected_minutes, as workers are told how long it takes") % {
            "round": round_.name
        }


def _missing_in(round_: Round) -> Iterator[str]:
    """Units that are lacking for all the batches that one worker may do in the round."""
    roles = Unit.Role
    shown = roles.TRAINING if round_.shows_answers else roles.NORMAL
    if shown == roles.TRAINING and not _sources(round_, shown, 1):
        shown = roles.NORMAL
    batches = _most_batches(round_, shown)
    needs = {
        # The last batch may be short of these.
        shown: (batches - 1) * round_.normal_per_batch + 1 if round_.normal_per_batch else 0,
        roles.POSITIVE: batches * round_.positive_per_batch,
        roles.NEGATIVE: batches * round_.negative_per_batch,
    }
    for role, needed in needs.items():
        found = _sources(round_, role, needed)
        if found < needed:
            yield _(
                "round %(round)s: %(needed)s %(role)s units of different sources, so that nobody "
                "meets one twice in %(batches)s batches (%(found)s found)"
            ) % {
                "round": round_.name,
                "needed": needed,
                "role": role.value,
                "batches": batches,
                "found": found,
            }


def _most_batches(round_: Round, role: Unit.Role) -> int:
    """How many batches one worker can do: to the limit, or until they have met every source.

    Where the round must be passed it is the limit, or nobody could come to the end of it.
    """
    limit, size = round_.batch_limit, round_.normal_per_batch
    if round_.gates or not size:
        return limit
    return max(1, min(limit, ceil(_sources(round_, role, limit * size) / size)))


def _sources(round_: Round, role: str, enough: int) -> int:
    """How many sources the round has for that role; counted no further than `enough`."""
    places = Place.objects.filter(round=round_, role=role).exclude(wanted=0)
    return places.order_by().values("source").distinct()[:enough].count()


def _rules_in_vain(round_: Round) -> Iterator[str]:
    """Marks that nobody can reach, or that are never looked at."""
    if round_.gates and not round_.most_graded:
        yield _(
            "round %(round)s: control units in its batch, since nobody can reach its pass mark"
        ) % {"round": round_.name}
    if round_.keep_is_idle:
        yield _(
            "round %(round)s: a smaller min_controls or more batches, since a worker meets at "
            "most %(graded)s controls, and keep looks at %(needed)s"
        ) % {"round": round_.name, "graded": round_.most_graded, "needed": round_.min_controls}


@transaction.atomic
def open_study(*, study: Study) -> None:
    """Let workers in. NotReady where something that they must be given is missing."""
    missing = missing_to_open(study)
    if missing:
        raise NotReady(missing)
    fix_batches(study=study)
    Study.objects.filter(pk=study.pk).update(state=Study.State.OPEN)


def close_study(*, study: Study) -> None:
    """Give out no more batches. What is being worked on may still be submitted."""
    Study.objects.filter(pk=study.pk).update(state=Study.State.CLOSED)
