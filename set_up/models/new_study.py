"""Studies that researchers have begun to make and not finished."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models

from imports.uploads import kept_upload

# A study that nobody has worked on for so long was given up.
KEPT_FOR = timedelta(days=14)


class NewStudy(models.Model):
    """A study that is being made in the browser: the keys of its file as far as they are typed,
    valid or not, and the table that was uploaded. uploads: files of any form, with the reading that
    was proposed of them and what was decided (`set_up.new_study.found_files`)."""

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
        names = self.file_name or ", ".join(self.uploads)
        return str(self.keys.get("title") or names or self.pk)

    @property
    def files(self) -> dict[str, str]:
        """The uploaded file with its digest, if it is still kept."""
        there = self.digest and kept_upload(self.digest) is not None
        return {self.file_name: self.digest} if there else {}

    @property
    def is_read(self) -> bool:
        """Whether the next step is how its files are read."""
        return bool(self.uploads) and not self.file_name

    @property
    def expires_at(self) -> datetime:
        """When it is removed, unless somebody works on it."""
        return self.touched_at + KEPT_FOR
