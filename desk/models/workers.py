"""What pages of workers show of large studies."""

from django.db import models

from annotation.models import Study


class KeptFigures(models.Model):
    """The figures of a study's workers that rest on their answers (see
    `desk.worker_records.kept`): key of a participation -> figures, as of a revision; null: not yet.

    requested_until: no other worker is asked before then. running_until: who computes them is
    given up by then, and the study rests until then.
    """

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="+")
    revision = models.PositiveBigIntegerField(null=True)
    figures = models.JSONField(default=dict)
    kept_at = models.DateTimeField(null=True)
    requested_until = models.DateTimeField(null=True)
    running_until = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"figures of workers of {self.study_id} at {self.revision}"
