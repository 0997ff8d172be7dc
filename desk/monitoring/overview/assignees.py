"""How far the people are whom a study has invited by personal links."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Q, QuerySet

from annotation.models import Assignment, Draft, Invitation, Participation, Round, Study

State = Assignment.State


@dataclass(frozen=True)
class Assignee:
    """Somebody with a link of their own. participation: None until they came. answers_left: of
    the rounds that count, how many units they may still answer; 0 once they have ended."""

    invitation: Invitation
    participation: Participation | None
    batches_done: int
    batches_open: int
    last_seen: datetime | None
    answers_left: int

    @property
    def name(self) -> str:
        """As whoever invited them noted it, else the pseudonym."""
        own = self.participation.pseudonym if self.participation else ""
        return self.invitation.note or own or str(self.invitation)

    @property
    def needs_reminder(self) -> bool:
        """Whether there is something left for them to do."""
        return self.answers_left > 0 or self.batches_open > 0


def personal_links(study: Study) -> QuerySet[Invitation]:
    """The links that let one person in and have not ended, those of one person once."""
    links = study.invitations.filter(worker__isnull=False, ended_at=None)
    newest = links.order_by().values("worker").annotate(newest=Max("pk")).values("newest")
    return links.filter(pk__in=newest).select_related("worker").order_by("note", "pk")


def assignees(study: Study, links: Iterable[Invitation]) -> list[Assignee]:
    """How far these people are; four queries, whatever their number."""
    invited = list(links)
    workers = [link.worker_id for link in invited]
    people = {row.worker_id: row for row in _participations(study, workers)}
    keys = [row.pk for row in people.values()]
    saved = Draft.objects.filter(assignment__participation__in=keys).order_by()
    typed = dict(saved.values_list("assignment__participation").annotate(at=Max("saved_at")))
    rounds = [round_ for round_ in study.rounds.all() if round_.counts]
    done = _done_by_round(keys)
    return [
        _assignee(link, people.get(link.worker_id or 0), typed, rounds, done) for link in invited
    ]


def _participations(study: Study, workers: list[int | None]) -> QuerySet[Participation]:
    rows = study.participations.filter(worker__in=workers)
    submitted = Q(assignments__state=State.SUBMITTED)
    opened = Q(assignments__state__in=[State.ACTIVE, State.EXPIRED])
    return rows.annotate(
        n_done=Count("assignments", filter=submitted),
        n_open=Count("assignments", filter=opened),
        submitted_at=Max("assignments__submitted_at"),
        leased_at=Max("assignments__leased_at"),
    )


def _done_by_round(keys: list[int]) -> dict[tuple[int, int], int]:
    """Batches that count against the limit, by (participation, round)."""
    batches = Assignment.objects.filter(participation__in=keys).exclude(state=State.RETURNED)
    rows = batches.filter(state=State.SUBMITTED).order_by()
    counts = rows.values_list("participation", "round").annotate(n=Count("pk"))
    return {(person, round_): n for person, round_, n in counts}


def _assignee(
    link: Invitation,
    person: Participation | None,
    typed: dict[int, datetime | None],
    rounds: Iterable[Round],
    done: dict[tuple[int, int], int],
) -> Assignee:
    key = 0 if person is None else person.pk
    counts = {} if person is None else person.__dict__
    ended = person is not None and person.has_ended
    seen = (counts.get("submitted_at"), counts.get("leased_at"), typed.get(key))
    came = [person.arrived_at] if person else []
    left = sum(
        max(0, round_.batch_limit - done.get((key, round_.pk), 0)) * round_.normal_per_batch
        for round_ in rounds
    )
    return Assignee(
        invitation=link,
        participation=person,
        batches_done=counts.get("n_done", 0),
        batches_open=counts.get("n_open", 0),
        last_seen=max([*filter(None, seen), *came], default=None),
        answers_left=0 if ended else left,
    )
