"""Studies whose items a worker imports in the background."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models import Study
from desk.models.new_study import NewStudy


class ImportJob(models.Model):
    """One new study that a worker makes of an uploaded table, or of files of another tool.

    keys, files: the study file, and the uploads that it names with their digests, as they were
    when the import was asked for. attempt: raised whenever a worker takes it, so that one that was
    thought dead writes no more; attempts_before: its value when somebody asked last. alive_at: when
    that worker last reported. unfinished: the study that it writes, which nobody sees yet. read:
    bytes of the `size` of the files; of those of another tool first as they are looked through,
    then as the study is written. rows: those that were written. skipped: records that were left
    out; skipped_digest: the upload with all of them. format_name: of files of another tool, whose
    import has no draft; `files` are then the uploads by role and name (`files/records.json`), and
    `keys` the title, the slug and the options, or the address of a dataset on the hub in place of
    files.
    """

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    UNDER_WAY = (State.QUEUED, State.RUNNING)

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="import_jobs"
    )
    draft = models.ForeignKey(
        NewStudy, on_delete=models.SET_NULL, null=True, related_name="import_jobs"
    )
    study = models.ForeignKey(Study, on_delete=models.SET_NULL, null=True, related_name="+")
    unfinished = models.BigIntegerField(null=True)
    title = models.CharField(max_length=200)
    format_name = models.CharField(max_length=40, blank=True)
    keys = models.JSONField()
    files = models.JSONField()
    skip_unusable = models.BooleanField(default=False)
    state = models.CharField(max_length=9, choices=State.choices, default=State.QUEUED)
    reason = models.CharField(max_length=1000, blank=True)
    attempts_before = models.PositiveIntegerField(default=0)
    attempt = models.PositiveIntegerField(default=0)
    size = models.PositiveBigIntegerField(default=0)
    read = models.PositiveBigIntegerField(default=0)
    rows = models.PositiveBigIntegerField(default=0)
    skipped = models.PositiveBigIntegerField(default=0)
    skipped_digest = models.CharField(max_length=64, blank=True)
    asked_at = models.DateTimeField()
    alive_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["draft"],
                condition=Q(state__in=["queued", "running"]),
                name="import_under_way_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.title}: {self.state}"

    @property
    def is_under_way(self) -> bool:
        """Whether it waits for a worker, or one is at it."""
        return self.state in self.UNDER_WAY

    @property
    def is_looking_through(self) -> bool:
        """Whether the files of another tool are read, before anything is written."""
        return bool(self.format_name) and self.unfinished is None

    @property
    def percent(self) -> int:
        """How much of the files was read, from 0 to 100."""
        return min(100, self.read * 100 // self.size) if self.size else 0
