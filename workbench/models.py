"""The split of a study into a development and a sealed half, and the looks at the sealed one."""

from typing import Any

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q

from annotation.models import Rater, Study
from judges.models import JudgeRun


def halves_in_words(taken: int, planned: int, *, opened: bool) -> str:
    """Which half figures of judges are of, and how often the other one was looked at."""
    published = " The answers behind these looks are published, and there will be no others."
    return (
        f"Figures of judges are of the development half alone; {taken} of {planned} looks at the "
        f"sealed half used.{published if opened else ''}"
    )


class Split(models.Model):
    """How a study's sources were split; which are sealed stands with them. Made once."""

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="split")
    seed = models.BigIntegerField()
    # Of the sources that are sealed.
    share = models.FloatField()
    # How many looks there are at most, and the error that their intervals make together.
    planned_looks = models.PositiveSmallIntegerField()
    error = models.FloatField()
    # [{"label", "system", "development", "sealed"}], in sources.
    strata = models.JSONField(default=list)
    # SHA-256 over the keys of the sealed sources, sorted, a line each.
    digest = models.CharField(max_length=64)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    # When and by whom the answers behind the looks were published, after which there are no others.
    opened_at = models.DateTimeField(null=True, blank=True)
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(share__gt=0, share__lt=1, error__gt=0, error__lt=1),
                name="split_shares",
            ),
            models.CheckConstraint(condition=Q(planned_looks__gte=1), name="split_looks_planned"),
        ]

    def __str__(self) -> str:
        return f"split of {self.study_id} by seed {self.seed}"

    def as_json(self) -> dict[str, Any]:
        """What registrations and bundles say of it."""
        fields = ("seed", "share", "planned_looks", "error", "development", "sealed")
        opened = self.opened_at and {"opened": self.opened_at.isoformat(timespec="seconds")}
        shown = {name: getattr(self, name) for name in fields}
        return {**shown, "sha256": self.digest, **(opened or {})}

    @property
    def in_words(self) -> str:
        """What is said wherever figures of the study's judges stand."""
        taken = self.study.looks.count()
        return halves_in_words(taken, self.planned_looks, opened=self.opened_at is not None)

    @property
    def development(self) -> int:
        """Sources of the development half."""
        return sum(stratum["development"] for stratum in self.strata)

    @property
    def sealed(self) -> int:
        """Sources of the sealed half."""
        return sum(stratum["sealed"] for stratum in self.strata)


class Look(models.Model):
    """One look at the sealed half: which version was tested, by whom and when. It is spent when it
    begins; the figures stand once its run has ended, and never change."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="looks")
    rater = models.ForeignKey(Rater, on_delete=models.CASCADE, related_name="looks")
    number = models.PositiveSmallIntegerField()
    # That asked the judge about the sealed half; empty for an imported judge.
    run = models.ForeignKey(JudgeRun, on_delete=models.SET_NULL, null=True, related_name="+")
    # [{"facet", "value", "low", "high", "confidence", …}] once it has ended.
    figures = models.JSONField(default=list, encoder=DjangoJSONEncoder)
    looked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    looked_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["study", "number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="look_number_once"),
            models.UniqueConstraint(fields=["study", "rater"], name="look_at_version_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="look_numbers_from_one"),
        ]

    def __str__(self) -> str:
        return f"look {self.number} in {self.study_id}"
