"""What workers have typed so far."""

from django.db import models
from django.utils import timezone

from annotation.models.material import Question
from annotation.models.work import Assignment


class Draft(models.Model):
    """What has been entered into one question so far, kept as posted."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="drafts")
    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="drafts")
    # {field: [values]} exactly as the form posts it, so that nothing typed is ever lost.
    posted = models.JSONField(default=dict)
    complete = models.BooleanField(default=False)
    # Counts saves, to detect a form that was loaded before another tab saved.
    revision = models.PositiveIntegerField(default=0)
    first_shown_at = models.DateTimeField(default=timezone.now)
    saved_at = models.DateTimeField(null=True, blank=True)
    # Active seconds as the browser counts them; empty where one of the saves came from a page
    # that counted nothing.
    active_seconds = models.FloatField(null=True, blank=True, default=0)
    # How often something was done at the question (annotation.work.paradata); empty where the study
    # asks for no such counts, or one of the saves came from a page that counted nothing.
    paradata = models.JSONField(null=True, blank=True)
    # Set once a later block has shown what this one conceals: the draft is read-only from then on.
    frozen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "question"], name="draft_once")
        ]

    def __str__(self) -> str:
        return f"draft {self.assignment_id}/{self.question_id}"
