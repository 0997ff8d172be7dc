"""Errors that nobody expected, counted by where and of which type they were."""

from django.db import models


class Fault(models.Model):
    """How often an error of one type was met at one place within one hour.

    place: the name of a route or a task. error: the type. request: the id under which the log has
    the last one. Neither holds anything that somebody typed.
    """

    hour = models.DateTimeField()
    place = models.CharField(max_length=150)
    error = models.CharField(max_length=150)
    times = models.PositiveIntegerField(default=1)
    last_at = models.DateTimeField()
    request = models.CharField(max_length=40, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["hour", "place", "error"], name="fault_once_an_hour")
        ]

    def __str__(self) -> str:
        return f"{self.error} at {self.place}"
