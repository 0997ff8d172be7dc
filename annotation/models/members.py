"""Researchers as members of a study."""

from django.conf import settings
from django.db import models

from annotation.models.study import Study


class Member(models.Model):
    """A researcher in a study. Each role may do what the roles after it may do."""

    class Role(models.TextChoices):
        OWNER = "owner"
        EDITOR = "editor"
        REVIEWER = "reviewer"
        VIEWER = "viewer"

        def may(self, needed: "Member.Role") -> bool:
            order = list(Member.Role)
            return order.index(self) <= order.index(needed)

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships"
    )
    role = models.CharField(max_length=8, choices=Role.choices)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "user"], name="member_once")]

    def __str__(self) -> str:
        return f"{self.user} ({self.role})"
