"""The change log of a study as its page and files show it."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder

from annotation.models import Change, Study, User
from annotation.models.changes import ACCOUNT, ChangeQuerySet
from exports.csv_text import csv_line

FORMS = {"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson; charset=utf-8"}
COLUMNS = ("at", "who", "action", "subject", "detail")
# By whom, in an address: a command or rule of the study.
NOBODY = "none"
_CHUNK = 500
# First parts of the actions whose subject is an account.
_ABOUT_ACCOUNTS = ("account", "member")


@dataclass(frozen=True)
class ChangeLine:
    """A change with the names that its accounts have now."""

    at: datetime
    who: str
    action: str
    subject: str
    detail: dict[str, Any]

    @property
    def title(self) -> str:
        """The action in words."""
        return in_words(self.action)

    @property
    def written(self) -> str:
        """The detail for a person to read: differences as they are, the rest as JSON."""
        rest = {key: value for key, value in self.detail.items() if key != "difference"}
        parts = [json.dumps(rest, ensure_ascii=False, indent=1)] if rest else []
        return "\n".join([*self.detail.get("difference", []), *parts])

    def as_json(self) -> str:
        """One line of a file."""
        record = {name: getattr(self, name) for name in COLUMNS}
        return json.dumps(record, ensure_ascii=False, cls=DjangoJSONEncoder) + "\n"

    def as_csv(self) -> str:
        """One line of a table; cells that begin as a formula are made harmless."""
        detail = json.dumps(self.detail, ensure_ascii=False) if self.detail else ""
        return csv_line([self.at.isoformat(), self.who, self.action, self.subject, detail])


def in_words(action: str) -> str:
    """The name of an action for people: `member.role_set` as "Member: role set"."""
    subject, _, verb = action.partition(".")
    return f"{subject.capitalize()}: {verb.replace('_', ' ')}" if verb else subject.capitalize()


def chosen_changes(
    study: Study, *, who: str = "", action: str = "", first: date | None, last: date | None
) -> ChangeQuerySet:
    """The changes of a study, newest first. who: an account's number, or `none`; first, last: days
    in UTC, both included."""
    rows: ChangeQuerySet = Change.objects.filter(study=study)
    if who:
        rows = rows.by(int(who) if who.isdecimal() else None)
    if action:
        rows = rows.of_action(action)
    if first:
        rows = rows.filter(at__gte=datetime.combine(first, time.min, UTC))
    if last:
        rows = rows.filter(at__lt=datetime.combine(last + timedelta(days=1), time.min, UTC))
    return rows.order_by("-pk")


def people_of(study: Study) -> list[tuple[str, str]]:
    """Who has changed something: (number, name); one query for the numbers, one for the names."""
    numbers = set(study.changes.order_by().values_list("account", flat=True).distinct())
    names = names_of(number for number in numbers if number is not None)
    people = sorted((name, str(number)) for number, name in names.items())
    commands = [(NOBODY, "Commands and rules")] if None in numbers else []
    return [*((number, name) for name, number in people), *commands]


def actions_of(study: Study) -> list[str]:
    """The actions that occur."""
    rows = study.changes.order_by().values_list("action", flat=True).distinct()
    return sorted(rows)


def names_of(numbers: Iterable[int]) -> dict[int, str]:
    """Accounts by their numbers; an erased one is known by its number alone."""
    wanted = set(numbers)
    rows = User.objects.filter(pk__in=wanted).values_list("pk", "username")
    names = dict(rows)
    return {number: names.get(number, f"former account {number}") for number in wanted}


def lines_of(rows: Iterable[Change]) -> list[ChangeLine]:
    """Changes as they are shown; one query for all names."""
    changes = list(rows)
    mentioned = {row.account for row in changes} | {_account_in(row) for row in changes}
    names = names_of(number for number in mentioned if number is not None)
    return [_line(row, names) for row in changes]


def _line(row: Change, names: Mapping[int, str]) -> ChangeLine:
    command = row.detail.get("command")
    alone = f"command {command}" if command else "the study's rules"
    who = alone if row.account is None else names[row.account]
    about = _account_in(row)
    subject = row.subject if about is None else names[about]
    return ChangeLine(row.at, who, row.action, subject, row.detail)


def _account_in(row: Change) -> int | None:
    """The account that a change is about. Other subjects, such as the keys of units, are typed by
    researchers, and may look like one."""
    number = row.subject.removeprefix(ACCOUNT)
    if row.action.partition(".")[0] not in _ABOUT_ACCOUNTS or number == row.subject:
        return None
    return int(number) if number.isdecimal() else None


def file_of(rows: ChangeQuerySet, form: str) -> Iterator[str]:
    """The lines of a file, read in chunks by key, so that no long transaction is open."""
    if form == "csv":
        yield csv_line(COLUMNS)
    before: int | None = None
    while True:
        part = rows if before is None else rows.filter(pk__lt=before)
        changes = list(part[:_CHUNK])
        if not changes:
            return
        for line in lines_of(changes):
            yield line.as_csv() if form == "csv" else line.as_json()
        before = changes[-1].pk
