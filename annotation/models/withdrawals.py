"""Withdrawals that can still be taken back."""

from django.db import models

from annotation.models.people import Participation


class Withdrawal(models.Model):
    """What a withdrawal has taken out of all other tables, until it is erased for good."""

    participation = models.OneToOneField(
        Participation, on_delete=models.CASCADE, related_name="withdrawal"
    )
    at = models.DateTimeField()
    # When it is erased unless the worker has taken the withdrawal back by then.
    erase_at = models.DateTimeField(db_index=True)
    # {model: [[key of a row, {column: value}]]}, and under `rating` the rows of ratings.
    content = models.JSONField()

    def __str__(self) -> str:
        return f"withdrawal of {self.participation_id}"
