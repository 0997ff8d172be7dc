"""The change log: who changed what of a study, and when. Rows are added, never changed.

A row holds no name of a person. It refers to the account, so that with an erased account only its
number is left. A row outlives its study: then it is for the operator alone, under the slug.
"""

from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from typing import Any, NoReturn, ParamSpec, Self, TypeVar

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotation.models.accounts import User
from annotation.models.study import Study

P = ParamSpec("P")
R = TypeVar("R")
# The command that is running, which rows of the log without an account name.
_command: ContextVar[str] = ContextVar("command", default="")
# What stands before an account's number where a row is about an account.
ACCOUNT = "account:"


class AppendOnly(TypeError):
    """Rows of the change log are never changed nor deleted."""

    def __init__(self) -> None:
        super().__init__("rows of the change log are never changed nor deleted")


class ChangeQuerySet(models.QuerySet["Change"]):
    """Selections of changes, newest first."""

    def by(self, account: int | None) -> Self:
        """Those that an account made; None: those made by commands and rules."""
        return self.filter(account=account)

    def of_action(self, action: str) -> Self:
        """Those of an action, or of all actions of its first part, such as `study`."""
        return self.filter(Q(action=action) | Q(action__startswith=f"{action}."))

    def update(self, **_fields: Any) -> NoReturn:
        raise AppendOnly

    def delete(self) -> NoReturn:
        raise AppendOnly


class Change(models.Model):
    """One thing that somebody changed.

    action: a stable name, such as `study.opened`. subject: what was changed, such as a control's
    key, a run's number or `account:7`. detail: what else there is to know, as JSON.
    """

    study = models.ForeignKey(
        Study, on_delete=models.SET_NULL, null=True, blank=True, related_name="changes"
    )
    # Kept when the study is deleted.
    slug = models.CharField(max_length=80, blank=True)
    # Empty where a command or a rule of the study did it, and for an erased account.
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    # The number of the account, which is kept when the account is erased.
    account = models.PositiveBigIntegerField(null=True, blank=True)
    action = models.CharField(max_length=60)
    subject = models.CharField(max_length=200, blank=True)
    detail = models.JSONField(default=dict, blank=True, encoder=DjangoJSONEncoder)
    at = models.DateTimeField(default=timezone.now)

    objects = ChangeQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["study", "-id"], name="change_by_study"),
            models.Index(fields=["study", "action", "-id"], name="change_by_action"),
            models.Index(fields=["study", "account", "-id"], name="change_by_account"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.subject}".strip()

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise AppendOnly
        super().save(*args, **kwargs)

    def delete(self, *_args: Any, **_kwargs: Any) -> NoReturn:
        raise AppendOnly


def log_change(
    *,
    study: Study | None,
    by: User | None,
    action: str,
    subject: str = "",
    detail: dict[str, Any] | None = None,
) -> None:
    """Note that somebody changed something; to be called in the transaction of the change.

    study: None where it is of no study, such as a password. by: None for a command, whose name is
    added where its `handle` is decorated with `logged_by_name`, and for rules of a study. action: a
    stable name of two parts, such as `study.opened`. Neither subject nor detail may hold a secret,
    a token, a name or an address of a person, the text of an answer, or a worker's id at a panel:
    who may read the log need not be allowed to see those. For an account use `account_subject`.
    """
    if by is None and _command.get():
        detail = {"command": _command.get(), **(detail or {})}
    if study is not None and study.tryout_of_id is not None:
        return  # nothing that happens in a copy touches the study, and the copy goes at night
    Change(
        study=study,
        slug="" if study is None else study.slug,
        by=by,
        account=None if by is None else by.pk,
        action=action,
        subject=subject[:200],
        detail=detail or {},
    ).save(force_insert=True)


def logged_by_name(handle: Callable[P, R]) -> Callable[P, R]:
    """Let the rows that a command logs name the command: for the `handle` of its class."""
    name = handle.__module__.rpartition(".")[2]

    @wraps(handle)
    def named(*args: P.args, **kwargs: P.kwargs) -> R:
        token = _command.set(name)
        try:
            return handle(*args, **kwargs)
        finally:
            _command.reset(token)

    return named


def account_subject(user: User) -> str:
    """An account as the subject of a change; pages show its name while it has one."""
    return f"{ACCOUNT}{user.pk}"


def move_changes(*, of: Study, to: Study) -> None:
    """Let the log of a study that another one replaces belong to that one, as its members do."""
    models.QuerySet(Change).filter(study=of).update(study=to)
