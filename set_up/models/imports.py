"""Jobs that make a new study of an uploaded table, or of files of another tool."""

from typing import Any, ClassVar, Self

from django.db import models
from django.utils.functional import cached_property

from files.reading.model import Reading
from jobs.models import UNDER_WAY, Job
from set_up.models.new_study import NewStudy

KIND = "import"


class ImportManager(models.Manager["ImportJob"]):
    """Jobs of this kind alone."""

    def get_queryset(self) -> models.QuerySet["ImportJob"]:
        """Those that import."""
        return super().get_queryset().filter(kind=KIND)

    def under_way(self) -> models.QuerySet["ImportJob"]:
        """Those that wait for a worker, or that one is at."""
        return self.filter(state__in=UNDER_WAY)


class ImportJob(Job):
    """A job seen as an import.

    keys, files: the study file, and the uploads that it names with their digests, as they were
    when the import was asked for. unfinished: the study that is written, which nobody sees yet.
    read: bytes of the `size` of the files; of those of another tool first as they are looked
    through, then as the study is written. rows: those that were written. skipped: records that were
    left out; skipped_digest: the upload with all of them. format_name: of files of another tool,
    whose import has no draft; `files` are then the uploads by role and name (`files/records.json`),
    and `keys` the title, the slug and the options, or the address of a dataset on the hub in place
    of files.
    """

    objects: ClassVar[ImportManager] = ImportManager()  # type: ignore[assignment]

    class Meta:
        proxy = True

    @classmethod
    def of(cls, job: Job) -> Self:
        """The same row."""
        names = [field.attname for field in cls._meta.concrete_fields]
        return cls.from_db(job._state.db, names, [getattr(job, name) for name in names])

    @property
    def title(self) -> str:
        """Of the study."""
        return str(self.parameters["title"])

    @property
    def format_name(self) -> str:
        """Empty where the study is made of a draft."""
        return str(self.parameters["format_name"])

    @property
    def keys(self) -> dict[str, Any]:
        """The study file."""
        keys: dict[str, Any] = self.parameters["keys"]
        return keys

    @property
    def files(self) -> dict[str, str]:
        """The uploads."""
        files: dict[str, str] = self.parameters["files"]
        return files

    @property
    def reading(self) -> Reading | None:
        """How the files of a draft are read; None for a file of items that needs no reading."""
        reading = self.parameters.get("reading")
        return Reading.model_validate(reading) if reading else None

    @property
    def skip_unusable(self) -> bool:
        """Whether records that do not fit are left out."""
        return bool(self.parameters["skip_unusable"])

    @property
    def size(self) -> int:
        """Of the files, in bytes."""
        return int(self.parameters["size"])

    @cached_property
    def draft(self) -> NewStudy | None:
        """What the study is made of, as long as there is no study."""
        return NewStudy.objects.filter(pk=self.parameters["draft"]).first()

    @property
    def read(self) -> int:
        """Bytes."""
        return int(self.progress.get("read", 0))

    @property
    def rows(self) -> int:
        """Written."""
        return int(self.progress.get("rows", 0))

    @property
    def skipped(self) -> int:
        """Left out."""
        return int(self.progress.get("skipped", 0))

    @property
    def skipped_digest(self) -> str:
        """Empty where nothing was left out."""
        return str(self.progress.get("skipped_digest", ""))

    @property
    def unfinished(self) -> int | None:
        """The key of the study; None before it has a row, and once others see it."""
        key: int | None = self.progress.get("unfinished")
        return key

    @property
    def is_looking_through(self) -> bool:
        """Whether the files of another tool are read, before anything is written."""
        return bool(self.format_name) and self.unfinished is None

    @property
    def percent(self) -> int:
        """How much of the files was read, from 0 to 100."""
        return min(100, self.read * 100 // self.size) if self.size else 0
