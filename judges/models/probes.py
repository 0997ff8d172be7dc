"""Probe sets: units that a judge is asked again, to see whether its answers have drifted."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models import Question, Study, Unit
from judges.models.judges import Judge
from judges.models.runs import JudgeRun


class ProbeSet(models.Model):
    """Units of a study, frozen when they were chosen, that one version of a judge is asked again.

    Its runs are the askings, in the order of their keys; the first one is the baseline. Neither
    units nor seed ever change: another choice is another set, and begins another series.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="probe_sets")
    judge = models.ForeignKey(Judge, on_delete=models.RESTRICT, related_name="probe_sets")
    units = models.ManyToManyField(Unit, related_name="probe_sets")
    # How many units were chosen: some may be removed from the study later.
    size = models.PositiveIntegerField()
    # The subset that all units were taken from; empty: they were drawn, by the seed.
    subset = models.CharField(max_length=80, blank=True)
    # Of the draw, and of the judge's random choices in every asking.
    seed = models.BigIntegerField(default=0)
    # Days from one asking to the next; 0: only by hand.
    every_days = models.PositiveSmallIntegerField(default=0)
    # USD that one asking may cost.
    max_cost = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    # When the schedule last tried to ask again, and why it could not.
    tried_at = models.DateTimeField(null=True, blank=True)
    problem = models.TextField(blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    # When another set took its place.
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "judge"],
                condition=Q(ended_at__isnull=True),
                name="one_current_probe_set",
            )
        ]

    def __str__(self) -> str:
        return f"probe set {self.pk} of {self.judge}"


class ProbeAnswer(models.Model):
    """An answer to a probe: no Annotation, so that it enters no estimate, table or export."""

    run = models.ForeignKey(JudgeRun, on_delete=models.CASCADE, related_name="probe_answers")
    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="+")
    replicate = models.PositiveSmallIntegerField(default=0)
    answer = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["run", "question", "replicate"], name="probe_answered_once"
            )
        ]

    def __str__(self) -> str:
        return f"probe answer {self.pk} of run {self.run_id}"


class DriftCheck(models.Model):
    """One asking compared with the baseline of its probe set, once its run has ended.

    It is counted again only where the run was resumed and has ended again, so that what was
    announced stays as it was.
    """

    run = models.OneToOneField(JudgeRun, on_delete=models.CASCADE, related_name="drift_check")
    # 1 for the first asking after the baseline: each one is another look.
    look = models.PositiveIntegerField()
    # Whether drift was found; empty: too few pairs to say.
    found = models.BooleanField(null=True)
    # As `judges.probes.drift.Drift.as_json` writes it.
    figures = models.JSONField(default=dict)
    # The end of the run that was compared.
    ended_at = models.DateTimeField()
    checked_at = models.DateTimeField()

    class Meta:
        ordering = ["run_id"]
        constraints = [models.CheckConstraint(condition=Q(look__gte=1), name="look_from_one")]

    def __str__(self) -> str:
        return f"look {self.look} at run {self.run_id}"
