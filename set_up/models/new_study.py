"""Studies that researchers have begun to make and not finished."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.urls import reverse

from files.reading.model import Reading
from imports.uploads import kept_upload

# A study that nobody has worked on for so long was given up.
KEPT_FOR = timedelta(days=14)


class NewStudy(models.Model):
    """A study that is being made in the browser: the keys of its file as far as they are typed,
    valid or not, and its files. uploads: those of any form, with the reading that was proposed of
    them and what was decided (`set_up.new_study.found_files`); else a file of items that needs no
    reading."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="new_studies"
    )
    keys = models.JSONField(default=dict)
    file_name = models.CharField(max_length=255, blank=True)
    digest = models.CharField(max_length=64, blank=True)
    # What was uploaded to be read as a whole, by name, and what was found in it so far.
    uploads = models.JSONField(default=dict)
    found = models.JSONField(default=dict)
    skip_unusable = models.BooleanField(default=False)
    started_at = models.DateTimeField(auto_now_add=True)
    touched_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return str(self.keys.get("title") or ", ".join(self.names) or self.pk)

    @property
    def names(self) -> list[str]:
        """Of its files."""
        return list(self.uploads) or list(filter(None, [self.file_name]))

    @property
    def files(self) -> dict[str, str]:
        """The file of items with its digest, if it is still kept."""
        there = self.digest and kept_upload(self.digest) is not None
        return {self.file_name: self.digest} if there else {}

    @property
    def reading(self) -> Reading | None:
        """How its files are read, as it stands; None for a file that needs no reading."""
        return Reading.model_validate(self.found["reading"]) if self.uploads else None

    @property
    def asks(self) -> bool:
        """Whether it is known what is asked; else its files say that, too."""
        return bool(self.keys.get("blocks"))

    @property
    def address(self) -> str:
        """Of the page on which its making goes on."""
        if self.asks and (self.uploads or self.file_name):
            return reverse("desk:new-study-texts", args=[self.pk])
        page = "reading" if self.uploads else "files"
        return reverse(f"desk:new-study-{page}", args=[self.pk])

    @property
    def expires_at(self) -> datetime:
        """When it is removed, unless somebody works on it."""
        return self.touched_at + KEPT_FOR
