"""The largest file that the pages that take tables accept: more is not written to the disk."""

from typing import Any

from django.conf import settings
from django.core.files.uploadhandler import FileUploadHandler, SkipFile
from django.http import HttpRequest

_MARK = "upload_too_large"
_PAGES = ("desk:new-study", "desk:set-up-table")


class LimitedUpload(FileUploadHandler):
    """Counts the bytes of a file and drops it when they are too many."""

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        self._size = 0
        # Other pages have limits of their own.
        match = self.request.resolver_match if self.request else None
        self._applies = match is not None and match.view_name.startswith(_PAGES)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        self._size += len(raw_data)
        if self._applies and self._size > settings.UPLOAD_MIB * 2**20:
            setattr(self.request, _MARK, True)
            raise SkipFile
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """The next handler has the file."""


def is_too_large(request: HttpRequest) -> bool:
    """Whether a file of the request was dropped for its size."""
    return bool(request.POST is not None and getattr(request, _MARK, False))
