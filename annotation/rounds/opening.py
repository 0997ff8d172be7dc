"""Opening a study to workers, pausing and closing it."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from math import ceil
from typing import Literal, NamedTuple

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Place, Round, Study, Unit, UnitItem, User, log_change
from annotation.panels.registry import missing_for_panel
from annotation.rounds.fixed_batches import fix_batches
from annotation.rounds.planned import OPENED, plan_of
from annotation.rounds.team.progress import least_gap
from tasktypes.machines.needs import Need, named
from tasktypes.texts.material import NO_TEXT

ETHICS_ENTRIES = (
    "board",
    "reference",
    "contact",
    "controller",
    "lawful_basis",
    "retention_days",
    "minimum_age",
)
# Units that are named where several lack something.
EXAMPLES = 3
_WITHOUT_TEXT = {"item__sentences__0__text": NO_TEXT}
# What examples say where researchers enter their own: "Replace with …", "REPLACE-…".
PLACEHOLDER = re.compile(r"\s*replace\b", re.IGNORECASE)


# What of a study a gap is about, by which pages lead to where it is cured.
About = Literal["texts", "ethics", "rounds", "controls", "recruitment", "units"]


class Gap(NamedTuple):
    """Something that a study lacks before it can open, in plain words."""

    about: About
    text: str


class NotReady(Exception):
    """The study lacks something that workers need; `missing` says what, in plain words."""

    def __init__(self, missing: list[str]) -> None:
        self.missing = missing
        super().__init__("; ".join(missing))


def missing_to_open(study: Study) -> list[str]:
    """What keeps the study from opening, in plain words; empty when nothing does."""
    return [gap.text for gap in gaps_before_opening(study)]


def gaps_before_opening(study: Study) -> list[Gap]:
    """The same, each with what of the study it is about."""
    return [
        *_missing_texts(study),
        *_missing_rules(study),
        *_missing_in_rounds(study),
        *(Gap("units", text) for text in _missing_in_questions(study)),
    ]


def _missing_texts(study: Study) -> Iterator[Gap]:
    if not study.instructions.strip():
        yield Gap("texts", _("instructions for the workers"))
    if not study.consent_text.strip() or not study.consent_version:
        yield Gap("texts", _("a consent text with its version"))
    absent = [entry for entry in ETHICS_ENTRIES if not _is_filled(study.ethics.get(entry))]
    if absent:
        yield Gap("ethics", _("ethics entries: %(names)s") % {"names": ", ".join(absent)})


def _missing_rules(study: Study) -> Iterator[Gap]:
    if not study.rounds.exists():
        yield Gap("rounds", _("a round"))
    yield from (Gap("rounds", text) for text in _missing_in_team(study))
    keys = [*missing_for_panel(study), *_placeholders(study.recruitment)]
    if keys:
        yield Gap("recruitment", _("recruitment entries: %(names)s") % {"names": ", ".join(keys)})
    if _lets_go_unpaid(study):
        yield Gap(
            "rounds",
            _("screenout_pay, for those who are screened out before they have earned anything"),
        )


def _missing_in_team(study: Study) -> Iterator[str]:
    """A team without members, one that is too small, and a gap that no order can keep."""
    if not study.has_team:
        return
    if study.overlap > study.team_members:
        yield _(
            "team_members: as many as there are answers per unit (%(overlap)s), or more; the team "
            "has %(members)s"
        ) % {"overlap": study.overlap, "members": study.team_members}
    gap = least_gap(study) if study.team_gap else None
    if gap is not None and gap < study.team_gap:
        yield _(
            "team_gap: at most %(found)s, since no more units can lie between two outputs of one "
            "source (%(wanted)s wanted)"
        ) % {"found": gap, "wanted": study.team_gap}


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
    """Whether an entry is filled in. A minimum age of 0 is."""
    return entry not in (None, "") and not _is_placeholder(entry)


def _is_placeholder(entry: object) -> bool:
    return isinstance(entry, str) and PLACEHOLDER.match(entry) is not None


def _placeholders(entries: Mapping[str, object]) -> list[str]:
    # Databases return the keys of a JSON object in different orders.
    return sorted(key for key, entry in entries.items() if _is_placeholder(entry))


def _missing_in_rounds(study: Study) -> Iterator[Gap]:
    for round_ in study.rounds.select_related("study"):
        yield from (Gap("rounds", text) for text in _untimed(round_))
        yield from _missing_in(round_)
        yield from (Gap("rounds", text) for text in _rules_in_vain(round_))


def _missing_in_questions(study: Study) -> Iterator[str]:
    """Units that are to be given out and do not show what people are asked about: imported answers
    need no texts, but nobody can add to them."""
    given_out = study.units.filter(Exists(Place.objects.filter(unit=OuterRef("pk"))))
    without: dict[Need, Q] = {
        "text": Q(Exists(UnitItem.objects.filter(unit=OuterRef("pk"), **_WITHOUT_TEXT))),
        "evidence": Q(source__passages=[], source__document__in=["", NO_TEXT]),
    }
    asked = [block.task_type.needs(block.typed_options) for block in study.blocks.all()]
    for need in sorted(frozenset[Need]().union(*asked)):
        units = given_out.filter(without[need]).order_by("pk")
        if keys := list(units.values_list("key", flat=True)[:EXAMPLES]):
            count = units.count()
            yield ngettext(
                "%(what)s, which the imported file lacks for %(count)s unit (%(units)s)",
                "%(what)s, which the imported file lacks for %(count)s units (%(units)s)",
                count,
            ) % {
                "what": named([need]),
                "count": count,
                "units": ", ".join([*keys[:EXAMPLES], *(["…"] if count > EXAMPLES else [])]),
            }


def _untimed(round_: Round) -> Iterator[str]:
    """Without it the first workers could not be told how long a batch takes."""
    if round_.expected_minutes is None:
        yield _("round %(round)s: expected_minutes, so that workers know how long it takes") % {
            "round": round_.name
        }


def _missing_in(round_: Round) -> Iterator[Gap]:
    """Too few units for all the batches that one worker may do in the round."""
    roles = Unit.Role
    main_role = roles.TRAINING if round_.shows_answers else roles.NORMAL
    if main_role == roles.TRAINING and not _sources(round_, main_role, 1):
        main_role = roles.NORMAL
    batches = _most_batches(round_, main_role)
    needs = {
        # The last batch may have fewer of these.
        main_role: (batches - 1) * round_.normal_per_batch + 1 if round_.normal_per_batch else 0,
        roles.POSITIVE: batches * round_.positive_per_batch,
        roles.NEGATIVE: batches * round_.negative_per_batch,
    }
    for role, needed in needs.items():
        available = _sources(round_, role, needed)
        if available < needed:
            text = _(
                "round %(round)s: %(needed)s %(role)s units of different sources, so that "
                "no worker gets one twice in %(batches)s batches (%(found)s found)"
            ) % {
                "round": round_.name,
                "needed": needed,
                "role": role.value,
                "batches": batches,
                "found": available,
            }
            yield Gap("units" if role == roles.NORMAL else "controls", text)


def _most_batches(round_: Round, role: Unit.Role) -> int:
    """How many batches one worker can do: up to the limit, or until they have met every source.

    In a round that must be passed it is the limit: otherwise nobody could finish it.
    """
    limit, size = round_.batch_limit, round_.normal_per_batch
    if round_.gates or not size:
        return limit
    return max(1, min(limit, ceil(_sources(round_, role, limit * size) / size)))


def _sources(round_: Round, role: str, enough: int) -> int:
    """How many sources the round has for that role, counted up to `enough`."""
    places = Place.objects.filter(round=round_, role=role, retired=False).exclude(wanted=0)
    return places.order_by().values("source").distinct()[:enough].count()


def _rules_in_vain(round_: Round) -> Iterator[str]:
    """Pass marks that nobody can reach, and keep rules that are never applied."""
    if round_.gates and not round_.most_graded:
        yield _(
            "round %(round)s: control units in its batch: without them its pass mark "
            "cannot be reached"
        ) % {"round": round_.name}
    if round_.keep_is_idle:
        yield _(
            "round %(round)s: a smaller min_controls or more batches, since a worker meets at "
            "most %(graded)s controls, and keep looks at %(needed)s"
        ) % {"round": round_.name, "graded": round_.most_graded, "needed": round_.min_controls}


@transaction.atomic
def open_study(*, study: Study, by: User | None = None) -> None:
    """Let workers in. NotReady where something that they need is missing."""
    missing = missing_to_open(study)
    if missing:
        raise NotReady(missing)
    fix_batches(study=study)
    opened = {"state": Study.State.OPEN, "paused_at": None, "archived_at": None}
    Study.objects.filter(pk=study.pk).update(**opened)
    log_change(study=study, by=by, action=OPENED, detail={"planned": plan_of(study)})


@transaction.atomic
def close_study(
    *, study: Study, stop: Mapping[str, object] | None = None, by: User | None = None
) -> bool:
    """Give out no more batches. Open ones may still be submitted, and are paid.

    stop: the record of a rule that closes the study (see `Study.stops`). A rule closes an open
    study only; whether it did.
    """
    closed = {"state": Study.State.CLOSED, "paused_at": None}
    locked = Study.objects.select_for_update().filter(pk=study.pk)
    stops, state = locked.values_list("stops", "state").first() or ([], None)
    if stop is None:
        log_change(study=study, by=by, action="study.closed")
        return bool(locked.update(**closed))
    if state != Study.State.OPEN:
        return False
    log_change(study=study, by=by, action="study.closed", detail={"rule": stop.get("rule")})
    return bool(locked.update(**closed, stops=[*stops, stop]))


@transaction.atomic
def pause_study(*, study: Study, by: User | None, now: datetime) -> bool:
    """Let nobody start until it is resumed; whether it was open and not paused already.

    Those who have a batch finish it, and are paid. Once this has returned no batch is given out:
    the lock waits for those that are being composed, which lock the study, too.
    """
    running = Study.objects.select_for_update().filter(
        pk=study.pk, state=Study.State.OPEN, paused_at=None
    )
    paused = bool(running.values_list("pk").first() and running.update(paused_at=now))
    if paused:
        log_change(study=study, by=by, action="study.paused")
    return paused


@transaction.atomic
def resume_study(*, study: Study, by: User | None) -> bool:
    """Let people start again after a pause; whether there was one."""
    paused = Study.objects.filter(pk=study.pk, paused_at__isnull=False)
    resumed = bool(paused.update(paused_at=None))
    if resumed:
        log_change(study=study, by=by, action="study.resumed")
    return resumed
