"""Estimates and columns computed from a study's answers, kept as of one revision; links to them."""

from django.conf import settings
from django.db import models

from annotation.models import Rater, Study, Unit, User


class CachedEstimates(models.Model):
    """The rows of one report of a study, as of one revision of its answers."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="cached_estimates")
    revision = models.PositiveBigIntegerField()
    # SHA-256 over the options the rows were computed with.
    options_hash = models.CharField(max_length=64)
    rows = models.JSONField()
    # The row that lists of studies show (`results.report.headline`).
    headline = models.JSONField(null=True)
    # Which version of each judge its plain name stands for in the rows.
    versions = models.JSONField(default=dict)
    # Answers that were counted and who gave them: [[kind, raters, answers], …].
    counts = models.JSONField(default=list)
    # How long computing them took.
    seconds = models.FloatField(null=True)
    computed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "options_hash"], name="cached_once")
        ]

    def __str__(self) -> str:
        return f"{self.study_id} at {self.revision}"


class KeptRatings(models.Model):
    """The counted ratings of one facet, or what they are about, as packed columns.

    Lets a page look at all ratings of a large study without reading them one by one.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="+")
    revision = models.PositiveBigIntegerField()
    # Empty: the material that the ratings of every facet are about.
    facet = models.CharField(max_length=80, blank=True)
    columns = models.BinaryField()
    computed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "facet"], name="kept_once")]

    def __str__(self) -> str:
        return f"{self.facet or 'material'} of {self.study_id} at {self.revision}"


class Recount(models.Model):
    """Whether somebody is counting a study's answers anew, so that only one does at a time.

    until: nobody else asks for it before then; null when nobody has asked. asked_at: since when
    nobody has begun; null while somebody counts and afterwards.
    """

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="+")
    until = models.DateTimeField(null=True, blank=True)
    asked_at = models.DateTimeField(null=True, blank=True)
    running = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.study_id} until {self.until}"


class KeptDistances(models.Model):
    """As of which revision the distances of a study's units are stored; null: not yet."""

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="+")
    revision = models.PositiveBigIntegerField(null=True)
    kept_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"distances of {self.study_id} at {self.revision}"


class UnitDistance(models.Model):
    """How far apart the answers to a unit are, from 0 to 1 (see `results.units.distances`).

    rater: the judge that is compared with the consensus of people; null: people among themselves.
    n: how many people, or 1. distance: null where there is nothing to compare.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="+")
    unit = models.ForeignKey(Unit, on_delete=models.CASCADE, related_name="distances")
    rater = models.ForeignKey(Rater, on_delete=models.CASCADE, null=True, related_name="+")
    n = models.PositiveIntegerField()
    distance = models.FloatField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["unit", "rater"], name="distance_once"),
            models.UniqueConstraint(
                fields=["unit"], condition=models.Q(rater=None), name="distance_of_people_once"
            ),
        ]
        indexes = [models.Index(fields=["study", "rater", "distance"], name="unit_by_distance")]

    def __str__(self) -> str:
        return f"{self.unit_id}: {self.distance}"


class ResultsLink(models.Model):
    """An address by which anybody may read the results of a closed study, without names."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="results_links")
    token = models.CharField(max_length=40, unique=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    # From then on it leads nowhere.
    revoked_at = models.DateTimeField(null=True, blank=True)
    # The page as it was made last, and of what.
    page = models.TextField(blank=True)
    page_key = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"results of {self.study_id}"


class ExportJob(models.Model):
    """One export that a worker writes in the background, and where its file is.

    attempt: raised whenever a worker takes it, so that one that was thought dead writes no more.
    alive_at: when that worker last reported. lines: how many were written.
    """

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"
        # It held answers that somebody took back since, and its file is gone; `ended_at` is when.
        WITHDRAWN = "withdrawn"

    UNDER_WAY = (State.QUEUED, State.RUNNING)

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="export_jobs")
    format_name = models.CharField(max_length=20)
    # What of the study, and how labels are made: the fields of `results.exporting.choice.Choice`.
    choice = models.JSONField(default=dict)
    asked_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    state = models.CharField(max_length=9, choices=State.choices, default=State.QUEUED)
    reason = models.CharField(max_length=300, blank=True)
    attempt = models.PositiveIntegerField(default=0)
    lines = models.PositiveBigIntegerField(default=0)
    size = models.PositiveBigIntegerField(null=True)
    asked_at = models.DateTimeField()
    alive_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["study", "asked_at"], name="export_by_study")]

    def __str__(self) -> str:
        return f"{self.format_name} of {self.study_id}: {self.state}"


class Datasheet(models.Model):
    """What editors wrote into the datasheet of a study (`results.paper.datasheet`).

    answers: question, or facet/question -> {"text", "chosen"}. edition: grows with every change.
    """

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="datasheet")
    answers = models.JSONField(default=dict)
    edition = models.PositiveIntegerField(default=0)
    changed_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    changed_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"datasheet of {self.study_id}"


class KeptMaterial(models.Model):
    """What a registration says of a study's material, as counted last. stored: a hash over the
    questions just as the database holds them, which takes a tenth of the time."""

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="+")
    stored = models.CharField(max_length=64)
    material = models.JSONField()

    def __str__(self) -> str:
        return f"material of {self.study_id}: {self.stored[:12]}"


class Registration(models.Model):
    """A study as it was registered: its file, its claims and its analysis, never changed again.

    keys: those of the study file. analysis: what `results.studies.registration` says of how
    figures are computed. material: how many units there were, and the SHA-256 over them. digest:
    SHA-256 over all of it. answers: people's answers that were there already. reason: why it was
    registered anew.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="registrations")
    keys = models.JSONField()
    analysis = models.JSONField()
    material = models.JSONField()
    digest = models.CharField(max_length=64)
    answers = models.PositiveBigIntegerField()
    reason = models.TextField(blank=True)
    registered_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    registered_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.study_id} at {self.registered_at:%Y-%m-%d}: {self.digest[:12]}"
