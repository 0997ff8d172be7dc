"""The studies of a researcher as cards: how each stands, in a fixed number of queries."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.db.models import (
    Case,
    CharField,
    Count,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from alerts.models import Alert
from annotation.access import Role
from annotation.models import Annotation, Assignment, Member, Place, Rater, Round, Study, Unit, User
from annotation.rounds.planned import standings_of
from desk.monitoring.overview.money import Sums, money_of
from desk.monitoring.overview.progress import COMPLETE, WANTED, Answered
from estimates.data.options import Options
from estimates.models import CachedEstimates
from results.reading.headline import Headline, read_headline


class StateFilter(StrEnum):
    """The state of a study as lists name it. `active`: all that are not archived."""

    ACTIVE = "active"
    OPEN = "open"
    PAUSED = "paused"
    DRAFT = "draft"
    CLOSED = "closed"
    IMPORTED = "imported"
    ARCHIVED = "archived"


TITLES = {
    StateFilter.ACTIVE: _("All"),
    StateFilter.OPEN: _("Open"),
    StateFilter.PAUSED: _("Paused"),
    StateFilter.DRAFT: _("Drafts"),
    StateFilter.CLOSED: _("Closed"),
    StateFilter.IMPORTED: _("Imported"),
    StateFilter.ARCHIVED: _("Archived"),
}
# By name: its title, and what it sorts by.
ORDERS = {
    "recent": (_("Latest answer"), ["-last_or_made", "study__title"]),
    "title": (_("Title"), ["study__title", "study__slug"]),
    "new": (_("Newest"), ["-study__created_at"]),
}


@dataclass(frozen=True)
class StudyCard:
    """A study on a list. outdated: answers have come in since the headline was counted. money:
    empty for those who may not see it."""

    study: Study
    role: Member.Role
    state: StateFilter
    last_answer: datetime | None
    progress: Answered
    at_work: int
    headline: Headline | None
    outdated: bool
    money: list[Sums]
    alerts: list[str]
    is_counted: bool = False

    @property
    def why_no_agreement(self) -> tuple[str, str]:
        """Why the card names no agreement, in a word or two and in a sentence; empty where it
        does."""
        if self.headline is not None and self.headline.value:
            return "", ""
        if self.last_answer is None:
            return gettext("no answers yet"), gettext("It is counted once people have answered.")
        if not self.is_counted:
            return gettext("counted soon"), gettext("The answers are counted in the background.")
        return gettext("undefined"), gettext(
            "Too few questions have answers of several people that differ."
        )


def memberships(user: User, search: str = "") -> QuerySet[Any]:
    """A researcher's memberships, each with `shown_state`, the study's state as lists name it, and
    with `last_answer`, when that came in."""
    rows = Member.objects.filter(user=user, study__importing=None)
    for word in search.split():
        rows = rows.filter(Q(study__title__icontains=word) | Q(study__slug__icontains=word))
    answers = Annotation.objects.filter(study=OuterRef("study")).order_by("-created_at")
    last = Subquery(answers.values("created_at")[:1])
    return rows.annotate(
        shown_state=_shown_state(),
        last_answer=last,
        last_or_made=Coalesce(last, F("study__created_at")),
    )


def _shown_state() -> Case:
    """As `Study.is_finished_data` says what is imported."""
    rounds = Exists(Round.objects.filter(study=OuterRef("study")))
    raters = Exists(Rater.objects.filter(study=OuterRef("study"), origin="imported"))
    finished = Q(study__imported__has_key="format") & ~rounds
    return Case(
        When(study__archived_at__isnull=False, then=Value(StateFilter.ARCHIVED)),
        When(study__paused_at__isnull=False, then=Value(StateFilter.PAUSED)),
        When(study__state=Study.State.OPEN, then=Value(StateFilter.OPEN)),
        When(
            finished & (Q(study__imported__has_key="published") | raters),
            then=Value(StateFilter.IMPORTED),
        ),
        default=F("study__state"),
        output_field=CharField(),
    )


def count_by_state(members: QuerySet[Any]) -> list[tuple[StateFilter, str, int]]:
    """How many studies each filter shows; those that show none are left out. One query."""
    rows = members.order_by().values_list("shown_state").annotate(n=Count("pk"))
    counts = {StateFilter(state): n for state, n in rows}
    active = sum(n for state, n in counts.items() if state != StateFilter.ARCHIVED)
    counts[StateFilter.ACTIVE] = active
    return [
        (state, str(TITLES[state]), counts[state]) for state in StateFilter if counts.get(state)
    ]


def of_state(members: QuerySet[Any], state: StateFilter) -> QuerySet[Any]:
    """Those that a filter shows."""
    if state == StateFilter.ACTIVE:
        return members.exclude(shown_state=StateFilter.ARCHIVED)
    return members.filter(shown_state=state)


def cards_of(page: Iterable[Member], now: datetime) -> list[StudyCard]:
    """The cards of these memberships, in their order; nine queries, whatever their number."""
    members = list(page)
    studies = [member.study for member in members]
    paid = [member.study_id for member in members if Role(member.role).may(Role.REVIEWER)]
    facts = _Facts(studies, paid, now)
    return [facts.card(member) for member in members]


class _Facts:
    """What the cards of these studies say, by study."""

    def __init__(self, studies: list[Study], paid: list[int], now: datetime) -> None:
        keys = [study.pk for study in studies]
        self.progress = _progress(keys)
        self.standings = standings_of(studies)
        self.at_work = _at_work(keys, now)
        self.kept = {row[0]: row[1:] for row in _kept(keys)}
        self.money = money_of(paid)
        self.alerts = _alerts(keys)

    def card(self, member: Member) -> StudyCard:
        """One card."""
        study, key = member.study, member.study_id
        state = StateFilter(member.__dict__["shown_state"])
        # Templates ask for it, which would be several queries a study.
        study.__dict__["is_finished_data"] = state == StateFilter.IMPORTED
        revision, kept = self.kept.get(key, (None, None))
        return StudyCard(
            study=study,
            role=Role(member.role),
            state=state,
            last_answer=member.__dict__["last_answer"],
            progress=self.progress.get(key, Answered()),
            at_work=self.at_work.get(key, 0),
            headline=read_headline(kept, self.standings[key]) if kept else None,
            outdated=revision is not None and revision < study.revision,
            money=self.money.get(key, []),
            alerts=self.alerts.get(key, []),
            is_counted=revision is not None,
        )


def _progress(keys: list[int]) -> Mapping[int, Answered]:
    places = Place.objects.filter(
        round__study__in=keys, round__counts=True, role=Unit.Role.NORMAL
    ).order_by()
    rows = places.values_list("round__study").annotate(
        units=Count("pk"),
        complete=Count("pk", filter=COMPLETE),
        all_wanted=Sum(WANTED),
        all_counted=Sum("counted"),
        all_held=Sum("held"),
    )
    return {key: Answered(*(n or 0 for n in counts)) for key, *counts in rows}


def _at_work(keys: list[int], now: datetime) -> Mapping[int, int]:
    active = Assignment.objects.filter(
        participation__study__in=keys, state=Assignment.State.ACTIVE, lease_until__gt=now
    ).order_by()
    return dict(active.values_list("participation__study").annotate(n=Count("pk")))


def _kept(keys: list[int]) -> Iterable[tuple[int, int, dict[str, object] | None]]:
    rows = CachedEstimates.objects.filter(study__in=keys, options_hash=Options().hash)
    return rows.values_list("study", "revision", "headline")


def _alerts(keys: list[int]) -> Mapping[int, list[str]]:
    by_study: dict[int, list[str]] = {}
    rows = Alert.objects.open().filter(study__in=keys)
    for key, message in rows.values_list("study", "message"):
        by_study.setdefault(key, []).append(message)
    return by_study
