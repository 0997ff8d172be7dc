"""What is kept of pages and files about a study's results; links to them."""

from django.conf import settings
from django.db import models

from annotation.models import Rater, Study, Unit, User


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
