"""Invitations of colleagues: links by which somebody makes an account, joins a study, or both."""

import hashlib
from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotation.models import Member, Study

# Long enough for a holiday; who comes later is invited again.
WORKS_FOR = timedelta(days=14)


def digest_of(token: str) -> str:
    """What is stored of a token: who reads the database, or a copy of it, gets no link."""
    return hashlib.sha256(token.encode()).hexdigest()


class ColleagueInvitationQuerySet(models.QuerySet["ColleagueInvitation"]):
    """Selections of invitations."""

    def open(self, now: datetime) -> Self:
        """Those that somebody can still accept."""
        return self.filter(accepted_at=None, ended_at=None, expires_at__gt=now)


class ColleagueInvitation(models.Model):
    """A link for one colleague: into a study in a role, or without a study to an account alone.

    email: whom it was made for, where that was said. mailed: the link went to that address and was
    shown to nobody, so that whoever has it reads that mailbox.
    """

    study = models.ForeignKey(
        Study,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="colleague_invitations",
    )
    role = models.CharField(max_length=8, choices=Member.Role.choices, blank=True)
    email = models.EmailField(blank=True)
    mailed = models.BooleanField(default=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    # Empty where a command made it.
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    made_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    accepted_at = models.DateTimeField(null=True, blank=True)
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    objects = ColleagueInvitationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(study=None, role="") | Q(study__isnull=False) & ~Q(role=""),
                name="colleague_role_in_study",
            ),
        ]

    def __str__(self) -> str:
        return self.email or f"invitation {self.pk}"
